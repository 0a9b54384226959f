import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import type { Actor, CommitPlan, Participant } from '../../../src/core/store/contract.ts';
import type { Migration } from '../../../src/core/store/migrations.ts';
import { sql, statement, writes } from '../../../src/core/store/statement.ts';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { storeSettings } from '../../support/store.ts';
import type { Kind, Place } from './contract.ts';

const actor: Actor = { user: 'anna' };
const overtaken = new ServiceError('busy');

const tables: Migration = {
  number: 1,
  name: 'tables',
  statements: [
    'CREATE TABLE serial (entity TEXT PRIMARY KEY NOT NULL, next INTEGER NOT NULL)',
    'CREATE TABLE applied (id TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL)',
    'CREATE TABLE change (n INTEGER PRIMARY KEY NOT NULL)',
    'CREATE TABLE note (text TEXT NOT NULL)',
    'CREATE TABLE work (members INTEGER NOT NULL CHECK (members < 100), commits TEXT NOT NULL)',
    `CREATE TABLE event (sequence INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT, entity_type TEXT, entity_id TEXT,
      payload TEXT, user TEXT, run_as TEXT, request_id TEXT, at INTEGER, depth INTEGER)`,
  ],
};

const insertChange = statement<{ n: number }>(sql`INSERT INTO ${writes('change')} VALUES (${sql.placeholder('n')})`);
const change = (n: number): CommitPlan => ({
  changes: [insertChange({ n }, new ServiceError('already-exists'))],
  events: [],
  touches: [{ kind: 'item', id: `VX-${n}`, aspect: 'size' }],
});
const insertNote = statement<{ text: string }>(sql`INSERT INTO ${writes('note')} VALUES (${sql.placeholder('text')})`);
const note = (text: string) => insertNote({ text });

