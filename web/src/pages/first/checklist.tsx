import type { SampleDocument, SampleRemovalDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { send } from '../../api/client.ts';
import { reloadMe } from '../../api/session.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Copy } from '../../components/copy.tsx';
import { Icon } from '../../components/icon.tsx';
import { useEvery } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { Fact } from '../../components/values.tsx';
import { has, lacks, typed } from '../../rights.ts';
import { Link, navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import './page.css';

const places = {
  storage: '/first',
  access: '/first?step=seen',
  transcoder: '/health?tab=runners',
  user: '/people',
} as const;
const all = ['storage', 'access', 'transcoder', 'user', 'backup'] as const;

/** For administrators: what a library of some use has, and this one lacks. It goes with its last row. */
export function Checklist({ offersSample = false }: { readonly offersSample?: boolean }) {
  const isShown = has('_administrator') && (offersSample || all.some(lacks));
  useEvery(isShown ? 30_000 : undefined, () => void reloadMe().catch(() => undefined));
  if (!isShown) return null;
  return (
    <section class="card stack checklist" aria-label={t('first.checklist')}>
      <h2>{t('first.checklist')}</h2>
      <ul>
        {all.map((name) => (
          <li key={name} data-done={!lacks(name)}>
            <Icon name={lacks(name) ? 'clock' : 'check'} />
            <span>{t(lacks(name) ? `first.lacks.${name}` : `first.has.${name}`)}</span>
            {lacks(name) &&
              (name === 'backup' ? (
                <>
                  <code>{typed('backup backups/today --media')}</code>
                  <Copy text={typed('backup backups/today --media')} />
                  <Button
                    onClick={() =>
                      void act(async () => {
                        await send('PUT', '/configuration/properties/lastBackup', 'elsewhere');
                        await reloadMe();
                      })
                    }
                  >
                    {t('first.elsewhere')}
                  </Button>
                </>
              ) : (
                <Link to={places[name]} class={name === 'storage' ? 'button main' : 'button'}>
                  {t(`first.do.${name}`)}
                </Link>
              ))}
          </li>
        ))}
        {offersSample && (
          <li>
            <Icon name="library" />
            <span>{t('first.sample')}</span>
            <Link to="/first?sample=true" class="button">
              {t('first.makeSample')}
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Words for a part of a sample that stays, by its path: `/API/metadata-field/asset_rating`. */
function keptWords(path: string): string {
  const [kind = '', name = ''] = path.replace(/\?.*$/, '').split('/').slice(2);
  if (kind === 'storage') return t('first.kept.storage');
  return kind === 'metadata-field' ? t('first.kept.field', { name }) : `${kind} ${name}`;
}

/** For administrators, while there is a sample. After it the set-up is offered where a storage is lacking. */
export function RemoveSample() {
  const remove = async () => {
    const { removed, kept = [] } = await send<SampleRemovalDocument>('DELETE', '/APIinit/sample');
    const counts = { removed, kept: kept.length, names: kept.map(keptWords).join(', ') };
    const words = t(kept.length > 0 ? 'first.sampleKept' : 'first.sampleRemoved', counts);
    await reloadMe();
    navigate(lacks('storage') ? '/first' : '/');
    toast(words, { text: t('word.close'), run: () => undefined });
  };
  return (
    <div class="row wrap">
      <AskButton
        kind="danger"
        action={t('first.removeSample')}
        question={t('first.removeSampleQuestion')}
        onYes={() => void act(remove)}
      />
    </div>
  );
}

/** Makes the sample. The only place that shows how its people come in. */
export function MakeSample() {
  const [busy, setBusy] = useState(false);
  const [sample, setSample] = useState<SampleDocument>();
  const make = async () => {
    setBusy(true);
    await act(async () => setSample(await send<SampleDocument>('POST', '/APIinit/sample')));
    await reloadMe();
    setBusy(false);
  };
  if (!sample)
    return (
      <section class="card stack" aria-label={t('first.sample')}>
        <p>{t('first.sampleIs')}</p>
        <div>
          <Button kind="main" disabled={busy} onClick={() => void make()}>
            {t(busy ? 'first.makesSample' : 'first.makeSample')}
          </Button>
        </div>
      </section>
    );
  const { password, user = [], share, upload } = sample;
  return (
    <section class="card stack" aria-label={t('first.sampleMade')} aria-live="polite">
      <h2>{t('first.sampleMade')}</h2>
      <p>{t('first.samplePassword')}</p>
      <p class="row">
        <code>{password}</code>
        <Copy text={password} />
      </p>
      <dl class="facts">
        {user.map(({ userName, realName, group }) => (
          <Fact key={userName} name={userName}>
            {realName}, {group}
          </Fact>
        ))}
        <Fact name={t('first.guestsLook')}>
          <a href={share}>{t('first.openLink')}</a>
        </Fact>
        <Fact name={t('first.guestsSend')}>
          <a href={upload}>{t('first.openLink')}</a>
        </Fact>
      </dl>
      <p class="muted small">{t('first.sampleGoes')}</p>
      <div>
        <Link to="/" class="button main">
          {t('nav.library')}
        </Link>
      </div>
    </section>
  );
}
