import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Level } from '../../../src/assets/access/levels.ts';
import { contextWhere } from '../../../src/assets/access/store.ts';
import { levelsOn, viewerFor } from '../../../src/assets/access/viewer.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { memoryStore, nobody } from '../../support/store.ts';

/** Changes behind which kept access would be wrong: each is asked before and after, alone and in a list. */

let store: Store;

const run = (...changes: readonly string[]) =>
  store.commit({ changes: changes.map((sql) => ({ sql, args: [] })), events: [] }, nobody);

const user = (id: string) =>
  `INSERT INTO user (id, name, password_version, enabled, version, created_at) VALUES ('${id}', '${id}', 1, 1, 1, 0)`;
const group = (id: string) =>
  `INSERT INTO "group" (id, name, role, version, created_at) VALUES ('${id}', '${id}', 0, 1, 0)`;
const entity = (type: string, id: string, serial: number) =>
  `INSERT INTO ${type} (id, serial, created_at) VALUES ('${id}', ${serial}, 0)`;
const library = (id: string) =>
  `INSERT INTO library (id, serial, created_at, update_mode, auto_refresh, used_at) VALUES ('${id}', 90, 0, 'MERGE', 0, 0)`;
const member = (parent: string, type: string, id: string) =>
  `INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
    VALUES ('${parent}', '${type}', '${id}', 0, '${parent} ${id}')`;

let entries = 0;
const entry = (type: string, id: string, to: string, permission: string, grantor?: string) =>
  `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, ${to[0] === 'g' ? 'group_id' : 'user_id'},
    permission, priority, applies_to, reach, grantor_id, rooted)
    VALUES ('${type}', '${id}', 'A-${++entries}', 0, '${to}', '${permission}', 0, '[]', 127,
      ${grantor ? `'${grantor}', 0` : 'NULL, 1'})`;

beforeAll(async () => {
  store = await memoryStore();
  await run(
    ...['u1', 'u2'].map(user),
    ...['g1', 'g2'].map(group),
    ...['I-1', 'I-2', 'I-3', 'I-4'].map((id, at) => entity('item', id, at + 1)),
    ...['C-1', 'C-2', 'C-3'].map((id, at) => entity('collection', id, at + 10)),
    library('L-1'),
    member('C-2', 'item', 'I-1'),
    member('C-2', 'item', 'I-4'),
    entry('collection', 'C-1', 'g1', 'READ'),
    entry('item', 'I-2', 'u2', 'OWNER'),
    entry('item', 'I-2', 'u1', 'READ', 'u2'),
  );
});
afterAll(() => store.close());

/** In this order. */
const changes: readonly (readonly [what: string, on: string, level: Level, ...sql: readonly string[]])[] = [
  ['an entry for a group that the user is not in', 'I-1', 'NONE'],
  ['the collection of the item moves into one with an entry', 'I-1', 'NONE', member('C-1', 'collection', 'C-2')],
  ['the user joins the group', 'I-1', 'READ', "INSERT INTO group_user (group_id, user_id) VALUES ('g1', 'u1')"],
  ['the user leaves it', 'I-1', 'NONE', "DELETE FROM group_user WHERE user_id = 'u1'"],
  ['the user is in a group', 'I-1', 'NONE', "INSERT INTO group_user (group_id, user_id) VALUES ('g2', 'u1')"],
  ['that group joins the other', 'I-1', 'READ', "INSERT INTO group_group (parent_id, child_id) VALUES ('g1', 'g2')"],
  ['the entry changes', 'I-1', 'WRITE', "UPDATE access_entry SET permission = 'WRITE' WHERE entity_id = 'C-1'"],
  ['the member passes no rights', 'I-1', 'NONE', "UPDATE collection_member SET passes = 0 WHERE member_id = 'C-2'"],
  ['it passes them again', 'I-1', 'WRITE', "UPDATE collection_member SET passes = 1 WHERE member_id = 'C-2'"],
  ['the collection moves out', 'I-1', 'NONE', "DELETE FROM collection_member WHERE member_id = 'C-2'"],
  ['the collection moves in again', 'I-1', 'WRITE', member('C-1', 'collection', 'C-2')],
  ['the collection itself gets an entry', 'I-1', 'READ', entry('collection', 'C-2', 'g1', 'READ')],
  ['the entry is deleted', 'I-1', 'WRITE', "DELETE FROM access_entry WHERE entity_id = 'C-2'"],
  ['a grant of the owner', 'I-2', 'READ'],
  ['the owner is switched off', 'I-2', 'NONE', "UPDATE user SET enabled = 0 WHERE id = 'u2'"],
  ['the owner is switched on', 'I-2', 'READ', "UPDATE user SET enabled = 1 WHERE id = 'u2'"],
  ['the owner changes', 'I-2', 'NONE', "UPDATE access_entry SET user_id = 'u3' WHERE permission = 'OWNER'"],
  ['an empty library with an entry', 'I-3', 'NONE', entry('library', 'L-1', 'g2', 'READ')],
  [
    'the item joins it',
    'I-3',
    'READ',
    "INSERT INTO library_item (library_id, item_serial, item_id) VALUES ('L-1', 3, 'I-3')",
  ],
  ['the item leaves it', 'I-3', 'NONE', "DELETE FROM library_item WHERE item_id = 'I-3'"],
  ['an empty collection with an entry', 'I-3', 'NONE', entry('collection', 'C-3', 'g2', 'ALL')],
  ['the item joins it', 'I-3', 'ALL', member('C-3', 'item', 'I-3')],
  ['another item joins it', 'I-4', 'ALL', member('C-3', 'item', 'I-4')],
  [
    'the group is renamed and deleted',
    'I-4',
    'NONE',
    'DELETE FROM group_group',
    'DELETE FROM group_user',
    `DELETE FROM "group" WHERE id = 'g2'`,
  ],
];

const asking = { administrator: false, userId: 'u1' };
const asked = ['I-1', 'I-2', 'I-3', 'I-4'].map((id) => ({ type: 'item', id }));

async function levelsOfAll(): Promise<ReadonlyMap<string, Level>> {
  const { levelOf } = await levelsOn(store, asking, asked);
  return new Map(asked.map((place) => [place.id, levelOf(place)]));
}

async function listed(): Promise<readonly string[]> {
  const { text, values } = contextWhere(await viewerFor(store, asking), 'item', 'item');
  const rows = await store.read(`SELECT id FROM item WHERE ${text} ORDER BY id`, values);
  return rows.map(([id]) => String(id));
}

it.each(changes)('access follows at once: %s', async (_, on, level, ...sql) => {
  await levelsOfAll();
  await listed();
  if (sql.length > 0) await run(...sql);
  const levels = await levelsOfAll();
  expect(levels.get(on)).toBe(level);
  expect((await levelsOn(store, asking, [{ type: 'item', id: on }])).levelOf({ type: 'item', id: on })).toBe(level);
  expect(await listed()).toEqual([...levels].flatMap(([id, each]) => (each === 'NONE' ? [] : [id])));
});
