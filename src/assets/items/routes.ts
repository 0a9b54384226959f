import { uriListDocument } from '../../documents/index.ts';
import { findEntity, noSuchEntity } from '../../entities/find.ts';
import { projectionNamed } from '../../extensions/stylesheets/projections/carry-out.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText } from '../../http/negotiation.ts';
import { list, page, pageOf, text } from '../../http/parameters/index.ts';
import { done, plain } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { Recent } from '../../lib/recent.ts';
import { accountOf } from '../../security/caller.ts';
import { mayRead } from '../access/access.ts';
import { mustHaveSome } from '../access/viewer.ts';
import { parentsPage } from '../collections/parents.ts';
import { itemDocument } from '../documents/item.ts';
import { librariesWith } from '../libraries/store.ts';
import { renderReadable, renderUris } from '../lists/uris.ts';
import type { AssetParts } from '../parts.ts';
import { shapesAllowed } from '../shapes/allowed.ts';
import type { KeptFiles } from '../shapes/create.ts';
import { deleteItems } from './delete.ts';
import { itemKind, itemName, itemNamed, read, write } from './kinds.ts';
import { itemView, loadItems, shapesOf } from './load.ts';
import { itemLockRoutes } from './lock/routes.ts';
import type { ItemRow } from './store.ts';
import { fileUrisOf, fileView, uriViewOf } from './uris.ts';

const keeping = {
  keepShapeTagMedia: list(text('The files of shapes with these tags stay; "*" keeps all')),
  keepShapeTagStorage: list(text('Files on these storages stay; "*" keeps all')),
};

const minute = 60_000;

export function itemRoutes(parts: AssetParts): readonly Route[] {
  const { store, clock, render, settings } = parts;
  const path = '/item/:item';
  const deleted = new Recent<string, true>(1000);

  async function remove(call: Call, keep: KeptFiles, find: () => Promise<readonly ItemRow[]>): Promise<void> {
    let rows: readonly ItemRow[] = [];
    await deleteItems(parts, call, keep, async () => {
      rows = await find();
      return rows;
    });
    for (const { id } of rows) deleted.set(id, true, clock.now() + minute);
  }

  /** Clients rely on different words for deleted and for unknown items. */
  const absent = (name: string) => noSuchEntity(deleted.get(name, clock.now()) ? { noun: 'item' } : itemName, name);

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
      produces: [],
      async handle(call) {
        const names = [...new Set(call.query.id)];
        await remove(call, keptBy(call.query), async () => {
          const found = new Map<string, ItemRow>();
          for (const name of names) {
            const row = await findEntity(store, itemKind(store), name);
            if (row) found.set(row.id, row);
          }
          return [...found.values()];
        });
        return done;
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'One item, with the requested content.',
      query: itemView,
      answers: [itemDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await findEntity(store, itemKind(store), params.item);
        if (!row) throw absent(params.item);
        await mayRead(store, call, itemName, row);
        if (type === 'text/plain') return plain(row.id);
        // Unknown projections are refused here too, although only metadata routes apply them.
        await projectionNamed(store, call.query.projection, 'outgoing');
        const [item] = await loadItems(parts, call, [row.id], call.query);
        return render(type, itemDocument, item!);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes an item. Files that nothing else uses are deleted later, unless the caller keeps them.',
      query: keeping,
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        await remove(call, keptBy(call.query), async () => [await itemNamed(store, params.item)]);
        return done;
      },
    }),
    route({
      method: 'GET',
      path: `${path}/collections`,
      says: 'The collections that contain the item.',
      query: page(settings.maxPage),
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await itemNamed(store, params.item);
        await mayRead(store, call, itemName, row);
        const reader = store.reader(accountOf(call));
        const ids = await parentsPage(reader, { type: 'item', id: row.id }, pageOf(call.query));
        return renderReadable(parts, call, type, 'collection', ids);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/library`,
      says: 'The libraries that contain the item.',
      query: page(settings.maxPage),
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await itemNamed(store, params.item);
        await mayRead(store, call, itemName, row);
        const reader = store.reader(accountOf(call));
        const ids = (await librariesWith(reader, { itemId: row.id, ...pageOf(call.query) })).map(({ id }) => id);
        return renderReadable(parts, call, type, 'library', ids);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/uri`,
      says: 'The addresses of the files of an item.',
      query: { ...fileView, type: list(text('The same as uriType')) },
      answers: [uriListDocument, 'text'],
      access: role('_item_uri'),
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await itemNamed(store, params.item);
        await mustHaveSome(store, call, itemName, row, 'READ', 'URI');
        const reader = store.reader(accountOf(call));
        const { uriType = call.query.type } = call.query;
        const view = uriViewOf({ ...call.query, uriType });
        const shapes = await shapesAllowed(reader, call, await shapesOf(reader, [row.id]), 'URI');
        const uri = (await fileUrisOf(reader, shapes, view)).get(row.id) ?? [];
        return renderUris(parts, type, uri);
      },
    }),
    ...itemLockRoutes(parts),
  ];
}

const keptBy = (query: {
  readonly keepShapeTagMedia: readonly string[] | undefined;
  readonly keepShapeTagStorage: readonly string[] | undefined;
}) => ({ tags: query.keepShapeTagMedia, storages: query.keepShapeTagStorage });
