import type { ItemType } from 'portico/types';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { useCommentKeys } from '../../comments/composer.tsx';
import { Button } from '../../components/button.tsx';
import { Pending } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { useLoad } from '../../components/load.ts';
import { Menu } from '../../components/menu.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { endNotice } from '../../components/toast.ts';
import { useKeys } from '../../keys.ts';
import { opened } from '../../recent.ts';
import { may, reaches } from '../../rights.ts';
import { late, type PageProps, setQuery } from '../../router.tsx';
import { type Key, t } from '../../texts/index.ts';
import { CommentsTab, useComments } from './comments.tsx';
import { Compare } from './compare.tsx';
import { Head } from './head.tsx';
import { type TabProps, titleOf } from './item.ts';
import { useNewsOf } from './news.ts';
import { useSpanEditing } from './span-editing.tsx';
import { Stage, useMedia } from './stage.tsx';
import { MetadataTab } from './tabs/metadata.tsx';
import { ShapesTab } from './tabs/shapes.tsx';
import './page.css';

type MoreTab = Extract<keyof typeof import('./more-tabs.tsx'), `${string}Tab`>;

/** Tabs that few people open. */
const more = (name: MoreTab) => late<TabProps>(async () => (await import('./more-tabs.tsx'))[name]);
const UsageTab = late<TabProps>(async () => (await import('../when-asked.ts')).UsageTab);

interface TabRow {
  readonly id: string;
  readonly text: Key;
  readonly isShown: () => boolean;
  readonly Tab: ComponentType<TabProps>;
}

/** Tabs of an item beside its comments, for who may read what they show. Those behind the first two are in a menu. */
const tabs: readonly TabRow[] = [
  { id: 'metadata', text: 'library.panel', isShown: () => may('item.metadata'), Tab: MetadataTab },
  { id: 'files', text: 'item.filesTab', isShown: () => may('item.shapes'), Tab: ShapesTab },
  { id: 'collections', text: 'nav.collections', isShown: () => may('collection.read'), Tab: more('CollectionsTab') },
  { id: 'history', text: 'item.history', isShown: () => may('item.metadata'), Tab: more('HistoryTab') },
  { id: 'usage', text: 'usage.title', isShown: () => true, Tab: UsageTab },
  { id: 'access', text: 'access.title', isShown: () => may('item.access'), Tab: more('AccessTab') },
  { id: 'jobs', text: 'nav.jobs', isShown: () => may('item.edit') && may('job.read'), Tab: more('JobsTab') },
  { id: 'raw', text: 'item.raw', isShown: () => may('item.edit'), Tab: more('RawTab') },
];
const firstTabs = ['comments', 'metadata', 'files'];

const contents = [
  ['metadata', 'item.metadata'],
  ['shape', 'item.shapes'],
  ['thumbnail', 'item.pictures'],
  ['poster', 'item.pictures'],
] as const;

/** Parts of an item that the person may read, for the query. */
const content = (): string =>
  [...contents.flatMap(([name, action]) => (may(action) ? [name] : [])), 'access', 'usage'].join();

export default function Page({ params, query }: PageProps) {
  const id = params['id']!;
  const {
    value: item,
    refusal,
    reload,
  } = useLoad(id, (signal) =>
    get<ItemType>(`/item/${encodeURIComponent(id)}`, {
      query: { content: content(), 'noauth-url': true, includeTransientMetadata: false, displayName: true },
      signal,
    }),
  );
  // A notice is about the item before.
  useEffect(endNotice, [id]);
  useNewsOf(id, ['item/*', 'metadata/*', 'shape/*', 'thumbnail/*', 'usage/*'], reload);
  useEffect(() => {
    if (!item) return;
    const title = titleOf(item);
    document.title = `${title} – Portico`;
    opened(me.value?.userName, { id, title });
  }, [item]);
  // The item of the page before stays until this one is there.
  if (item?.id !== id) return <Pending of={{ refusal, reload }} hasPicture rows={8} />;
  return <ItemView key={id} {...{ item, query, reload }} />;
}

