import type { CollectionDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { copy } from '../../components/copy.tsx';
import { useLoad } from '../../components/load.ts';
import { Menu } from '../../components/menu.tsx';
import { act } from '../../components/refusal.tsx';
import { useKeys } from '../../keys.ts';
import { may, reaches } from '../../rights.ts';
import { Link, lastList, navigate, setQuery } from '../../router.tsx';
import { type Key, t } from '../../texts/index.ts';
import type { DialogName } from '../library/actions.ts';
import { dialogs, ShareDialog } from '../library/dialogs.tsx';
import { addFavourites, favouritesWith } from '../library/favourites.ts';
import { rightsOf } from '../library/narrowed.ts';
import { Approval } from './approval.tsx';
import { Download } from './download.tsx';
import { chosenItem, type TabProps, titleOf } from './item.ts';
import { useNeighbours } from './neighbours.ts';

/** The list that the item was opened from. */
function listTitle(): Key {
  const [, place = ''] = lastList.value.split(/[/?]/);
  return (
    ({ collection: 'nav.collections', 'for-me': 'nav.forMe', saved: 'nav.saved' } as const)[place] ?? 'nav.library'
  );
}

/** The way back: the list, and the collection of it. */
function Crumbs() {
  const [, place, name = ''] = lastList.value.split(/[/?]/);
  const isCollection = place === 'collection' && may('collection.read');
  const { value } = useLoad(isCollection ? `crumb ${name}` : '', (signal) =>
    isCollection ? get<CollectionDocument>(`/collection/${name}`, { signal }) : Promise.resolve(undefined),
  );
  return (
    <nav class="crumbs row" aria-label={t('item.crumbs')}>
      {value?.name === undefined ? (
        <Link to={lastList.value}>{t(listTitle())}</Link>
      ) : (
        <>
          <Link class="above" to="/collections">
            {t('nav.collections')}
          </Link>
          <span class="above" aria-hidden="true">
            ›
          </span>
          <Link class="cut" to={lastList.value}>
            {value.name}
          </Link>
        </>
      )}
    </nav>
  );
}

function Beside({ id }: { readonly id: string }) {
  const beside = useNeighbours(id);
  if (!beside) return null;
  const arrow = (step: 1 | -1) => (
    <IconButton
      icon={step === 1 ? 'right' : 'left'}
      label={t(step === 1 ? 'item.next' : 'item.previous')}
      disabled={!beside.goTo(step)}
      onClick={() => beside.goTo(step)?.()}
    />
  );
  return (
    <div class="row beside" role="group" aria-label={t('item.neighbours')}>
      {arrow(-1)}
      <span class="small muted">{t('item.nth', { number: beside.at + 1, count: beside.count })}</span>
      {arrow(1)}
    </div>
  );
}

/** Whether the item is a favourite of the person, and what changes that. */
function useStar(id: string) {
  const { value, reload } = useLoad(`star ${id}`, async (signal) => ({
    collection: may('collection.write') ? await favouritesWith(id, signal) : undefined,
  }));
  const collection = value?.collection;
  const isOn = collection !== undefined;
  const change = () =>
    isOn
      ? send('DELETE', `/collection/${collection}/${id}`, undefined, { query: { type: 'item' } })
      : addFavourites(chosenItem(id));
  return {
    isOn,
    text: t(isOn ? 'item.unstar' : 'library.star'),
    toggle: () => act(change).then(reload),
  };
}

/** Mark of an item that may not be used now, and the way to why. */
function Rights({ item: { usage = {} } }: Pick<TabProps, 'item'>) {
  if (usage.state === undefined || usage.state === 'usable') return null;
  const [tone, words] = rightsOf(usage.state);
  return (
    <Button kind="quiet" title={usage.reason} onClick={() => setQuery({ tab: 'usage' })}>
      <Mark tone={tone}>{words}</Mark>
    </Button>
  );
}

/** Name, state and actions of an item. */
export function Head({ item, reload }: TabProps) {
  const id = item.id ?? '';
  const title = titleOf(item);
  const [dialogName, setDialogName] = useState<DialogName | 'share'>();
  const star = useStar(id);
  const canStar = may('collection.write');
  useKeys(canStar ? { s: () => void star.toggle() } : {}, canStar ? { s: star.text } : {});
  const actions = (
    [
      ['collection', 'item.addTo', 'collections', may('collection.write')],
      ['export', 'library.export', 'share', may('item.export')],
      [
        'transcode',
        'library.transcode',
        'film',
        may('item.transcode') && may('tag.read') && reaches(item, 'WRITE', 'SHAPE'),
      ],
      ['delete', 'item.delete', 'trash', may('item.delete') && reaches(item, 'ALL')],
    ] as const
  ).filter(([, , , isAllowed]) => isAllowed);
  const CurrentDialog = dialogName && dialogName !== 'share' && dialogs[dialogName];
  const close = () => setDialogName(undefined);
  return (
    <header class="item-head">
      <Crumbs />
      <Beside id={id} />
      <h1 title={title}>
        {title}{' '}
        {may('item.edit') && reaches(item, 'WRITE', 'METADATA') && (
          <IconButton
            icon="edit"
            label={t('item.rename')}
            onClick={() => setQuery({ tab: 'metadata', edit: 'true' })}
          />
        )}
      </h1>
      <div class="row wrap acts">
        <Rights item={item} />
        <Approval item={item} />
        {canStar && (
          <IconButton icon="star" label={star.text} aria-pressed={star.isOn} onClick={() => void star.toggle()} />
        )}
        <Download item={item} />
        {may('share.write') && (
          <Button icon="link" class="share" onClick={() => setDialogName('share')}>
            <span>{t('shares.share')}</span>
          </Button>
        )}
      </div>
      {actions.length > 0 && (
        <Menu
          label={t('item.actions')}
          items={[
            ...actions.map(([name, text, icon]) => ({
              ...{ icon, text: t(text), danger: name === 'delete' },
              onChoose: () => setDialogName(name),
            })),
            { icon: 'copy' as const, text: t('item.copyId'), onChoose: () => void copy(id) },
          ]}
        />
      )}
      {dialogName === 'share' && (
        <ShareDialog
          of="item"
          id={id}
          name={title}
          tags={may('item.shapes') ? [...new Set(item.shape?.flatMap(({ tag = [] }) => tag))] : undefined}
          onClose={close}
        />
      )}
      {CurrentDialog && (
        <CurrentDialog
          chosen={chosenItem(id)}
          size={1}
          name={title}
          address=""
          onClose={close}
          onDone={(name) => {
            close();
            if (name === 'delete') navigate(lastList.value);
            else void reload();
          }}
        />
      )}
    </header>
  );
}
