import { useEffect, useMemo, useState } from 'preact/hooks';
import { onEvent } from '../../api/events.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { has, may } from '../../rights.ts';
import { Link, late, navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { AccessView } from '../access/view.tsx';
import { makeCollection } from '../library/actions.ts';
import { Browser } from '../library/browser.tsx';
import { ShareDialog } from '../library/dialogs.tsx';
import { downloadZip } from '../library/zip.ts';
import { type CollectionPath, changes, collectionPathOf, level, type Node, remove, rename } from './collections.ts';
import { Places } from './tree.tsx';

const UsageDialog = late<Parameters<typeof import('../when-asked.ts').UsageDialog>[0]>(
  async () => (await import('../when-asked.ts')).UsageDialog,
  true,
);

type Action = 'make' | 'makeIn' | 'rename' | 'delete';

/** Text for a collection in which the person sees nothing. */
const emptyText = () =>
  t(
    may('collection.write')
      ? 'collections.emptyHint'
      : has('_administrator')
        ? 'collections.empty'
        : 'collections.nothingShared',
  );

function useCollectionPath(id: string | undefined): CollectionPath | undefined {
  const [path, setPath] = useState<CollectionPath | undefined>(undefined);
  const version = changes.value;
  useEffect(() => {
    if (id === undefined) return undefined;
    const reading = new AbortController();
    // A collection that is not there is told by the list of its items.
    collectionPathOf(id, reading.signal).then(setPath, () => undefined);
    return () => reading.abort();
  }, [id, version]);
  return id === undefined ? undefined : path;
}

/** The collections in an open one. */
function Within({ id }: { readonly id: string }) {
  const [nodes, setNodes] = useState<readonly Node[]>([]);
  const version = changes.value;
  useEffect(() => {
    const reading = new AbortController();
    // Without an answer the tree has them.
    level(id, reading.signal).then(setNodes, () => undefined);
    return () => reading.abort();
  }, [id, version]);
  if (nodes.length === 0) return null;
  return (
    <nav class="place-actions" aria-label={t('nav.collections')}>
      {nodes.map((node) => (
        <Link key={node.id} to={`/collection/${node.id}`} class="button">
          <Icon name="collections" />
          {node.name} <span class="muted">{node.items}</span>
        </Link>
      ))}
    </nav>
  );
}

/** Asks for a name, or whether to delete. */
function Ask({ what, id, name, onClose }: { what: Action; id: string | undefined; name: string; onClose: () => void }) {
  const run = async (typed: string) => {
    if (what === 'delete' && id !== undefined) {
      await remove(id);
      navigate('/collections');
      toast(t('collections.deleted', { name }));
    } else if (what === 'rename' && id !== undefined) await rename(id, typed);
    else {
      const newId = await makeCollection(typed, what === 'makeIn' ? id : undefined);
      changes.value += 1;
      navigate(`/collection/${newId}`);
    }
  };
  const titles = {
    make: t('collections.make'),
    makeIn: t('collections.makeIn'),
    rename: t('collections.rename'),
    delete: t('collections.deleteTitle', { name }),
  };
  return (
    <FormDialog
      title={titles[what]}
      action={what === 'delete' ? t('word.delete') : t('word.save')}
      kind={what === 'delete' ? 'danger' : 'main'}
      onClose={onClose}
      work={(readField) => run(readField('name').trim())}
    >
      {what === 'delete' ? (
        <p>{t('collections.deleteNote')}</p>
      ) : (
        <Field label={t('word.name')} name="name" defaultValue={what === 'rename' ? name : ''} required autofocus />
      )}
    </FormDialog>
  );
}

export default function CollectionsPage({ params }: { params: { id?: string } }) {
  const { id } = params;
  const openCollection = useCollectionPath(id);
  const [action, setAction] = useState<Action | undefined>(undefined);
  const [isShared, setShared] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const [hasRights, setRights] = useState(false);
  const place = useMemo(() => ({ path: `/collection/${id}/item`, query: { order: 'collection' } }), [id]);
  useEffect(
    () =>
      onEvent(['collection/*'], () => {
        changes.value += 1;
      }),
    [],
  );
  const canWrite = may('collection.write');
  return (
    <div class="collections" data-open={id !== undefined || undefined}>
      <Places
        chosen={id}
        open={openCollection?.above.map((each) => each.id) ?? []}
        onMake={canWrite ? () => setAction('make') : undefined}
      />
      {id === undefined ? (
        <Empty icon="collections" text={t('collections.pick')} />
      ) : (
        <Browser
          key={id}
          place={place}
          base={`/collection/${id}`}
          title={openCollection?.name ?? ''}
          collection={id}
          standardOrder={t('collections.order')}
          renewed={changes.value}
          quiet
          empty={
            <Empty icon="collections" text={emptyText()}>
              <Link to="/" class="button main">
                {t('collections.toLibrary')}
              </Link>
            </Empty>
          }
          above={
            <>
              <p class="place-actions">
                <Link to="/collections" class="up">
                  {t('nav.collections')} ›
                </Link>
                {openCollection?.above.map((each) => (
                  <Link
                    key={each.id}
                    to={`/collection/${each.id}`}
                    aria-label={t('collections.up', { name: each.name })}
                  >
                    {each.name} ›
                  </Link>
                ))}
                {may('item.access') && openCollection && (
                  <Button onClick={() => setShared(true)}>{t('access.title')}</Button>
                )}
                {may('share.write') && openCollection && (
                  <Button onClick={() => setSharing(true)}>{t('shares.share')}</Button>
                )}
                {may('item.shapes') && openCollection && (
                  <Button
                    icon="download"
                    onClick={() => void act(() => downloadZip({ collection: [id], title: openCollection.name }))}
                  >
                    {t('library.zip')}
                  </Button>
                )}
                {openCollection && <Button onClick={() => setRights(true)}>{t('usage.title')}</Button>}
                {canWrite && openCollection && (
                  <>
                    <Button onClick={() => setAction('makeIn')}>{t('collections.makeIn')}</Button>
                    <Button onClick={() => setAction('rename')}>{t('collections.rename')}</Button>
                    <Button kind="danger" onClick={() => setAction('delete')}>
                      {t('word.delete')}
                    </Button>
                  </>
                )}
              </p>
              <Within key={id} id={id} />
            </>
          }
        />
      )}
      {isShared && id !== undefined && (
        <Dialog
          title={t('collections.accessTitle', { name: openCollection?.name ?? id })}
          wide
          onClose={() => setShared(false)}
        >
          <p class="muted">{t('collections.accessNote')}</p>
          <AccessView at={`/collection/${id}`} />
        </Dialog>
      )}
      {isSharing && id !== undefined && (
        <ShareDialog of="collection" id={id} name={openCollection?.name ?? id} onClose={() => setSharing(false)} />
      )}
      {hasRights && id !== undefined && (
        <UsageDialog at={`/collection/${id}`} name={openCollection?.name ?? id} onClose={() => setRights(false)} />
      )}
      {action && <Ask what={action} id={id} name={openCollection?.name ?? ''} onClose={() => setAction(undefined)} />}
    </div>
  );
}