export function describeParticipants(kind: Kind): void {
  describe(`${kind.name}: participants of a commit`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await kind.open();
    });
    afterEach(async () => {
      await store.close();
      await place.close();
    });

    async function open(...participants: readonly Participant[]): Promise<void> {
      store = openStore(place.database, storeSettings({ migrations: [tables] }));
      store.join(participants);
      await store.migrate();
    }
    const rows = async (text: string) => (await store.read(text)).flat();

    test('are asked in the order of their list, before and after, and only about what concerns them', async () => {
      const asked = (name: string, concerns: readonly string[]): Participant => ({
        name,
        concerns,
        before: () => [note(`${name} before`)],
        after: async () => [note(`${name} after`)],
      });
      await open(asked('a', ['item.size']), asked('b', ['user/create', 'item.size']), asked('c', ['request']));
      await store.commit(change(1), actor);
      expect(await rows('SELECT text FROM note ORDER BY rowid')).toEqual([
        'a before',
        'b before',
        'a after',
        'b after',
      ]);
      await store.commit({ ...change(2), touches: [] }, actor);
      expect(await rows('SELECT count(*) FROM note')).toEqual([4]);
    });

    test('are asked about changes that write their table, or may write any', async () => {
      const asked = (name: string, concerns: readonly string[]): Participant => ({
        name,
        concerns,
        after: () => [note(name)],
      });
      await open(asked('changes', ['table change']), asked('notes', ['table note']));
      await store.commit({ ...change(1), touches: [] }, actor);
      expect(await rows('SELECT text FROM note')).toEqual(['changes']);
      await store.commit({ changes: [note('by hand')], events: [] }, actor);
      expect(await rows('SELECT text FROM note ORDER BY rowid')).toEqual(['changes', 'by hand', 'notes']);
      const hidden = { sql: 'INSERT INTO change VALUES (2)', args: [] };
      await store.commit({ changes: [hidden], events: [] }, actor);
      expect(await rows('SELECT count(*) FROM note')).toEqual([5]);
    });

    test('are not mixed up however many there are that nothing concerns, and no more than a number has bits', async () => {
      const asked = (name: string, ...concerns: readonly string[]): Participant => ({
        name,
        concerns,
        after: () => [note(name)],
      });
      const idle = Array.from({ length: 40 }, (_, index) => asked(`idle ${index}`));
      await open(asked('first', 'item.size'), ...idle, asked('last', 'item.name'));
      await store.commit(change(1), actor);
      expect(await rows('SELECT text FROM note')).toEqual(['first']);
      const many = Array.from({ length: 33 }, (_, index) => asked(`one ${index}`, 'item.size'));
      expect(() => store.join(many)).toThrow('Expected at most 32 participants that something concerns: found 33');
    });

    test('one that is overtaken sees the commit again, with the next attempt', async () => {
      await open({
        name: 'late',
        concerns: ['item.size'],
        stale: overtaken,
        after: ({ attempt }) =>
          attempt < 3
            ? [note('undone'), { sql: 'INSERT INTO note VALUES (NULL)', args: [], refusal: overtaken }]
            : [note(`attempt ${attempt}`)],
      });
      await store.commit(change(1), actor);
      expect(await rows('SELECT text FROM note')).toEqual(['attempt 3']);
      expect(await rows('SELECT n FROM change')).toEqual([1]);
    });

    test('one that refuses undoes the commit and is told of none that failed', async () => {
      const told: number[] = [];
      const refusal = new ServiceError('not-allowed');
      await open({
        name: 'quota',
        concerns: ['item.size'],
        after: ({ touches }) =>
          touches[0]!.id === 'VX-1' ? [] : [{ sql: 'INSERT INTO note VALUES (NULL)', args: [], refusal }],
        committed: ({ touches }) => void told.push(touches.length),
      });
      await store.commit(change(1), actor);
      await expect(store.commit(change(2), actor)).rejects.toBe(refusal);
      expect(told).toEqual([1]);
      expect(await rows('SELECT n FROM change')).toEqual([1]);
    });

    describe('work of a group', () => {
      /** Writes down how many commits it was given, and fails where one of them is a bad one. */
      const counting = (bad = -1): Participant => ({
        name: 'index',
        concerns: ['item.size'],
        group: (commits) => {
          const ids = commits.map(({ touches }) => touches[0]!.id);
          const members = ids.includes(`VX-${bad}`) ? 1_000 : commits.length;
          return [{ sql: 'INSERT INTO work VALUES (?, ?)', args: [members, ids.join(' ')] }];
        },
      });
      const numbers = Array.from({ length: 12 }, (_, n) => n);
      const commitAll = () => Promise.allSettled(numbers.map((n) => store.commit(change(n), actor)));
      const worked = async () => (await rows('SELECT commits FROM work')).join(' ').split(' ').sort();

      test('is done once for all that share a transaction, and never without them', async () => {
        await open(counting());
        expect((await commitAll()).map(({ status }) => status)).not.toContain('rejected');
        expect(await worked()).toEqual(numbers.map((n) => `VX-${n}`).sort());
        const groups = (await rows('SELECT count(*) FROM work'))[0];
        if (place.database.grouped) expect(groups).toBeLessThan(numbers.length);
      });

      test('is computed again without a member that breaks', async () => {
        await open(counting());
        await store.commit(change(5), actor);
        const results = await commitAll();
        expect(results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([5]);
        expect(results[5]).toMatchObject({ reason: { code: 'already-exists' } });
        expect(await worked()).toEqual(numbers.map((n) => `VX-${n}`).sort());
      });

      test('that fails sinks the member that it fails for, and no other', async () => {
        await open(counting(7));
        const results = await commitAll();
        expect(results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([7]);
        expect(results[7]).toMatchObject({ reason: { code: 'internal' } });
        expect(await rows('SELECT n FROM change ORDER BY n')).toEqual(numbers.filter((n) => n !== 7));
        expect(await worked()).toEqual(
          numbers
            .filter((n) => n !== 7)
            .map((n) => `VX-${n}`)
            .sort(),
        );
      });

      test('that throws sinks the member that it throws for, and no other', async () => {
        const thrown = new ServiceError('bad-value');
        await open({
          name: 'index',
          concerns: ['item.size'],
          group: async (commits) => {
            if (commits.some(({ touches }) => touches[0]!.id === 'VX-3')) throw thrown;
            return [];
          },
        });
        const results = await commitAll();
        expect(results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual([thrown]);
        expect(await rows('SELECT count(*) FROM change')).toEqual([11]);
      });
    });

    // Memory has one instance: its second one is the first.
    test.skipIf(kind.name === 'memory')(
      'an older program that runs refuses changes once a newer one has migrated the database',
      async () => {
        await open();
        await store.commit(change(1), actor);
        const second: Migration = {
          number: 2,
          name: 'second',
          statements: ['CREATE TABLE second (x INTEGER NOT NULL)'],
        };
        const newer = openStore(await place.another(), storeSettings({ migrations: [tables, second] }));
        await newer.migrate();
        const refused = store.commit(change(2), actor);
        await expect(refused).rejects.toMatchObject({ code: 'store-unavailable', status: 503 });
        await expect(refused).rejects.toMatchObject({ detail: { explanation: expect.stringContaining('version 1') } });
        await newer.commit(change(3), actor);
        expect(await rows('SELECT n FROM change ORDER BY n')).toEqual([1, 3]);
        await newer.close();
      },
    );
  });
}
