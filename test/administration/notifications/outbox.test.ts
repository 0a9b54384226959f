import { describe, expect, it, onTestFinished } from 'vitest';
import { logAttempt } from '../../../src/administration/notifications/attempts/store.ts';
import { createMatching } from '../../../src/administration/notifications/matching/participant.ts';
import {
  activateQueue,
  claimLanes,
  countFailure,
  countSuccess,
  deleteDelivery,
  headsOf,
  loseDelivery,
  park,
  pauseQueue,
  postponeLane,
  readyTimes,
  releaseLane,
  renewLane,
  resumeDue,
  stillMine,
  tryAgain,
  wakeLane,
} from '../../../src/administration/notifications/outbox-sql.ts';
import { buryAll, createNotification } from '../../../src/administration/notifications/registration/store.ts';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import type { Statement } from '../../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { triggers } from '../../support/declared.ts';
import { isLong } from '../../support/long.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { sqldBinary, startSqld } from '../../support/sqld.ts';
import { hastyClock, migrations, nobody } from '../../support/store.ts';

const lost = new ServiceError('changed-meanwhile');

async function migrated(database: Parameters<typeof openStore>[0]) {
  const clock = hastyClock(100);
  const settings = { maxParked: 10, maxNotificationDepth: 8 };
  const log = { write: () => undefined, writes: () => false };
  const matching = createMatching({ reader: database, log, triggers, settings, committed: () => undefined });
  const store = openStore(database, { clock, site: 'VX', migrations });
  store.join([matching]);
  await store.migrate();
  onTestFinished(() => store.close());
  return store;
}

function worldOf(store: Store) {
  const commit = (...changes: Statement[]) => store.commit({ changes, events: [] }, nobody);
  return {
    store,
    commit,
    /** Told of each creation of a group. */
    register: (id: string, lane: string, entity = '') =>
      commit(
        ...createNotification(
          { id, resource: '/group', entity, document: '{}', sealed: null, synchronous: 0, lane, now: 1, user: 'u' },
          [['group/create', '', 1]],
        ),
      ),
    happen: (entityId: string) =>
      store.commit(
        { changes: [], events: [{ name: 'group/create', entityType: 'group', entityId, payload: {} }] },
        nobody,
      ),
    claim: (now: number, max = 10, until = now + 50) => claimLanes(store, { now, until, owner: 'me', max }, nobody),
    async next(...lanes: string[]): Promise<string[]> {
      const heads = await headsOf(store, lanes, 1_000);
      return heads.map(({ lane, notificationId, entityId }) => `${lane}: ${notificationId} ${entityId}`);
    },
    queue: async (id: string) =>
      (
        await store.read(
          'SELECT state, parked, lost, delivered, failed, failures FROM queue WHERE notification_id = ?',
          [id],
        )
      )[0],
    lane: async (name: string) => (await store.read('SELECT ready, owner FROM lane WHERE name = ?', [name]))[0],
  };
}

const kinds: readonly (readonly [string, () => Promise<Store>])[] = [
  ['in memory', async () => migrated(await migratedDatabase())],
  [
    'on a libsql-server',
    async () => {
      const server = await startSqld();
      onTestFinished(() => server.stop());
      return migrated(openRemoteDatabase(server.url));
    },
  ],
];

