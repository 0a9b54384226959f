import { expect, it } from 'vitest';
import { havingAmong } from '../../../src/assets/access/access.ts';
import { reachOf } from '../../../src/assets/access/entries/rules.ts';
import { type Level, levels, type OperationType } from '../../../src/assets/access/levels.ts';
import { listEntities } from '../../../src/assets/access/lists-sql.ts';
import { levelsOn, viewerFor } from '../../../src/assets/access/viewer.ts';
import type { Statement } from '../../../src/core/store/contract.ts';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { shareOfTries } from '../../support/long.ts';
import { type Dice, dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { memoryStore, nobody, storeSettings, temporaryDirectory } from '../../support/store.ts';
import { entriesOn, type ModelEntry, modelDecision } from './model.ts';

/** Each number is a world of its own. `PORTICO_ACCESS` plays more of them. */
const worlds = Number(process.env['PORTICO_ACCESS'] ?? shareOfTries(2, 4));
const changesOfWorld = 4;

const pick = <T>(roll: Dice, ...choices: readonly T[]): T => choices[roll(choices.length)]!;
const run = (store: Store, ...changes: readonly (readonly [sql: string, ...args: Statement['args']])[]) =>
  store.commit({ changes: changes.map(([sql, ...args]) => ({ sql, args })), events: [] }, nobody);

const users = ['u0', 'u1', 'u2', 'u3', 'u4'];
const groups = ['g0', 'g1', 'g2'];
const collections = ['C-0', 'C-1', 'C-2', 'C-3'];
const items = ['I-0', 'I-1', 'I-2', 'I-3', 'I-4'];
const libraries = ['L-0', 'L-1'];
const containers = [
  ...collections.map((id) => ['collection', id] as const),
  ...libraries.map((id) => ['library', id] as const),
];
const places = [...items.map((id) => ['item', id] as const), ...containers];

/** A world in a database, and the same in memory. */
class World {
  readonly users: { id: string; enabled: boolean; groups: string[] }[] = [];
  readonly groups = new Map<string, string[]>();
  readonly parents = new Map<string, string[]>();
  entries: ModelEntry[] = [];
  #serial = 0;
  readonly #stores: readonly Store[];
  readonly #roll: Dice;

  constructor(stores: readonly Store[], roll: Dice) {
    this.#stores = stores;
    this.#roll = roll;
  }

  /** Any instance may change the database. */
  get #store(): Store {
    return pick(this.#roll, ...this.#stores);
  }

  async make(): Promise<void> {
    const roll = this.#roll;
    for (const [index, id] of groups.entries()) {
      await run(this.#store, [
        'INSERT INTO "group" (id, name, role, version, created_at) VALUES (?, ?, 0, 1, 0)',
        id,
        id,
      ]);
      this.groups.set(id, []);
      if (index > 0 && roll(2) === 0) {
        this.groups.get(id)!.push(groups[index - 1]!);
        await run(this.#store, ['INSERT INTO group_group (parent_id, child_id) VALUES (?, ?)', groups[index - 1]!, id]);
      }
    }
    for (const id of users) {
      const user = { id, enabled: roll(8) > 0, groups: groups.filter(() => roll(3) === 0) };
      this.users.push(user);
      const columns = 'id, name, password_version, enabled, version, created_at';
      await run(
        this.#store,
        [`INSERT INTO user (${columns}) VALUES (?, ?, 1, ?, 1, 0)`, id, id, user.enabled ? 1 : 0],
        ...user.groups.map((group) => ['INSERT INTO group_user (group_id, user_id) VALUES (?, ?)', group, id] as const),
      );
    }
    for (const [type, id] of places) {
      const more = type === 'library' ? [', update_mode, auto_refresh, used_at', ", 'MERGE', 0, 0"] : ['', ''];
      await run(this.#store, [
        `INSERT INTO ${type} (id, serial, created_at${more[0]}) VALUES (?, ?, 0${more[1]})`,
        id,
        this.#serial++,
      ]);
      this.parents.set(`${type} ${id}`, []);
      if (roll(8) > 0)
        await this.add({ type, entity: id, user: pick(roll, ...users), permission: 'OWNER', owns: true });
    }
    for (let count = 0; count < 6; count++) await this.join();
    for (let count = 0; count < 3; count++) await this.keep();
    for (let count = 0; count < 14; count++) await this.grant();
  }

  /** Only upwards in the list, so that no collection gets above itself. */
  async join(): Promise<void> {
    const roll = this.#roll;
    const index = roll(collections.length);
    const below = collections.slice(index + 1).map((id) => ['collection', id] as const);
    const others = [
      ...items.map((each) => ['item', each] as const),
      ...libraries.map((each) => ['library', each] as const),
    ];
    const members: (readonly [string, string])[] = [...below, ...others];
    const [type, id] = pick(roll, ...members);
    const above = this.parents.get(`${type} ${id}`)!;
    const parent = collections[index]!;
    if (above.includes(`collection ${parent}`)) return;
    above.push(`collection ${parent}`);
    await run(this.#store, [
      'INSERT INTO collection_member (collection_id, member_type, member_id, position, reference) VALUES (?, ?, ?, 0, ?)',
      parent,
      type,
      id,
      `${parent} ${type} ${id}`,
    ]);
  }

  /** A library gets an item. */
  async keep(): Promise<void> {
    const [library, id] = [pick(this.#roll, ...libraries), pick(this.#roll, ...items)];
    const above = this.parents.get(`item ${id}`)!;
    if (above.includes(`library ${library}`)) return;
    above.push(`library ${library}`);
    await run(this.#store, [
      'INSERT INTO library_item (library_id, item_serial, item_id) VALUES (?, 0, ?)',
      library,
      id,
    ]);
  }

  async leave(): Promise<void> {
    const all = [...this.parents].flatMap(([member, above]) => above.map((parent) => [member, parent] as const));
    if (all.length === 0) return;
    const [member, parent] = pick(this.#roll, ...all);
    const above = this.parents.get(member)!;
    above.splice(above.indexOf(parent), 1);
    const [type, id] = member.split(' ');
    if (parent.startsWith('library')) {
      await run(this.#store, [
        'DELETE FROM library_item WHERE library_id = ? AND item_id = ?',
        parent.split(' ')[1]!,
        id!,
      ]);
      return;
    }
    await run(this.#store, [
      'DELETE FROM collection_member WHERE collection_id = ? AND member_type = ? AND member_id = ?',
      parent.split(' ')[1]!,
      type!,
      id!,
    ]);
  }

  async grant(): Promise<void> {
    const roll = this.#roll;
    const [type, entity] = pick(roll, ...places);
    const words = ['self', 'item', 'collection', 'library', 'all'].filter(() => roll(3) === 0);
    const operation = pick(roll, undefined, undefined, undefined, 'METADATA', 'SHAPE');
    await this.add({
      type,
      entity,
      ...(roll(2) === 0 ? { user: pick(roll, ...users) } : { group: pick(roll, ...groups) }),
      permission: pick(roll, 'NONE', 'READ', 'WRITE', 'ALL', 'ALL'),
      ...(words.length > 0 && { appliesTo: words.map((word) => ({ word, recursive: roll(2) === 0 })) }),
      ...(operation !== undefined && { operation, ...(roll(2) === 0 && { extradata: 'x' }) }),
      ...(roll(3) > 0 && { grantor: pick(roll, ...users) }),
      priority: pick(roll, 0, 0, 0, 1, -1, 1_000_000),
    });
  }

  async add({ owns = false, ...rest }: Omit<ModelEntry, 'id' | 'priority'> & { priority?: number; owns?: boolean }) {
    const id = `A-${this.#serial++}`;
    const once = { word: 'all', recursive: false };
    const entry: ModelEntry = { id, priority: 0, ...rest, ...(owns && { appliesTo: [once] }) };
    this.entries.push(entry);
    await run(this.#store, [
      `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, group_id, permission, grantor_id,
        priority, applies_to, operation, extradata, reach, rooted) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, '[]', ?, ?, ?, ?)`,
      entry.type,
      entry.entity,
      id,
      entry.user ?? null,
      entry.group ?? null,
      entry.permission,
      entry.grantor ?? null,
      entry.priority,
      entry.operation ?? null,
      entry.extradata ?? null,
      reachOf((entry.appliesTo ?? []) as Parameters<typeof reachOf>[0]),
      entry.grantor === undefined ? 1 : 0,
    ]);
  }

  async revoke(): Promise<void> {
    const gone = pick(this.#roll, ...this.entries.filter(({ permission }) => permission !== 'OWNER'));
    this.entries = this.entries.filter((entry) => entry !== gone);
    await run(this.#store, ['DELETE FROM access_entry WHERE id = ?', gone.id]);
  }

  async disable(): Promise<void> {
    const user = pick(this.#roll, ...this.users);
    user.enabled = !user.enabled;
    await run(this.#store, ['UPDATE user SET enabled = ? WHERE id = ?', user.enabled ? 1 : 0, user.id]);
  }

  async regroup(): Promise<void> {
    const [user, group] = [pick(this.#roll, ...this.users), pick(this.#roll, ...groups)];
    const isMember = user.groups.includes(group);
    if (isMember) user.groups.splice(user.groups.indexOf(group), 1);
    else user.groups.push(group);
    const change = isMember
      ? 'DELETE FROM group_user WHERE group_id = ? AND user_id = ?'
      : 'INSERT INTO group_user (group_id, user_id) VALUES (?, ?)';
    await run(this.#store, [change, group, user.id]);
  }

  /** Only upwards in the list, so that no group gets above itself. */
  async nest(): Promise<void> {
    const index = 1 + this.#roll(groups.length - 1);
    const [child, parent] = [groups[index]!, groups[this.#roll(index)]!];
    const above = this.groups.get(child)!;
    const isAbove = above.includes(parent);
    if (isAbove) above.splice(above.indexOf(parent), 1);
    else above.push(parent);
    const change = isAbove
      ? 'DELETE FROM group_group WHERE parent_id = ? AND child_id = ?'
      : 'INSERT INTO group_group (parent_id, child_id) VALUES (?, ?)';
    await run(this.#store, [change, parent, child]);
  }

  async own(): Promise<void> {
    const owners = this.entries.filter(({ permission }) => permission === 'OWNER');
    const entry = pick(this.#roll, ...owners);
    const user = pick(this.#roll, ...users);
    this.entries = this.entries.map((each) => (each === entry ? { ...entry, user } : each));
    await run(this.#store, ['UPDATE access_entry SET user_id = ? WHERE id = ?', user, entry.id]);
  }

  change(): Promise<void> {
    return pick(
      this.#roll,
      () => this.regroup(),
      () => this.nest(),
      () => this.own(),
      () => this.grant(),
      () => this.revoke(),
      () => this.join(),
      () => this.keep(),
      () => this.leave(),
      () => this.disable(),
    )();
  }
}

const wholePage = { offset: 0, limit: 100, below: Number.MAX_SAFE_INTEGER, counts: true };

const questions = [['GENERIC'], ['METADATA'], ['METADATA', 'x'], ['SHAPE', 'y'], ['URI']] as const;

async function compare(store: Store, world: World): Promise<number> {
  const on = entriesOn(world);
  let compared = 0;
  const asked = places.map(([type, id]) => ({ type, id }));
  for (const user of users) {
    const { levelOf } = await levelsOn(store, { administrator: false, userId: user }, asked);
    const viewer = await viewerFor(store, { administrator: false, userId: user });
    const level = (type: string, id: string, operation?: OperationType, extradata?: string): Level =>
      (modelDecision(world, on, { user, type, id, ...(operation && { operation }), extradata })?.permission ??
        'NONE') as Level;
    for (const [type, id] of places) {
      for (const [operation, extradata] of questions) {
        const found = levelOf({ type, id }, { type: operation, extradata });
        expect(`${user} ${id} ${operation} ${found}`).toBe(
          `${user} ${id} ${operation} ${level(type, id, operation, extradata)}`,
        );
        compared++;
      }
    }
    for (const wanted of ['READ', 'WRITE', 'ALL', 'OWNER'] as const) {
      for (const kind of ['item', 'collection', 'library'] as const) {
        const ids = places.flatMap(([type, id]) => (type === kind ? [id] : []));
        const found = await havingAmong(store, viewer, kind, ids, wanted);
        const expected = ids.filter((id) => levels.indexOf(level(kind, id)) >= levels.indexOf(wanted));
        expect([user, wanted, ...[...found].toSorted()]).toEqual([user, wanted, ...expected]);
        compared += ids.length;
        if (wanted !== 'READ' || kind === 'library') continue;
        const listed = await listEntities(store, viewer, kind, wholePage);
        expect([user, listed.hits, ...listed.ids.toSorted()]).toEqual([user, expected.length, ...expected]);
      }
    }
  }
  return compared;
}

async function play(number: number, stores: readonly Store[], changes: number): Promise<number> {
  const roll = dice(seedOfRun + number);
  const world = new World(stores, roll);
  let compared = 0;
  try {
    await world.make();
    for (const store of stores) compared += await compare(store, world);
    for (let count = 0; count < changes; count++) {
      await world.change();
      for (const store of stores) compared += await compare(store, world);
    }
  } finally {
    for (const store of stores) await store.close();
  }
  return compared;
}

it('each entry decides as the numbered order says, in lists and alone, after every change', async () => {
  tellSeed(seedOfRun);
  let compared = 0;
  for (let number = 0; number < worlds; number++) {
    compared += await play(number, [await memoryStore()], changesOfWorld);
  }
  expect(compared).toBeGreaterThan(worlds * 1000);
}, 600_000);

it('no instance answers by access from before a commit of another one', async () => {
  tellSeed(seedOfRun);
  const directory = await temporaryDirectory();
  const open = async () => {
    const store = openStore(await openDatabase(`file:${directory.path}/portico.db`), storeSettings());
    await store.migrate();
    return store;
  };
  try {
    const changes = shareOfTries(12, 100);
    const compared = await play(worlds, [await open(), await open()], changes);
    expect(compared).toBeGreaterThan(changes * 500);
  } finally {
    await directory.remove();
  }
}, 600_000);
