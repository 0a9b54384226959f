import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { metadataField } from '../../../src/assets/definitions/tables.ts';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import type { Actor } from '../../../src/core/store/contract.ts';
import { expectVersion, guard, mustExist, mustNotExist } from '../../../src/core/store/guard.ts';
import type { Migration } from '../../../src/core/store/migrations.ts';
import { counter } from '../../../src/core/store/schema.ts';
import { query, sql, statement } from '../../../src/core/store/statement.ts';
import { openStore, type Store, type StoreSettings } from '../../../src/core/store/store.ts';
import { user } from '../../../src/identity/tables.ts';
import { hastyClock, migrations as released, storeSettings } from '../../support/store.ts';
import type { Kind, Place } from './contract.ts';

const actor: Actor = { user: 'anna', runAs: 'bert', requestId: 'r-1' };
const taken = new ServiceError('already-exists', { type: 'User' });
const gone = new ServiceError('no-such-entity', { type: 'User' });
const stale = new ServiceError('changed-meanwhile');

const insertUser = statement((builder) =>
  builder.insert(user).values({
    id: sql.placeholder('id'),
    name: sql.placeholder('name'),
    passwordVersion: 1,
    enabled: 1,
    version: 1,
    createdAt: 0,
  }),
);
const bump = statement((builder) =>
  builder
    .update(user)
    .set({ version: sql`${user.version} + 1` })
    .where(eq(user.id, sql.placeholder('id'))),
);
const findUser = query((builder) =>
  builder
    .select()
    .from(user)
    .where(eq(user.id, sql.placeholder('id'))),
).first;
const userExists = mustExist(user.id);
const userIsNew = mustNotExist(user.id);
const userIsAt = expectVersion(user.id, user.version);

/** Up to the tables that are used here: a server takes a second for all of them. */
const few = released.slice(0, 12);

