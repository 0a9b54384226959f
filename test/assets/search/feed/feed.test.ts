import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemSearch } from '../../../../src/assets/search/documents.ts';
import { findIds } from '../../../../src/assets/search/find.ts';
import { loadNames, namesOf } from '../../../../src/assets/search/query/names.ts';
import { CriteriaReader } from '../../../../src/assets/search/query/read.ts';
import type { Database } from '../../../../src/core/store/contract.ts';
import { fieldsOf } from '../../../support/assets.ts';
import { testClock } from '../../../support/clock.ts';
import { requestOf, type Sent, type World } from '../../../support/matrix.ts';
import { migratedDatabase } from '../../../support/migrated.ts';
import { by, send } from '../../../support/requests.ts';
import { openService } from '../../../support/service.ts';
import { add, fieldsOfIndexed, type Indexed, searchIndexContract } from './contract.ts';
import { MemoryIndex } from './memory-index.ts';

const viewer = { administrator: true, userId: undefined, contexts: undefined };

/** One that outlives the services on it. */
async function lastingDatabase(): Promise<Database> {
  const database = await migratedDatabase();
  onTestFinished(() => database.close());
  return new Proxy(database, {
    get(target, key) {
      if (key === 'close') return async () => undefined;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function serviceOn(database: Database, indexes: readonly MemoryIndex[]): Promise<World> {
  const opened = await openService({ clock: testClock(), database, searchIndexes: indexes });
  onTestFinished(() => opened.close());
  const answer = async (sent: Sent) => {
    const response = await opened.service.fetch(requestOf('http://portico.test', sent));
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return { ...opened, send: answer };
}

/** Batches, acknowledgements and older entities, each of which is a step. */
async function work({ service, clock }: World): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await service.tick(1000);
    await clock.advance(2000);
  }
}

async function withFields(world: World): Promise<World> {
  for (const sent of fieldsOfIndexed) await send(world, sent);
  return world;
}

function embedded(world: World, database: Database): Indexed {
  return {
    world,
    catchUp: async () => undefined,
    async find(document) {
      const asked = { ...document, intervals: 'generic' as const };
      return (await findIds(world.service.store.reader('test'), viewer, 'item', asked, { first: 1, number: 100 })).ids;
    },
    restart: async () => embedded(await serviceOn(database, []), database),
  };
}

function fed(world: World, database: Database, index: MemoryIndex): Indexed {
  const { store } = world.service;
  return {
    world,
    catchUp: () => work(world),
    async find(document: ItemSearch) {
      const names = await loadNames(store, viewer, namesOf(document));
      return index.find(new CriteriaReader(names, 'item').criteria(document));
    },
    restart: async () => fed(await serviceOn(database, [index]), database, index),
  };
}

async function openFed(index = new MemoryIndex()): Promise<Indexed & { readonly index: MemoryIndex }> {
  const database = await lastingDatabase();
  return { ...fed(await withFields(await serviceOn(database, [index])), database, index), index };
}

searchIndexContract('the embedded index', async () => {
  const database = await lastingDatabase();
  return embedded(await withFields(await serviceOn(database, [])), database);
});

searchIndexContract('an index that is fed', openFed);

describe('the feed of another index', () => {
  const tag = (value: string): ItemSearch => ({ field: [{ name: 'x_tag', value: [{ value }] }] });
  const rowsOf = async ({ world }: Indexed, table: string) =>
    Number((await world.service.store.read(`SELECT count(*) FROM ${table}`))[0]![0]);

  it('brings what is older than the feed, each entity once, and then nothing more', async () => {
    const database = await lastingDatabase();
    const alone = embedded(await withFields(await serviceOn(database, [])), database);
    const [one, other] = [await add(alone, { x_tag: 'a' }), await add(alone, { x_tag: 'a' })];
    expect(await rowsOf(alone, 'search_change')).toBe(0);
    const index = new MemoryIndex();
    const indexed = fed(await serviceOn(database, [index]), database, index);
    await indexed.catchUp();
    expect(await indexed.find(tag('a'))).toEqual([other, one]);
    const fedIds = index.batches.flatMap(({ upserts }) => upserts.map(({ entityId }) => entityId));
    expect(fedIds.toSorted()).toEqual([one, other]);
    await indexed.catchUp();
    expect(index.batches).toHaveLength(1);
    // What every index has read is kept for nobody.
    expect(await rowsOf(indexed, 'search_change')).toBe(0);
  });

  it('sends a batch again that was refused, and one whose end it did not see', async () => {
    const indexed = await openFed();
    const { index, world } = indexed;
    await indexed.catchUp();
    index.refuses = new Error('no room');
    world.expectErrors('work-failed');
    const one = await add(indexed, { x_tag: 'a' });
    await indexed.catchUp();
    expect(await indexed.find(tag('a'))).toEqual([one]);
    // It died behind the batch, before it wrote down how far the index is.
    await world.service.store.commit(
      {
        changes: [
          { sql: 'UPDATE search_feed SET position = position - 1', args: [] },
          { sql: 'INSERT INTO search_change (position, entity) SELECT position + 1, 1 FROM search_feed', args: [] },
        ],
        events: [],
      },
      { user: 'test' },
    );
    const before = index.batches.length;
    await indexed.catchUp();
    expect(index.batches).toHaveLength(before);
    const other = await add(indexed, { x_tag: 'a' });
    await indexed.catchUp();
    expect(await indexed.find(tag('a'))).toEqual([other, one]);
    expect([index.cleared, await rowsOf(indexed, 'search_change')]).toEqual([1, 0]);
  });

  it('starts over with an index that lost something, and with one of another database', async () => {
    const indexed = await openFed();
    const { index, world } = indexed;
    const gone = await add(indexed, { x_tag: 'a' });
    await indexed.catchUp();
    const restore = index.backup();
    await send(world, by(`DELETE /API/item/${gone}`));
    const one = await add(indexed, { x_tag: 'a' });
    await indexed.catchUp();
    restore();
    expect(await indexed.find(tag('a'))).toEqual([gone]);
    await indexed.catchUp();
    expect(await indexed.find(tag('a'))).toEqual([one]);
    await index.apply({ position: 1_000_000, upserts: [], deletes: [] });
    await send(world, by(`PUT /API/item/${one}/metadata`, { timespan: [{ field: fieldsOf({ x_tag: 'b' }) }] }));
    await indexed.catchUp();
    expect(await indexed.find(tag('b'))).toEqual([one]);
    expect(index.cleared).toBe(3);
  });

  it('two instances feed one index, and it takes each batch once', async () => {
    const database = await lastingDatabase();
    const index = new MemoryIndex();
    const first = fed(await withFields(await serviceOn(database, [index])), database, index);
    const second = fed(await serviceOn(database, [index]), database, index);
    await Promise.all([first.catchUp(), second.catchUp()]);
    const ids = [await add(first, { x_tag: 'a' }), await add(second, { x_tag: 'a' })];
    await Promise.all([first.catchUp(), second.catchUp()]);
    expect((await first.find(tag('a'))).toSorted()).toEqual(ids.toSorted());
  });
});
