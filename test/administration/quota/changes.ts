import { newGroup, newUser } from '../../support/cast.ts';
import type { World } from '../../support/matrix.ts';
import type { Dice } from '../../support/random.ts';
import { prepare } from '../../support/scenario.ts';
import { storageRows } from '../../support/world.ts';
import type { PlainRule } from './counted.ts';

/** Building blocks of random changes to everything that quota rules count. */

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);
const items = ids('VX-', 6);
const files = ids('VX-9', 6);
const shapes = ids('VX-5', 8);
const collections = ids('VX-', 4);
const libraries = ids('VX-', 2);
const storages = ids('VX-', 3);
const storageGroups = ['fast', 'slow'];
const tags = ['original', 'lowres'];
export const users = ['anna', 'bob', 'cleo'];
export const groups = ['crew', 'desk', 'house'];
const states = ['CLOSED', 'OPEN', 'LOST', 'MISSING', 'TO_APPEAR', 'TO_BE_DELETED'];

export interface Cast {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

export type Change = (roll: Dice, cast: Cast) => readonly [sql: string, ...args: (string | number)[]];

export const one = <T>(roll: Dice, list: readonly T[]): T => list[roll(list.length)]!;
const serial = (id: string): number => Number(id.slice(3));

const itemOfShape = (shape: string): string => items[serial(shape) % items.length]!;

/** Whatever changes rows that count, with the chance that it does nothing. */
export const randomChanges: readonly Change[] = [
  (roll) => {
    const id = one(roll, items);
    return ['INSERT OR IGNORE INTO item (id, serial, created_at) VALUES (?, ?, 0)', id, serial(id)];
  },
  (roll) => ['DELETE FROM item WHERE id = ?', one(roll, items)],
  (roll, cast) => {
    const item = one(roll, items);
    return [
      `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
        VALUES ('item', ?1, 'VX-1', ?2, ?3, 'OWNER', 0, 'ALL')
        ON CONFLICT DO UPDATE SET user_id = excluded.user_id, permission = excluded.permission`,
      item,
      serial(item),
      one(roll, cast.users),
    ];
  },
  (roll) => [
    `UPDATE access_entry SET permission = 'READ' WHERE entity_type = 'item' AND entity_id = ?`,
    one(roll, items),
  ],
  (roll) => [`DELETE FROM access_entry WHERE entity_type = 'item' AND entity_id = ?`, one(roll, items)],
  (roll) => [
    `INSERT OR IGNORE INTO collection_member (collection_id, member_type, member_id, position, reference)
      VALUES (?, 'item', ?, 0, '')`,
    one(roll, collections),
    one(roll, items),
  ],
  (roll) => [
    `DELETE FROM collection_member WHERE collection_id = ? AND member_type = 'item' AND member_id = ?`,
    one(roll, collections),
    one(roll, items),
  ],
  (roll) => [
    `INSERT OR IGNORE INTO collection_member (collection_id, member_type, member_id, position, reference)
      VALUES (?, 'collection', ?, 0, '')`,
    one(roll, collections),
    one(roll, collections),
  ],
  (roll) => [
    `DELETE FROM collection_member WHERE member_type = 'collection' AND member_id = ?`,
    one(roll, collections),
  ],
  (roll) => [
    'INSERT OR IGNORE INTO library_item (library_id, item_serial, item_id) VALUES (?1, 1, ?2)',
    one(roll, libraries),
    one(roll, items),
  ],
  (roll) => ['DELETE FROM library_item WHERE item_id = ?', one(roll, items)],
  (roll) => {
    const shape = one(roll, shapes);
    // Essence version of this shape alone, because one shape of a version is the original.
    return [
      `INSERT OR IGNORE INTO shape_tagged (shape_id, tag, item_id, essence_version, position) VALUES (?, ?, ?, ?, 0)`,
      shape,
      one(roll, tags),
      itemOfShape(shape),
      serial(shape),
    ];
  },
  (roll) => ['DELETE FROM shape_tagged WHERE shape_id = ? AND tag = ?', one(roll, shapes), one(roll, tags)],
  (roll) => {
    const shape = one(roll, shapes);
    return [
      'INSERT OR IGNORE INTO file_use (file_id, item_id, shape_id, component_id) VALUES (?, ?, ?, ?)',
      one(roll, files),
      itemOfShape(shape),
      shape,
      `VX-${roll(12)}`,
    ];
  },
  (roll) => ['DELETE FROM file_use WHERE component_id = ?', `VX-${roll(12)}`],
  (roll) => {
    const shape = one(roll, shapes);
    return [
      'UPDATE file_use SET item_id = ?, shape_id = ? WHERE component_id = ?',
      itemOfShape(shape),
      shape,
      `VX-${roll(12)}`,
    ];
  },
  (roll) => {
    const id = one(roll, files);
    return [
      `INSERT OR IGNORE INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at, timestamp, version)
        VALUES (?1, ?2, ?3, ?1, '', ?1, '', ?4, ?5, 0, 0, 1)`,
      id,
      serial(id),
      one(roll, storages),
      one(roll, states),
      roll(100),
    ];
  },
  (roll) => ['UPDATE file SET state = ? WHERE id = ?', one(roll, states), one(roll, files)],
  (roll) => ['UPDATE file SET size = ? WHERE id = ?', roll(1000), one(roll, files)],
  (roll) => ['UPDATE OR IGNORE file SET storage_id = ? WHERE id = ?', one(roll, storages), one(roll, files)],
  (roll) => ['DELETE FROM file WHERE id = ?', one(roll, files)],
  (roll) => [
    'INSERT OR IGNORE INTO storage_group_member (group_name, storage_id) VALUES (?, ?)',
    one(roll, storageGroups),
    one(roll, storages),
  ],
  (roll) => ['DELETE FROM storage_group_member WHERE storage_id = ?', one(roll, storages)],
  (roll, cast) => [
    'INSERT OR IGNORE INTO group_user (group_id, user_id) VALUES (?, ?)',
    one(roll, cast.groups),
    one(roll, cast.users),
  ],
  (roll, cast) => ['DELETE FROM group_user WHERE user_id = ?', one(roll, cast.users)],
  (roll, cast) => [
    'INSERT OR IGNORE INTO group_group (parent_id, child_id) VALUES (?, ?)',
    one(roll, cast.groups),
    one(roll, cast.groups),
  ],
  (roll, cast) => ['DELETE FROM group_group WHERE child_id = ?', one(roll, cast.groups)],
];

const values: Readonly<Record<keyof PlainRule, readonly string[]>> = {
  user: users,
  group: groups,
  collection: collections,
  library: libraries,
  tag: tags,
  storage: storages,
  storageGroup: storageGroups,
};
const names = Object.keys(values) as (keyof PlainRule)[];

/** None, each criterion alone, and some of several. */
export function randomRules(roll: Dice): PlainRule[] {
  const several = Array.from({ length: 12 }, () => names.filter(() => roll(3) === 0));
  return [[], ...names.map((name) => [name]), ...several].map((given) =>
    Object.fromEntries(given.map((name) => [name, one(roll, values[name])])),
  );
}

/** Everything that does not change, and the ids of users and groups by which rows name them. */
export async function fill(world: World): Promise<Cast> {
  await prepare(world, [...users.map((name) => newUser([name, 'p'])), ...groups.map((name) => newGroup(name))]);
  for (const id of storages) await storageRows(world, { id, uri: `memory:///${id}/`, scanInterval: -1 });
  const { store } = world.service;
  const statements = [
    ...storageGroups.map((name) => `INSERT INTO storage_group (name, created_at) VALUES ('${name}', 0)`),
    ...collections.map((id) => `INSERT INTO collection (id, serial, created_at) VALUES ('${id}', ${serial(id)}, 0)`),
    ...libraries.map(
      (id) => `INSERT INTO library (id, serial, created_at, update_mode, auto_refresh, used_at)
        VALUES ('${id}', ${serial(id)}, 0, 'MERGE', 0, 9e15)`,
    ),
  ];
  await store.commit({ changes: statements.map((sql) => ({ sql, args: [] })), events: [] }, { user: 'test' });
  const idOf = async (table: string, names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => String((await store.read(`SELECT id FROM "${table}" WHERE name = ?`, [name]))[0]![0])),
    );
  return { users: await idOf('user', users), groups: await idOf('group', groups) };
}

/** With the ids of its user and its group instead of their names. */
export const byIds = (rule: PlainRule, cast: Cast): PlainRule => ({
  ...rule,
  ...(rule.user !== undefined && { user: cast.users[users.indexOf(rule.user)]! }),
  ...(rule.group !== undefined && { group: cast.groups[groups.indexOf(rule.group)]! }),
});

/** The document that makes it, with limits that count both. */
export const ruleDocument = (rule: PlainRule) => ({
  ...rule,
  resource: ['item', 'storage'].map((name) => ({ name, limit: 1 })),
});