describe.each(kinds)('the outbox %s', (kind, open) => {
  const test = it.skipIf(kind !== 'in memory' && (sqldBinary() === undefined || !isLong));

  test('gives a lane to one at a time, until its time is over', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    await world.register('VX-2', 'b');
    expect(await world.claim(200)).toEqual([]);
    await world.happen('one');
    expect((await world.claim(200)).map(({ lane }) => lane).toSorted()).toEqual(['a', 'b']);
    expect(await world.claim(249)).toEqual([]);
    expect(await world.claim(250)).toHaveLength(2);
  });

  test('refuses an instance that lost the lane, and no other', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    await world.happen('one');
    const [slow] = await world.claim(200);
    const [fast] = await world.claim(300);
    expect(fast!.fence).toBeGreaterThan(slow!.fence);
    const row = { notificationId: 'VX-1', sequence: 1 };
    await expect(world.commit(stillMine(slow!, lost), deleteDelivery(row))).rejects.toBe(lost);
    expect(await world.next('a')).toEqual(['a: VX-1 one']);
    await world.commit(renewLane({ ...slow!, until: 9999 }), stillMine(fast!, lost), deleteDelivery(row));
    expect(await world.next('a')).toEqual([]);
    expect((await world.lane('a'))![0]).toBe(350);
  });

  test('keeps the order of commits over all notifications of a lane', async () => {
    const world = worldOf(await open());
    for (const [id, entity] of [
      ['VX-1', 'x'],
      ['VX-2', ''],
      ['VX-3', 'y'],
    ] as const)
      await world.register(id, 'a', entity);
    for (const entity of ['y', 'x']) await world.happen(entity);
    const seen: string[] = [];
    for (;;) {
      const [head] = await headsOf(world.store, ['a'], 1_000);
      if (!head) break;
      seen.push(`${head.notificationId} ${head.entityId}`);
      await world.commit(deleteDelivery({ notificationId: head.notificationId, sequence: head.sequence }));
    }
    expect(seen).toEqual(['VX-2 y', 'VX-3 y', 'VX-1 x', 'VX-2 x']);
  });

  test('lets a lane rest that is empty, and leaves one ready in which something came meanwhile', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    await world.happen('one');
    const [held] = await world.claim(200);
    await world.commit(deleteDelivery({ notificationId: 'VX-1', sequence: 1 }));
    await world.happen('two');
    await world.commit(...releaseLane({ ...held!, now: 210 }));
    expect(await world.lane('a')).toEqual([210, null]);
    const [again] = await world.claim(220);
    await world.commit(deleteDelivery({ notificationId: 'VX-1', sequence: 2 }));
    await world.commit(...releaseLane({ ...again!, now: 230 }));
    expect(await world.lane('a')).toEqual([null, null]);
    expect(await readyTimes(world.store)).toEqual({ lane: null, pause: null });
    await world.happen('three');
    expect(await readyTimes(world.store)).toEqual({ lane: 100, pause: null });
  });

  test('lets a lane wait, and somebody end that', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    await world.happen('one');
    const [held] = await world.claim(200);
    const row = { notificationId: 'VX-1', sequence: 1 };
    await world.commit(
      tryAgain({ ...row, attempts: 1, now: 205 }),
      countFailure({ notificationId: 'VX-1', now: 205 }),
      postponeLane({ ...held!, until: 1000 }),
    );
    const [head] = await headsOf(world.store, ['a'], 1_000);
    expect(head).toMatchObject({ attempts: 1, failingSince: 205, earlier: 0, failures: 1 });
    expect([await world.claim(999), await readyTimes(world.store)]).toEqual([[], { lane: 1000, pause: null }]);
    await world.commit(wakeLane({ lane: 'a', now: 600 }));
    const [woken] = await world.claim(600);
    expect(woken?.lane).toBe('a');
    await world.commit(wakeLane({ lane: 'a', now: 610 }));
    expect(await world.claim(610)).toEqual([]);
  });

  test('parks what was given up, within bounds, and goes on', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    for (const entity of ['one', 'two', 'three']) await world.happen(entity);
    for (const sequence of [1, 2, 3]) {
      const reason = 'attempts' as const;
      await world.commit(...park({ notificationId: 'VX-1', sequence, attempts: 4, reason, now: 300, max: 2 }));
    }
    expect(await world.store.read('SELECT sequence, reason, attempts FROM parked')).toEqual([
      [2, 'attempts', 4],
      [3, 'attempts', 4],
    ]);
    expect(await world.queue('VX-1')).toEqual(['active', 2, 1, 0, 0, 0]);
    expect(await world.next('a')).toEqual([]);
  });

  test('takes one notification out of its lane, and brings it back', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    await world.register('VX-2', 'a');
    await world.happen('one');
    const pause = { notificationId: 'VX-1', state: 'paused', reason: 'r', now: 300, resumeAt: 500, pauses: 1 } as const;
    await world.commit(...pauseQueue(pause));
    expect(await world.next('a')).toEqual(['a: VX-2 one']);
    await world.commit(deleteDelivery({ notificationId: 'VX-2', sequence: 1 }));
    const [held] = await world.claim(310);
    await world.commit(...releaseLane({ ...held!, now: 320 }));
    expect([await world.lane('a'), await readyTimes(world.store)]).toEqual([[null, null], { lane: null, pause: 500 }]);
    expect(await resumeDue(world.store, { now: 499, max: 10 }, nobody)).toEqual([]);
    expect(await resumeDue(world.store, { now: 500, max: 10 }, nobody)).toEqual(['VX-1']);
    expect(await world.next('a')).toEqual(['a: VX-1 one']);
    expect((await world.claim(501)).map(({ lane }) => lane)).toEqual(['a']);
    await world.commit(...pauseQueue({ ...pause, state: 'disabled', resumeAt: null }));
    await world.commit(...activateQueue({ notificationId: 'VX-1', now: 600 }));
    expect(await world.next('a')).toEqual(['a: VX-1 one']);
  });

  test('a pause frees a lane that waited for the next attempt of that notification', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    await world.register('VX-2', 'a');
    await world.happen('one');
    const [held] = await world.claim(200);
    await world.commit(postponeLane({ ...held!, until: 9999 }));
    const pause = {
      notificationId: 'VX-1',
      state: 'paused',
      reason: 'r',
      now: 300,
      resumeAt: null,
      pauses: 0,
    } as const;
    await world.commit(...pauseQueue(pause));
    expect((await world.claim(300)).map(({ lane }) => lane)).toEqual(['a']);
  });

  test('tries what a deleted notification had matched, and takes it away with the last of it', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    for (const entity of ['one', 'two']) await world.happen(entity);
    const paused = { notificationId: 'VX-1', state: 'paused', reason: 'r', now: 1, resumeAt: null, pauses: 0 } as const;
    await world.commit(...pauseQueue(paused), ...buryAll({ ids: ['VX-1'], now: 7 }));
    await world.happen('three');
    const [head] = await headsOf(world.store, ['a'], 1_000);
    expect(head).toMatchObject({ deletedAt: 7, entityId: 'one' });
    const [held] = await world.claim(200);
    await world.commit(
      deleteDelivery({ notificationId: 'VX-1', sequence: 1 }),
      countSuccess({ notificationId: 'VX-1', now: 201 }),
    );
    await world.commit(...loseDelivery({ notificationId: 'VX-1', sequence: 2 }));
    expect(await world.store.read('SELECT id FROM notification')).toEqual([]);
    expect(await world.store.read('SELECT notification_id FROM queue')).toEqual([]);
    await world.commit(...releaseLane({ ...held!, now: 210 }));
    expect(await world.store.read('SELECT name FROM lane')).toEqual([]);
  });

  test('keeps a log of attempts', async () => {
    const world = worldOf(await open());
    const attempt = {
      notificationId: 'VX-1',
      sequence: 1,
      event: 'group/create',
      entityId: 'one',
      number: 1,
      started: 5,
      ended: 9,
    };
    await world.commit(
      logAttempt({
        ...attempt,
        state: 'delivered',
        status: 200,
        error: null,
        address: 'http://a',
        answer: 'ok',
        says: null,
      }),
    );
    expect(await world.store.read('SELECT number, state, status, answer FROM attempt')).toEqual([
      [1, 'delivered', 200, 'ok'],
    ]);
  });

  test('a fence never comes twice, even for a lane that was gone in between', async () => {
    const world = worldOf(await open());
    await world.register('VX-1', 'a');
    await world.happen('one');
    const [first] = await world.claim(200);
    await world.commit(
      deleteDelivery({ notificationId: 'VX-1', sequence: 1 }),
      ...releaseLane({ ...first!, now: 210 }),
    );
    await world.commit(...buryAll({ ids: ['VX-1'], now: 220 }));
    expect(await world.store.read('SELECT name FROM lane')).toEqual([]);
    await world.register('VX-2', 'a');
    await world.happen('two');
    const [second] = await world.claim(230);
    expect(second!.fence).toBeGreaterThan(first!.fence);
  });
});
