import type { ShareDocument, ShareListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { Check } from '../../components/field.tsx';
import { useLoad, useOnce } from '../../components/load.ts';
import { has } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { Links } from './links.tsx';

const rows = 100;

/** Own links to all items and collections; an administrator sees those of others, too. */
export default function Page() {
  const [all, setAll] = useState(has('_administrator'));
  const [number, setNumber] = useState(rows);
  const [edited, setEdited] = useState<ShareDocument>();
  const list = useLoad(`links ${all} ${number}`, (signal) =>
    get<ShareListDocument>('/share', { query: { all, number }, signal }),
  );
  const maxRows = me.value?.maxPage ?? rows;
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t('nav.links')}</h1>
        {has('_administrator') && (
          <Check label={t('shares.ofAll')} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        )}
      </header>
      <p class="muted small">{t('shares.how')}</p>
      <Shown of={list} rows={6}>
        {({ share = [], terms }) => (
          <>
            {terms?.isOn === false && <p class="note">{t('shares.off')}</p>}
            {share.length === 0 ? (
              <Empty icon="link" text={t('shares.none')} />
            ) : (
              <Links shares={share} withPlaces onEdit={setEdited} onChanged={() => void list.reload()} />
            )}
            {share.length === number && number < maxRows && (
              <Button onClick={() => setNumber(Math.min(maxRows, number + rows))}>{t('word.more')}</Button>
            )}
          </>
        )}
      </Shown>
      {edited && <Edit share={edited} onClose={() => setEdited(undefined)} onSaved={() => void list.reload()} />}
    </div>
  );
}

/** The form of a link. Loaded when somebody asks for it. */
function Edit(props: { readonly share: ShareDocument; readonly onClose: () => void; readonly onSaved: () => void }) {
  const loaded = useOnce(() => import('../item/more-tabs.tsx'));
  return loaded ? <loaded.EditShare {...props} /> : null;
}
