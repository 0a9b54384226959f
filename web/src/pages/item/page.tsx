import type { ItemType } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { onEvent } from '../../api/events.ts';
import { useKeys } from '../../keys.ts';
import { Copy } from '../../kit/copy.tsx';
import { RefusalNote } from '../../kit/empty.tsx';
import { useLoad } from '../../kit/load.ts';
import { Menu } from '../../kit/menu.tsx';
import { Skeleton } from '../../kit/skeleton.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { may } from '../../rights.ts';
import { Link, lastList, navigate, type PageProps, setQuery } from '../../router.tsx';
import { type Key, t } from '../../texts/index.ts';
import type { DialogName } from '../library/dialog.ts';
import { dialogs } from '../library/dialogs.tsx';
import { Compare } from './compare.tsx';
import { chosenItem, reaches, titleOf } from './item.ts';
import { Stage } from './stage.tsx';
import { tabs } from './tabs.tsx';
import './page.css';

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

/** Milliseconds in which several events are one. */
const together = 500;

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
  const [dialogName, setDialogName] = useState<DialogName>();
  const compared = query['compare'];
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const end = onEvent(['item/*', 'metadata/*', 'shape/*', 'thumbnail/*'], ({ entityId, data = [] }) => {
      if (entityId !== id && !data.some((each) => each.value === id)) return;
      clearTimeout(due);
      due = setTimeout(reload, together);
    });
    return () => {
      end();
      clearTimeout(due);
    };
  }, [id]);
  const title = item ? titleOf(item) : id;
  const at = Number(query['t'] ?? 0) || 0;
  useEffect(() => {
    document.title = `${title} – Portico`;
  }, [title]);
  useKeys(
    {
      e: () => setQuery({ tab: undefined, edit: 'true' }),
    },
    { e: t('item.keyEdit') },
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
  const CurrentDialog = dialogName && dialogs[dialogName];
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
      {CurrentDialog && (
        <CurrentDialog
          chosen={chosenItem(id)}
          size={1}
          address=""
          onClose={() => setDialogName(undefined)}
          onDone={(name) => {
            setDialogName(undefined);
            if (name === 'delete') navigate(lastList.value);
            else reload();
          }}
        />
      )}
    </div>
  );
}
