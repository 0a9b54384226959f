import type { CollectionType, URIListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../../api/client.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { Empty, Pending } from '../../../components/empty.tsx';
import { useLoad } from '../../../components/load.ts';
import { act } from '../../../components/refusal.tsx';
import { may } from '../../../rights.ts';
import { Link } from '../../../router.tsx';
import { t } from '../../../texts/index.ts';
import { CollectionDialog } from '../../library/collection-dialog.tsx';
import { chosenItem, type TabProps } from '../item.ts';

const max = 50;

/** Collections that have the item. */
export function CollectionsTab({ item }: TabProps) {
  const [isAdding, setAdding] = useState(false);
  const { value, refusal, reload } = useLoad(`collections ${item.id}`, async (signal) => {
    const { uri = [] } = await get<URIListDocument>(`/item/${item.id}/collections`, {
      query: { number: max },
      signal,
    });
    const ids = uri.map((each) => each.split('/').at(-1)!);
    return Promise.all(ids.map((id) => get<CollectionType>(`/collection/${id}`, { query: { number: 0 }, signal })));
  });
  const canWrite = may('collection.write');
  if (!value) return <Pending of={{ refusal, reload }} />;
  const remove = (id: string) =>
    act(
      () => send('DELETE', `/collection/${id}/${item.id}`, undefined, { query: { type: 'item' } }),
      t('item.takenOut'),
    ).then(reload);
  return (
    <div class="stack">
      {canWrite && (
        <div class="row">
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t('item.addTo')}
          </Button>
        </div>
      )}
      {value.length === 0 && <Empty icon="collections" text={t('item.noCollections')} />}
      <ul class="plain">
        {value.map(({ id = '', name }) => (
          <li key={id} class="row">
            <Link to={`/collection/${id}`}>{name ?? id}</Link>
            <code class="muted">{id}</code>
            <span class="grow" />
            {canWrite && (
              <IconButton icon="x" label={t('item.takeOut', { name: name ?? id })} onClick={() => void remove(id)} />
            )}
          </li>
        ))}
      </ul>
      {isAdding && (
        <CollectionDialog
          chosen={chosenItem(item.id ?? '')}
          size={1}
          address=""
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            reload();
          }}
        />
      )}
    </div>
  );
}