export function describeStore(kind: Kind): void {
  const openOn = (place: Place['database'], settings: Partial<StoreSettings> = {}) =>
    openStore(place, storeSettings(settings));

  describe(`${kind.name}: store`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await kind.open();
      store = openOn(place.database, { clock: hastyClock(5_000), migrations: few });
      await store.migrate();
    });
    afterEach(async () => {
      await store.close();
      await place.close();
    });

    const commit = (changes: Parameters<Store['commit']>[0]['changes']) => store.commit({ changes, events: [] }, actor);

    test('guards that hold let the commit pass', async () => {
      await commit([userIsNew('u1', taken), insertUser({ id: 'u1', name: 'anna' })]);
      await commit([userExists('u1', gone), userIsAt('u1', 1, stale), bump({ id: 'u1' })]);
      expect(await findUser(store, { id: 'u1' })).toMatchObject({ name: 'anna', version: 2, realName: null });
    });

    test('a guard that does not hold refuses all of the commit with its own refusal', async () => {
      await commit([insertUser({ id: 'u1', name: 'anna' })]);
      const create = insertUser({ id: 'u2', name: 'bert' });
      await expect(commit([create, userIsNew('u1', taken)])).rejects.toBe(taken);
      await expect(commit([create, userExists('u9', gone)])).rejects.toBe(gone);
      await expect(commit([create, userIsAt('u1', 7, stale)])).rejects.toBe(stale);
      await expect(commit([create, userIsAt('u9', 1, stale)])).rejects.toBe(stale);
      expect(await findUser(store, { id: 'u2' })).toBeUndefined();
    });

    test('a condition that is unknown (NULL) does not hold', async () => {
      await expect(commit([guard(sql`NULL`)({}, stale)])).rejects.toBe(stale);
      await expect(commit([guard(sql`(SELECT version FROM user WHERE id = 'none') = 1`)({}, stale)])).rejects.toBe(
        stale,
      );
      await expect(commit([guard(sql`1 = 1`)({}, stale)])).resolves.toEqual([]);
    });

    test('a unique name refuses with the refusal of its statement; without one it is an internal error', async () => {
      await commit([insertUser({ id: 'u1', name: 'anna' })]);
      await expect(commit([insertUser({ id: 'u2', name: 'anna' }, taken)])).rejects.toBe(taken);
      await expect(commit([insertUser({ id: 'u2', name: 'anna' })])).rejects.toMatchObject({ code: 'internal' });
    });

    test('of several creators of one name exactly one wins', async () => {
      const attempts = Array.from({ length: kind.crowd }, (_, n) =>
        commit([insertUser({ id: `u${n}`, name: 'anna' }, taken)]),
      );
      const results = await Promise.allSettled(attempts);
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect(await store.read('SELECT count(*) FROM user')).toEqual([[1]]);
    });

    test('events are stored in commit order, with their actor and time, and only with their commit', async () => {
      const event = (n: number) => ({ name: 'user.changed', entityType: 'User', entityId: `u${n}`, payload: { n } });
      await store.commit({ changes: [], events: [event(1), event(2)] }, actor);
      await store.commit({ changes: [], events: [event(3)] }, { user: 'carl' });
      await expect(store.commit({ changes: [userExists('u9', gone)], events: [event(4)] }, actor)).rejects.toBe(gone);
      const columns = 'name, entity_type, entity_id, payload, user, run_as, request_id, at';
      expect(await store.read(`SELECT ${columns} FROM event ORDER BY sequence`)).toEqual([
        ['user.changed', 'User', 'u1', '{"n":1}', 'anna', 'bert', 'r-1', expect.any(Number)],
        ['user.changed', 'User', 'u2', '{"n":2}', 'anna', 'bert', 'r-1', expect.any(Number)],
        ['user.changed', 'User', 'u3', '{"n":3}', 'carl', null, null, expect.any(Number)],
      ]);
    });

    test('ids increase within a store and are never given twice, by two stores on one database', async () => {
      const other = openOn(await place.another(), { serialBlock: 3 });
      const take = async (from: Store, count: number) => {
        const serials: number[] = [];
        const one = async () => serials.push(Number(/^VX-(\d+)$/.exec(await from.nextId('User'))?.[1]));
        await Promise.all(Array.from({ length: count }, one));
        expect(serials).toEqual(serials.toSorted((a, b) => a - b));
        return serials;
      };
      const counts = [kind.crowd * 2, kind.crowd, 3] as const;
      const taken = await Promise.all([take(store, counts[0]), take(other, counts[1]), take(store, counts[2])]);
      expect(new Set(taken.flat()).size).toBe(kind.crowd * 3 + 3);
      expect(await store.nextId('Group')).toBe('VX-1');
    });

    test('serials that were not used are given back at close, also where another instance took more', async () => {
      const second = openOn(await place.another());
      expect(await second.nextId('User')).toBe('VX-1');
      await second.close();
      const third = openOn(await place.another());
      expect(await third.nextId('User')).toBe('VX-2');
      expect(await store.nextId('User')).toBe('VX-66');
      await third.close();
      const fourth = openOn(await place.another());
      expect(await fourth.nextId('User')).toBe('VX-3');
      // The ids of a store never go back.
      await fourth.close();
      expect(await store.nextId('User')).toBe('VX-67');
    });

    test('a withheld id is given by no store, and was given by none', async () => {
      const other = openOn(await place.another(), { serialBlock: 3 });
      expect([await store.nextId('User'), await other.nextId('User')]).toEqual(['VX-1', 'VX-65']);
      const withhold = async (from: Store, id: string) => commit([...(await from.withhold('User', id, taken))]);
      for (const id of ['VX-1', 'VX-65', 'VX-66']) await expect(withhold(store, id), id).rejects.toBe(taken);
      // Twice is once: the second time it is in a gap.
      for (const id of ['VX-3', 'VX-3', 'VX-90', 'VX-80', 'KP-66', 'VX-066']) await withhold(store, id);
      await expect(withhold(other, 'VX-2')).rejects.toBe(taken);
      await withhold(other, 'VX-66');
      const ids = [await store.nextId('User'), await store.nextId('User')];
      for (let nth = 0; nth < 2; nth++) ids.push(await other.nextId('User'));
      expect(ids).toEqual(['VX-2', 'VX-4', 'VX-67', 'VX-1000000']);
    });

    test('an old id among those that were given back is withheld from new ones, and the others are given', async () => {
      const other = openOn(await place.another(), { serialBlock: 8 });
      expect([await other.nextId('User'), await store.nextId('User')]).toEqual(['VX-1', 'VX-9']);
      await other.close();
      const withhold = async (id: string) => commit([...(await store.withhold('User', id, taken))]);
      // Twice is once, at both ends of what is free and within it.
      for (const id of ['VX-4', 'VX-4', 'VX-2', 'VX-8', 'VX-2']) await withhold(id);
      const next = openOn(await place.another(), { serialBlock: 8 });
      const ids: string[] = [];
      for (let nth = 0; nth < 5; nth++) ids.push(await next.nextId('User'));
      expect(ids).toEqual(['VX-3', 'VX-5', 'VX-6', 'VX-7', 'VX-73']);
      await expect(withhold('VX-3')).rejects.toBe(taken);
      await withhold('VX-4');
    });

    test('an old id right behind those that were given back is withheld, too', async () => {
      const [first, second] = [
        openOn(await place.another(), { serialBlock: 8 }),
        openOn(await place.another(), { serialBlock: 8 }),
      ];
      expect(await first.nextId('User')).toBe('VX-1');
      await second.reserveIds(['User', 'Group']);
      await first.close();
      await second.close();
      await commit([...(await store.withhold('User', 'VX-12', taken))]);
      const next = openOn(await place.another(), { serialBlock: 8 });
      const ids: string[] = [];
      for (let nth = 0; nth < 8; nth++) ids.push(await next.nextId('User'));
      expect(ids).toEqual(['VX-2', 'VX-3', 'VX-4', 'VX-5', 'VX-6', 'VX-7', 'VX-8', 'VX-1000000']);
    });

    test('no id is given twice, whatever stores stop or crash and whatever old ids are withheld', async () => {
      const ids = new Set<string>();
      const had = new Set<string>();
      const stores = [store];
      let state = 7;
      const below = (limit: number) => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((state / 2_147_483_648) * limit);
      };
      const outcomes = { withheld: 0, refused: 0 };
      for (let step = 0; step < Math.max(120, kind.crowd * 6); step++) {
        const at = below(stores.length);
        const deed = below(10);
        if (deed === 0) stores.push(openOn(await place.another(), { serialBlock: 1 + below(9) }));
        // The first one has the database of the test.
        else if (deed === 1 && at > 0) await stores.splice(at, 1)[0]!.close();
        else if (deed === 2 && at > 0 && below(3) === 0) stores.splice(at, 1);
        else if (deed === 3) {
          const id = `VX-${1 + below(300)}`;
          const isDone = await stores[at]!.withhold('User', id, taken)
            .then(commit)
            .then(
              () => true,
              () => false,
            );
          outcomes[isDone ? 'withheld' : 'refused']++;
          if (isDone) expect(ids.has(id), `${id} was given before it was withheld`).toBe(false);
          if (isDone) had.add(id);
        } else {
          const id = await stores[at]!.nextId('User', deed === 4 ? below(400) : 0);
          expect(ids.has(id) || had.has(id), `${id} is given at step ${step}`).toBe(false);
          ids.add(id);
        }
      }
      expect(outcomes.withheld).toBeGreaterThan(0);
      expect(outcomes.refused).toBeGreaterThan(0);
    });

    test('the probe writes a row', async () => {
      await store.checkWritable();
      expect(await store.read(`SELECT value FROM counter WHERE name = 'writable-at'`)).toHaveLength(1);
    });

    test('queries of joins give the selected columns, decoded', async () => {
      await commit([insertUser({ id: 'u1', name: 'users' })]);
      const joined = query((builder) =>
        builder
          .select({ name: user.name, enabled: user.enabled, counter: counter.name, value: counter.value })
          .from(user)
          .leftJoin(counter, eq(counter.name, user.name))
          .where(eq(user.id, sql.placeholder('id'))),
      ).first;
      const row = await joined(store, { id: 'u1' });
      expect(row).toEqual({ name: 'users', enabled: 1, counter: 'users', value: expect.any(Number) });
      expect(() => joined(store, {})).toThrow('No value for the placeholder "id"');
    });
  });

  describe(`${kind.name}: migrations`, () => {
    const migration = (number: number, table: string): Migration => ({
      number,
      name: `make-${table}`,
      statements: [`CREATE TABLE ${table} (x INTEGER NOT NULL)`, `INSERT INTO ${table} VALUES (${number})`],
    });
    const one = migration(1, 'one');
    const two = migration(2, 'two');
    let place: Place;

    beforeEach(async () => {
      place = await kind.open();
    });
    afterEach(() => place.close());

    const storeWith = (migrations: readonly Migration[]) => openOn(place.database, { migrations });
    const tables = async () =>
      (await place.database.read(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)).flat();

    test('run once, in order, however often they are asked for', async () => {
      expect(await storeWith([one]).schemaVersion()).toBe(0);
      await storeWith([one]).migrate();
      await storeWith([one, two]).migrate();
      await storeWith([one, two]).migrate();
      expect(await storeWith([]).schemaVersion()).toBe(2);
      expect(await place.database.read('SELECT x FROM one UNION ALL SELECT x FROM two')).toEqual([[1], [2]]);
    });

    const first = { ...one, name: 'first', isNewest: true } as const;

    test('an older database comes to the newest schema', async () => {
      await storeWith([first]).migrate();
      await storeWith([first, two]).migrate();
      expect(await place.database.read('SELECT x FROM one UNION ALL SELECT x FROM two')).toEqual([[1], [2]]);
    });

    test('an empty database gets the newest schema at once', async () => {
      const whole = { ...first, statements: [...one.statements, ...two.statements] };
      await storeWith([whole, two]).migrate();
      expect(await place.database.read('SELECT number, name FROM migration')).toEqual([
        [1, 'first'],
        [2, 'make-two'],
      ]);
      expect(await place.database.read('SELECT x FROM one UNION ALL SELECT x FROM two')).toEqual([[1], [2]]);
    });

    test('two instances that start together both come up', async () => {
      const other = openOn(await place.another());
      await Promise.all([openOn(place.database).migrate(), other.migrate()]);
      expect(await place.database.read('SELECT count(*) FROM migration')).toEqual([[released.length]]);
      expect(await other.schemaVersion()).toBe(released.length);
    });

    test('a database that is newer than the program is refused with both numbers and the way back, and not touched', async () => {
      await storeWith([one, two]).migrate();
      const before = await tables();
      await expect(storeWith([one]).migrate()).rejects.toThrow(
        /version 2.* knows only 1.* Remedy: .*before-1\. .* lost/,
      );
      await expect(storeWith([one]).checkSchema()).rejects.toThrow(/version 2.* knows only 1/);
      expect(await tables()).toEqual(before);
    });

    test('an edited migration is refused by name', async () => {
      const three = migration(3, 'three');
      await storeWith([one, two]).migrate();
      const edited = { ...two, statements: [...two.statements, 'SELECT 1'] };
      await expect(storeWith([one, edited, three]).migrate()).rejects.toThrow(/migration 2 "make-two" .* edited/);
      expect(await tables()).not.toContain('three');
    });

    test('a database of another first schema is refused, whatever its version', async () => {
      await storeWith([migration(1, 'foundation'), two]).migrate();
      await expect(storeWith([one]).migrate()).rejects.toThrow(
        /before the first release.*start with an empty database/,
      );
      expect(await tables()).not.toContain('one');
    });

    test('a gap in the numbers is refused, in the program and in the database', async () => {
      await expect(storeWith([two]).migrate()).rejects.toThrow(/gap before migration 2 "make-two"/);
      expect(await tables()).not.toContain('migration');
      await storeWith([one, two]).migrate();
      await place.database.write([{ sql: 'DELETE FROM migration WHERE number = 1', args: [] }]);
      await expect(storeWith([one, two]).migrate()).rejects.toThrow(/lacks migration 1 "make-one"/);
    });

    test('a migration that fails leaves nothing and says where', async () => {
      const broken = {
        number: 2,
        name: 'broken',
        statements: ['CREATE TABLE two (x)', 'INSERT INTO nowhere VALUES (1)'],
      };
      await expect(storeWith([one, broken]).migrate()).rejects.toMatchObject({
        name: 'StoreStartError',
        message: expect.stringMatching(/migration 2 "broken".*nowhere/),
      });
      expect(await tables()).not.toContain('two');
      expect(await storeWith([]).schemaVersion()).toBe(1);
    });

    test('checking changes nothing and says what to do', async () => {
      await expect(storeWith([one]).checkSchema()).rejects.toThrow(/version 0, .* needs 1: run "portico migrate"/);
      expect(await tables()).not.toContain('migration');
      await storeWith([one]).migrate();
      await expect(storeWith([one]).checkSchema()).resolves.toBeUndefined();
    });

    test('the released ones can be filled', async () => {
      const store = openOn(place.database);
      await store.migrate();
      const insert = statement((builder) =>
        builder.insert(metadataField).values({ name: 'title', type: 'string', system: 0 }),
      );
      await store.commit({ changes: [insert({})], events: [] }, actor);
      expect(await store.read('SELECT name FROM metadata_field')).toContainEqual(['title']);
    });
  });
}