interface ItemViewProps extends TabProps, Pick<PageProps, 'query'> {}

function ItemView({ item, query, reload }: ItemViewProps) {
  const id = item.id ?? '';
  const compared = query['compare'];
  const at = Number(query['t'] ?? 0) || 0;
  const media = useMedia(item, at);
  const { desk, dialog } = useComments(
    item,
    media.engine,
    media.chosen !== undefined && media.chosen.medium !== 'sound',
  );
  const editing = useSpanEditing(item, media.engine, may('item.edit') && reaches(item, 'WRITE', 'METADATA'), reload);
  const shown = tabs.filter((tab) => tab.isShown());
  // Comments come first where something is played or seen.
  const order = [
    ...(desk && media.chosen ? ['comments'] : []),
    ...shown.slice(0, 1).map((tab) => tab.id),
    ...(desk && !media.chosen ? ['comments'] : []),
    ...shown.slice(1).map((tab) => tab.id),
  ];
  const chosen = order.find((name) => name === query['tab']) ?? order[0];
  const choose = (name: string) => setQuery({ tab: name === order[0] ? undefined : name });
  const textOf = (name: string): string => t(shown.find((tab) => tab.id === name)?.text ?? 'comments.title');
  const row = order.filter((name) => firstTabs.includes(name) || name === chosen);
  const rest = order.filter((name) => !row.includes(name));
  const chosenTab = shown.find((tab) => tab.id === chosen);
  const wasDescribed = useRef(false);
  wasDescribed.current ||= chosen === 'metadata';
  useCommentKeys(desk, () => choose('comments'));
  const canEdit = may('item.edit') && reaches(item, 'WRITE', 'METADATA');
  const edit = () => setQuery({ tab: order[0] === 'metadata' ? undefined : 'metadata', edit: 'true' });
  useKeys(canEdit ? { e: edit } : {}, canEdit ? { e: t('item.keyEdit') } : {});
  return (
    <div class="item">
      <Head item={item} reload={reload} />
      <div class={compared === undefined ? 'item-body' : 'item-body compares'}>
        {compared === undefined ? (
          <Stage {...{ item, media, desk, editing, reload }} />
        ) : (
          <Compare item={item} at={at} shapeIds={compared.split(',')} />
        )}
        <section class="item-side" aria-label={t('item.about')}>
          {chosen !== undefined && (
            <Tabs
              label={t('item.about')}
              tabs={row.map((name) => ({
                id: name,
                text: textOf(name),
                count: name === 'comments' ? desk?.openCount.value : undefined,
              }))}
              chosen={chosen}
              onChoose={choose}
              after={
                rest.length > 0 && (
                  <Menu
                    label={t('word.more')}
                    kind="quiet"
                    items={rest.map((name) => ({ text: textOf(name), onChoose: () => choose(name) }))}
                  >
                    {t('word.more')}
                    <Icon name="down" />
                  </Menu>
                )
              }
            >
              {wasDescribed.current && (
                // Typed text stays in a tab that is left.
                <div class="side-scroll" key="metadata" hidden={chosen !== 'metadata'}>
                  <MetadataTab item={item} reload={reload} />
                  {editing.make && (
                    <p>
                      <Button icon="plus" kind="quiet" onClick={editing.make}>
                        {t('item.spanAdd')}
                      </Button>
                    </p>
                  )}
                </div>
              )}
              {chosenTab && chosen !== 'metadata' && (
                <div class="side-scroll" key={chosen}>
                  <chosenTab.Tab item={item} reload={reload} />
                </div>
              )}
              {!chosenTab && desk && <CommentsTab desk={desk} id={id} />}
            </Tabs>
          )}
        </section>
      </div>
      {dialog}
      {editing.dialog}
    </div>
  );
}
