import { dateTime, document, element, string } from '../../core/documents/describe.ts';
import { Recent } from '../../core/lib/cache.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { answer, uris } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { command } from '../../http/command.ts';
import { date, list, page, pageOf, text } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { findEntity, noSuchEntity, refusedNow } from '../../room/entities/find.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { autoAddresses } from '../../storage/public.ts';
import { readableIds } from '../access/public.ts';
import { mustHave } from '../access/public-reading.ts';
import { projectionNamed } from '../metadata/public.ts';
import { type RetainedFiles, shapeChoiceOf, shapesAllowed } from '../shapes/public.ts';
import { parentsPage } from './collections/members/store.ts';
import { itemAt, itemKind, itemName, readItems, writeItems } from './contract/entities.ts';
import { expiryOf, unlockedFor } from './contract/item-locks.ts';
import { findLock, type ItemRow, putLock, removeLockRow } from './contract/store.ts';
import { deleteItems } from './delete.ts';
import { type Item, itemDocument } from './documents.ts';
import { librariesWith } from './libraries-sql.ts';
import { fileUrisOf, fileView, itemView, loadItems, shapesOf } from './load.ts';
import type { ItemsContext } from './settings.ts';

export const lockDocument = document('LockDocument', {
  id: element(string).says('The locked entity.'),
  user: element(string),
  expires: element(dateTime),
});

/** Routes for locks that keep other users from changing an item. */
function itemLockRoutes({ store, clock }: ItemsContext): readonly Route[] {
  const path = '/item/:item/lock';
  const item = itemAt(store);

  const setting = (method: 'POST' | 'PUT', says: string): Route =>
    route({
      method,
      path,
      says,
      entities: { item: item('WRITE') },
      query: {
        duration: text('Duration in ISO 8601. Default: one day'),
        timestamp: date('Start time. Default: now'),
      },
      access: writeItems,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const now = clock.now();
        const { name, user } = subjectOf(call);
        const expiresAt = expiryOf(call.query.duration, call.query.timestamp, now);
        const lock = putLock({ itemId: id, userId: user?.id ?? '', user: name, expiresAt });
        await call.commit(changing(unlockedFor(call, id, now), lock));
      },
    });

  return [
    setting('POST', 'Locks an item: nobody else changes it until then.'),
    setting('PUT', 'Sets until when the item stays locked.'),
    route({
      method: 'GET',
      path,
      says: 'The lock of an item: its user and when it ends.',
      entities: { item: item('READ') },
      answers: lockDocument,
      access: readItems,
      async handle(_call, { item: { id } }) {
        const lock = await findLock(store, { itemId: id, now: clock.now() });
        if (!lock) throw noSuchEntity({ noun: 'Lock' }, id);
        return { id, user: lock.user, expires: lock.expiresAt };
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Unlocks an item. Administrators may remove locks of other users.',
      entities: { item: item('WRITE') },
      access: writeItems,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const own = (await subjectOf(call).has(administrator)) ? [] : [unlockedFor(call, id, clock.now())];
        await call.commit(changing(...own, removeLockRow({ itemId: id })));
      },
    }),
  ];
}

export const readItem = command<Item>()('GET', '/item/:item');

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
      access: writeItems,
      acting: 'allowed',
      async handle(call) {
        const rows = await askEach([...new Set(call.query.id)], async (name) => {
          const row = await findEntity(store, itemKind(store), name);
          if (row) await mustHave(store, call, itemName, row, 'ALL', undefined, name);
          return row;
        });
        const byId = new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
        await remove(call, keptBy(call.query), [...byId.values()]);
      },
    }),
    route({
      ...readItem,
      says: 'One item, with the requested content.',
      entities: { item: item('READ') },
      query: itemView,
      answers: answer(itemDocument, { text: ({ id = '' }) => id }),
      access: readItems,
      async handle(call, { item: { id } }) {
        if (call.type === 'text/plain') return { id };
        // Unknown projections are refused here too, although only metadata routes apply them.
        await projectionNamed(parts, store, call.query.projection, 'outgoing');
        const [document] = await loadItems(parts, call, [id], call.query, { type: call.type });
        return document ?? refusedNow(item('READ'), itemName, id, call);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes an item. Files that nothing else uses are deleted later, unless the caller keeps them.',
      entities: { item: item('ALL') },
      query: keeping,
      access: writeItems,
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
      access: readItems,
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
      access: readItems,
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
      query: fileView,
      answers: uris,
      access: role('_item_uri'),
      async handle(call, { item: { id } }) {
        const { reader } = call;
        const shapes = await shapesAllowed(reader, call, await shapesOf(reader, [id]), 'URI');
        const choice = await shapeChoiceOf(reader, call.query, autoAddresses(parts, call));
        return (await fileUrisOf(reader, call, shapes, choice, call.query.closedFiles)).get(id) ?? [];
      },
    }),
    ...itemLockRoutes(parts),
  ];
}

const keptBy = (query: {
  readonly keepShapeTagMedia: readonly string[] | undefined;
  readonly keepShapeTagStorage: readonly string[] | undefined;
}) => ({ tags: query.keepShapeTagMedia, storages: query.keepShapeTagStorage });
