import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextsOf } from '../../../src/assets/access/contexts.ts';
import type { Principals } from '../../../src/assets/access/precedence.ts';
import { counter } from '../../../src/core/store/schema.ts';
import { type Reader, sql, statement } from '../../../src/core/store/statement.ts';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import {
  memoryStore,
  nobody,
  storeSettings,
  type TemporaryDirectory,
  temporaryDirectory,
} from '../../support/store.ts';

let directory: TemporaryDirectory;
const stores: Store[] = [];

beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await directory.remove();
});

async function open(): Promise<Store> {
  const store = openStore(await openDatabase(`file:${join(directory.path, 'portico.db')}`), storeSettings());
  await store.migrate();
  stores.push(store);
  return store;
}

const ann = { userId: 'VX-1', enabled: true, administrator: false, groups: new Map([['VX-9', 1]]) } as Principals;
const ben = { ...ann, userId: 'VX-2' };
const change = statement((builder) =>
  builder
    .insert(counter)
    .values({ name: 'a', value: 1 })
    .onConflictDoUpdate({ target: counter.name, set: { value: sql`${counter.value} + 1` } }),
);
const commit = (store: Store) => store.commit({ changes: [change({})], events: [] }, nobody);

/** Statements that tell what each of these may read, one after the other, beside the look-ups of the revision. */
async function queriesFor(store: Store, ...users: readonly Principals[]): Promise<number> {
  let queries = 0;
  for (const user of users) {
    const reader = store.reader('ann');
    const read: Reader['read'] = (...given) => {
      queries++;
      return reader.read(...given);
    };
    await contextsOf({ ...reader, read }, user);
  }
  return queries;
}

const give = (store: Store, sql: string) => store.commit({ changes: [{ sql, args: [] }], events: [] }, nobody);

it('what somebody may read is asked once until access changes, in whatever process', async () => {
  const [one, other] = [await open(), await open()];
  expect(await queriesFor(one, ann, ann, ben, ann, ben)).toBe(2);
  expect(await queriesFor(other, ann)).toBe(1);
  await commit(one);
  expect(await queriesFor(one, ann, ben)).toBe(0);
  expect(await queriesFor(other, ann)).toBe(0);
  await give(one, "UPDATE counter SET value = value + 1 WHERE name = 'access'");
  expect(await queriesFor(one, ann, ann)).toBe(1);
  expect(await queriesFor(other, ann, ann)).toBe(1);
});

it('what somebody may read in a library is asked again after every commit, since items come and go there', async () => {
  const [one, other] = [await open(), await open()];
  await give(
    one,
    `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to, reach)
      VALUES ('library', 'VX-7', 'VX-8', 8, 'VX-2', 'READ', 0, '[]', 43)`,
  );
  await queriesFor(one, ann, ben);
  expect(await queriesFor(one, ben)).toBe(0);
  await commit(other);
  expect(await queriesFor(one, ben)).toBe(1);
  expect(await queriesFor(one, ann)).toBe(0);
});

it('of somebody in thousands of groups nothing is kept: their ids alone would fill the memory', async () => {
  const store = await open();
  const groups = (count: number) => new Map(Array.from({ length: count }, (_, id) => [`VX-${id}`, 1]));
  const [few, many] = [500, 5_000].map((count) => ({ ...ann, groups: groups(count) }));
  expect(await queriesFor(store, few!, few!)).toBe(1);
  expect(await queriesFor(store, many!, many!)).toBe(2);
});

it('a database in memory tells of changes of access, too', async () => {
  const store = await memoryStore();
  stores.push(store);
  expect(await queriesFor(store, ann, ann)).toBe(3);
});
