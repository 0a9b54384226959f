import type { ItemType } from 'portico/types';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Copy } from '../../components/copy.tsx';
import { Skeleton } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { Menu } from '../../components/menu.tsx';
import { act, RefusalNote } from '../../components/refusal.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useKeys } from '../../keys.ts';
import { opened } from '../../recent.ts';
import { may } from '../../rights.ts';
import { Link, lastList, navigate, type PageProps, setQuery } from '../../router.tsx';
import { type Key, t } from '../../texts/index.ts';
import { AccessView } from '../access/view.tsx';
import type { DialogName } from '../library/actions.ts';
import { dialogs, ShareDialog } from '../library/dialogs.tsx';
import { addFavourites, favouritesWith } from '../library/favourites.ts';
import { Compare } from './compare.tsx';
import { Download } from './download.tsx';
import { chosenItem, reaches, type TabProps, titleOf } from './item.ts';
import { useNewsOf } from './news.ts';
import { Stage } from './stage.tsx';
import { CollectionsTab } from './tabs/collections.tsx';
import { HistoryTab } from './tabs/history.tsx';
import { JobsTab } from './tabs/jobs.tsx';
import { MetadataTab } from './tabs/metadata.tsx';
import { RawTab } from './tabs/raw.tsx';
import { ShapesTab } from './tabs/shapes.tsx';
import './page.css';

const AccessTab = ({ item, reload }: TabProps) => (
  <AccessView at={`/item/${item.id}`} mayGive={reaches(item, 'ALL')} onDone={reload} />
);

interface TabRow {
  readonly id: string;
  readonly text: Key;
  readonly isShown: () => boolean;
  readonly Tab: ComponentType<TabProps>;
}

/** Tabs of an item, for who may read what they show. */
const tabs: readonly TabRow[] = [
  { id: 'metadata', text: 'item.metadata', isShown: () => may('item.metadata'), Tab: MetadataTab },
  { id: 'forms', text: 'item.forms', isShown: () => may('item.shapes'), Tab: ShapesTab },
  { id: 'collections', text: 'item.collections', isShown: () => may('collection.read'), Tab: CollectionsTab },
  { id: 'history', text: 'item.history', isShown: () => may('item.metadata'), Tab: HistoryTab },
  { id: 'access', text: 'access.title', isShown: () => may('item.access'), Tab: AccessTab },
  { id: 'jobs', text: 'item.jobs', isShown: () => may('job.read'), Tab: JobsTab },
  { id: 'raw', text: 'item.raw', isShown: () => may('item.read'), Tab: RawTab },
];

const contents = [
  ['metadata', 'item.metadata'],
  ['shape', 'item.shapes'],
  ['thumbnail', 'item.pictures'],
  ['poster', 'item.pictures'],
] as const;

/** What of an item the person may read. */
const content = (): string => [...contents.flatMap(([name, action]) => (may(action) ? [name] : [])), 'access'].join();

/** The list that the item was opened from. */
function listTitle(): Key {
  const [, place = ''] = lastList.value.split(/[/?]/);
  return ({ collection: 'nav.collections', saved: 'saved.title' } as const)[place] ?? 'nav.library';
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
    toggle: async () => {
      if (may('collection.write')) await act(change).then(reload);
    },
  };
}

export default function Page({ params, query }: PageProps) {
  const id = params['id']!;
  const {
    value: item,
    refusal,
    reload,
  } = useLoad(id, (signal) =>
    get<ItemType>(`/item/${encodeURIComponent(id)}`, {
      query: { content: content(), 'noauth-url': true, includeTransientMetadata: false },
      signal,
    }),
  );
  const [dialogName, setDialogName] = useState<DialogName | 'share'>();
  const compared = query['compare'];
  useNewsOf(id, ['item/*', 'metadata/*', 'shape/*', 'thumbnail/*'], reload);
  const title = item ? titleOf(item) : id;
  const at = Number(query['t'] ?? 0) || 0;
  useEffect(() => {
    document.title = `${title} – Portico`;
  }, [title]);
  const star = useStar(id);
  useEffect(() => {
    if (item) opened(me.value?.userName, { id, title: titleOf(item) });
  }, [item]);
  useKeys(
    { e: () => setQuery({ tab: undefined, edit: 'true' }), f: () => void star.toggle() },
    { e: t('item.keyEdit'), f: star.text },
  );
  if (refusal && !item) return <RefusalNote error={refusal} onAgain={reload} />;
  if (!item) return <Skeleton rows={8} />;
  const shown = tabs.filter((tab) => tab.isShown());
  const chosen = shown.find((tab) => tab.id === query['tab']) ?? shown[0];
  const actions = (
    [
      ['collection', 'item.addTo', 'collections', may('collection.write')],
      ['export', 'item.export', 'share', may('item.export')],
      [
        'transcode',
        'item.transcode',
        'film',
        may('item.transcode') && may('tag.read') && reaches(item, 'WRITE', 'SHAPE'),
      ],
      ['delete', 'item.delete', 'trash', may('item.delete') && reaches(item, 'ALL')],
    ] as const
  ).filter(([, , , isAllowed]) => isAllowed);
  const CurrentDialog = dialogName && dialogName !== 'share' && dialogs[dialogName];
  const close = () => setDialogName(undefined);
  return (
    <div class="item">
      <header class="item-head">
        <p class="page-back">
          <Link to={lastList.value}>{t(listTitle())}</Link>
        </p>
        <div class="row">
          <h1 class="cut" title={title}>
            {title}
          </h1>
          <code class="muted">{id}</code>
          <Copy text={id} />
          <span class="grow" />
          {may('collection.write') && (
            <IconButton icon="star" label={star.text} aria-pressed={star.isOn} onClick={() => void star.toggle()} />
          )}
          <Download item={item} />
          {may('share.write') && (
            <Button icon="link" onClick={() => setDialogName('share')}>
              {t('shares.share')}
            </Button>
          )}
          {actions.length > 0 && (
            <Menu
              label={t('item.actions')}
              items={actions.map(([name, text, icon]) => ({
                ...{ icon, text: t(text), danger: name === 'delete' },
                onChoose: () => setDialogName(name),
              }))}
            />
          )}
        </div>
      </header>
      <div class={compared === undefined ? 'item-body' : 'item-body compares'}>
        {compared === undefined ? (
          <Stage key={id} item={item} at={at} reload={reload} />
        ) : (
          <Compare key={id} item={item} at={at} shapeIds={compared.split(',')} />
        )}
        <section class="item-tabs" aria-label={t('item.about')}>
          {chosen && (
            <Tabs
              label={t('item.about')}
              tabs={shown.map((tab) => ({ id: tab.id, text: t(tab.text) }))}
              chosen={chosen.id}
              onChoose={(tab) => setQuery({ tab: tab === shown[0]?.id ? undefined : tab })}
            >
              <chosen.Tab key={`${id} ${chosen.id}`} item={item} reload={reload} />
            </Tabs>
          )}
        </section>
      </div>
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
          address=""
          onClose={close}
          onDone={(name) => {
            close();
            if (name === 'delete') navigate(lastList.value);
            else reload();
          }}
        />
      )}
    </div>
  );
}
