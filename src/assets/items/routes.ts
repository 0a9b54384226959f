import { Recent } from '../../core/lib/recent.ts';
import { answer, uris } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { list, page, pageOf, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { findEntity, noSuchEntity } from '../../room/entities/find.ts';
import { readableIds } from '../access/public.ts';
import { mustHave } from '../access/public-reading.ts';
import { projectionNamed } from '../metadata/public.ts';
import { type RetainedFiles, shapesAllowed } from '../shapes/public.ts';
import { parentsPage } from './collections/parents.ts';
import { itemAt, itemKind, itemName, read, write } from './contract/item/entity.ts';
import type { ItemRow } from './contract/item/store.ts';
import { deleteItems } from './delete.ts';
import { itemDocument } from './documents/item.ts';
import { librariesWith } from './libraries/store.ts';
import { itemView, loadItems, shapesOf } from './load.ts';
import { itemLockRoutes } from './lock/routes.ts';
import type { ItemsContext } from './settings.ts';
import { fileUrisOf, fileView, uriViewOf } from './uris.ts';

const keeping = {
  keepShapeTagMedia: list(text('The files of shapes with these tags stay; "*" keeps all')),
  keepShapeTagStorage: list(text('Files on these storages stay; "*" keeps all')),
};

const minute = 60_000;

export function itemRoutes(parts: ItemsContext): readonly Route[] {
  const { store, clock, settings } = parts;
  const path = '/item/:item';
  const deleted = new Recent<string, true>(1000);
  /** Clients rely on different words for deleted and for unknown items. */
  const absent = (name: string) => noSuchEntity(deleted.get(name, clock.now()) ? { noun: 'item' } : itemName, name);
  const item = itemAt(store, absent);

  async function remove(call: Call, keep: RetainedFiles, rows: readonly ItemRow[]): Promise<void> {
    await deleteItems(parts, call, keep, rows);
    for (const { id } of rows) deleted.set(id, true, clock.now() + minute);
  }

  return [
    route({
      method: 'DELETE',
      path: '/item',
      says: 'Deletes items: all of them, or none. Unknown ids are ignored.',
      query: {
        id: list(text('The items, by id or external id', { required: true, expected: 'Expected ids' })),
        ...keeping,
      },
      access: write,
      acting: 'allowed',
      async handle(call) {
        const rows = new Map<string, ItemRow>();
        for (const name of new Set(call.query.id)) {
          const row = await findEntity(store, itemKind(store), name);
          if (!row) continue;
          await mustHave(store, call, itemName, row, 'ALL', undefined, name);
          rows.set(row.id, row);
        }
        await remove(call, keptBy(call.query), [...rows.values()]);
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'One item, with the requested content.',
      entities: { item: item('READ') },
      query: itemView,
      answers: answer(itemDocument, { text: ({ id = '' }) => id }),
      access: read,
      async handle(call, { item: { id } }) {
        if (call.type === 'text/plain') return { id };
        // Unknown projections are refused here too, although only metadata routes apply them.
        await projectionNamed(parts, store, call.query.projection, 'outgoing');
        const [item] = await loadItems(parts, call, [id], call.query);
        return item!;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes an item. Files that nothing else uses are deleted later, unless the caller keeps them.',
      entities: { item: item('ALL') },
      query: keeping,
      access: write,
      acting: 'allowed',
      handle: (call, { item }) => remove(call, keptBy(call.query), [item]),
    }),
    route({
      method: 'GET',
      path: `${path}/collections`,
      says: 'The collections that contain the item.',
      entities: { item: item('READ') },
      query: page(settings.maxPage),
      answers: uris,
      access: read,
      async handle(call, { item: { id } }) {
        const { reader } = call;
        const ids = await parentsPage(reader, { type: 'item', id }, pageOf(call.query));
        return readableIds(reader, call, 'collection', ids);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/library`,
      says: 'The libraries that contain the item.',
      entities: { item: item('READ') },
      query: page(settings.maxPage),
      answers: uris,
      access: read,
      async handle(call, { item: { id } }) {
        const { reader } = call;
        const ids = (await librariesWith(reader, { itemId: id, ...pageOf(call.query) })).map(({ id }) => id);
        return readableIds(reader, call, 'library', ids);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/uri`,
      says: 'The addresses of the files of an item.',
      entities: { item: item('READ', 'URI') },
      query: { ...fileView, type: list(text('The same as uriType')) },
      answers: uris,
      access: role('_item_uri'),
      async handle(call, { item: { id } }) {
        const { reader } = call;
        const { uriType = call.query.type } = call.query;
        const shapes = await shapesAllowed(reader, call, await shapesOf(reader, [id]), 'URI');
        return (await fileUrisOf(reader, shapes, uriViewOf({ ...call.query, uriType }))).get(id) ?? [];
      },
    }),
    ...itemLockRoutes(parts),
  ];
}

const keptBy = (query: {
  readonly keepShapeTagMedia: readonly string[] | undefined;
  readonly keepShapeTagStorage: readonly string[] | undefined;
}) => ({ tags: query.keepShapeTagMedia, storages: query.keepShapeTagStorage });
