import { expect, it } from 'vitest';
import { logAttempt } from '../../../src/administration/notifications/attempts/store.ts';
import { disable } from '../../../src/administration/notifications/health/rules.ts';
import {
  claimLanes,
  deleteDelivery,
  headsOf,
  park,
  postponeLane,
} from '../../../src/administration/notifications/outbox-sql.ts';
import type { Statement } from '../../../src/core/store/contract.ts';
import { newGroup } from '../../support/cast.ts';
import { startOfTime } from '../../support/clock.ts';
import { describeMatrix, type Entry, type Sent, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { nobody } from '../../support/store.ts';
import {
  newNotification,
  notificationDocument,
  onCreate,
  onModify,
  parkedRows,
  readyLanes,
  waiting,
} from './support.ts';

const base = '/API/group/notification/VX-1';
const ask = (request: string): Sent => ({ as: admin, request, headers: { accept: 'application/json' } });
const commit = (world: World, ...changes: Statement[]) => world.service.store.commit({ changes, events: [] }, nobody);

async function read(world: World, target: string): Promise<Record<string, unknown>> {
  const { status, body } = await world.send(ask(`GET ${target}`));
  expect(status, body).toBe(200);
  return JSON.parse(body) as Record<string, unknown>;
}

/** World with a notification of creations, and with the groups created. Gives the sequences of their events. */
async function withWaiting(entry: Entry, ...groups: string[]): Promise<{ world: World; sequences: number[] }> {
  const world = await entry.open();
  await prepare(world, [newNotification(onCreate), ...groups.map((name) => newGroup(name))]);
  const rows = await world.service.store.read('SELECT sequence FROM outbox ORDER BY sequence');
  return { world, sequences: rows.map(([sequence]) => Number(sequence)) };
}

const attempt = (sequence: number | null, more: object = {}) =>
  logAttempt({
    notificationId: 'VX-1',
    sequence,
    event: 'group/create',
    entityId: 'one',
    number: 1,
    started: startOfTime,
    ended: startOfTime + 250,
    state: 'failed',
    status: 503,
    error: 'http',
    address: 'http://hooks.example/in',
    answer: 'busy',
    says: 'Expected a status from 200 to 299: "503"',
    ...more,
  });
const giveUp = (sequence: number) =>
  park({ notificationId: 'VX-1', sequence, attempts: 4, reason: 'attempts', now: startOfTime, max: 100 });

describeMatrix('how deliveries go', (entry) => {
  it('health tells what waits and since when', async () => {
    const { world } = await withWaiting(entry, 'one', 'two');
    expect(await read(world, `${base}/health`)).toEqual({
      state: 'active',
      since: '2030-01-01T00:00:00.000+0000',
      lane: 'http:http://hooks.example/in',
      waiting: 2,
      oldestWaiting: '2030-01-01T00:00:00.000+0000',
      parked: 0,
      delivered: 0,
      failed: 0,
      lost: 0,
      failures: 0,
    });
  });

  it('pause keeps what comes, and resume lets it go', async () => {
    const { world } = await withWaiting(entry);
    await prepare(world, [ask(`POST ${base}/pause?reason=Maintenance`), newGroup('one')]);
    expect([await waiting(world), await readyLanes(world)]).toEqual([['VX-1 group/create one'], []]);
    expect(await read(world, `${base}/health`)).toMatchObject({ state: 'paused', reason: 'Maintenance', waiting: 1 });
    await prepare(world, [ask(`POST ${base}/resume`)]);
    expect(await readyLanes(world)).toEqual(['http:http://hooks.example/in']);
    const health = await read(world, `${base}/health`);
    expect([health['state'], health['reason']]).toEqual(['active', undefined]);
  });

  it('a pause without a reason names who asked for it', async () => {
    const { world } = await withWaiting(entry);
    await prepare(world, [ask(`POST ${base}/pause`)]);
    expect(await read(world, `${base}/health`)).toMatchObject({ reason: 'Paused by admin' });
  });

  it('one that is disabled matches nothing, stays disabled when it is changed, and is taken up again', async () => {
    const { world } = await withWaiting(entry, 'one');
    await commit(world, ...disable({ id: 'VX-1' }, 'Gone', startOfTime).changes);
    const change = {
      as: admin,
      request: `PUT ${base}`,
      body: notificationDocument({ group: { create: '', modify: '' } }),
    };
    await prepare(world, [newGroup('two'), change, newGroup('three')]);
    expect(await waiting(world)).toEqual(['VX-1 group/create one']);
    expect(await read(world, `${base}/health`)).toMatchObject({ state: 'disabled', reason: 'Gone' });
    expect((await world.send(ask(`POST ${base}/pause`))).status).toBe(403);
    await prepare(world, [ask(`POST ${base}/resume`), newGroup('three', { description: 'x' })]);
    expect(await waiting(world)).toEqual(['VX-1 group/create one', 'VX-1 group/modify three']);
  });

  it('the log tells attempts, the newest first, page by page', async () => {
    const { world, sequences } = await withWaiting(entry, 'one');
    const [sequence] = sequences as [number];
    for (const number of [1, 2, 3]) await commit(world, attempt(sequence, { number, started: startOfTime + number }));
    const first = await read(world, `${base}/delivery?number=2`);
    const shown = (list: Record<string, unknown>) =>
      (list['delivery'] as { attempt: number }[]).map((each) => each.attempt);
    expect(shown(first)).toEqual([3, 2]);
    const second = await read(world, `${base}/delivery?number=2&before=${first['next']}`);
    expect([shown(second), second['next']]).toEqual([[1], undefined]);
    expect((first['delivery'] as object[])[0]).toEqual({
      id: 3,
      event: sequence,
      trigger: 'group/create',
      entity: 'one',
      attempt: 3,
      started: '2030-01-01T00:00:00.003+0000',
      ended: '2030-01-01T00:00:00.250+0000',
      duration: 247,
      state: 'failed',
      status: 503,
      error: 'http',
      address: 'http://hooks.example/in',
    });
  });

  it('the log is searched by state, entity and time', async () => {
    const { world } = await withWaiting(entry);
    const later = startOfTime + 3_600_000;
    await commit(
      world,
      attempt(1),
      attempt(2, { state: 'delivered' }),
      attempt(3, { entityId: 'two', started: later }),
      attempt(4, { entityId: 'two', state: 'delivered', started: later }),
    );
    for (const [query, events] of [
      ['', [4, 3, 2, 1]],
      ['?state=delivered', [4, 2]],
      ['?state=FAILED', [3, 1]],
      ['?entity=two', [4, 3]],
      ['?entity=two&state=failed', [3]],
      ['?since=2030-01-01T00:30:00Z', [4, 3]],
      ['?since=2030-01-01T00:30:00Z&state=failed', [3]],
      ['?entity=nobody', []],
    ] as const) {
      const { delivery } = await read(world, `${base}/delivery${query}`);
      expect([query, (delivery as { event: number }[]).map(({ event }) => event)]).toEqual([query, events]);
    }
    for (const wrong of ['before=x', 'state=foo']) {
      expect((await world.send(ask(`GET ${base}/delivery?${wrong}`))).status, wrong).toBe(400);
    }
  });

  it('one attempt tells how the answer began and what became of the event', async () => {
    const { world, sequences } = await withWaiting(entry, 'one', 'two');
    const [one, two] = sequences as [number, number];
    await commit(world, attempt(one), attempt(two), attempt(null), ...giveUp(two));
    expect(await read(world, `${base}/delivery/1`)).toMatchObject({
      explanation: 'Expected a status from 200 to 299: "503"',
      answer: 'busy',
      waits: true,
      parked: false,
    });
    expect(await read(world, `${base}/delivery/2`)).toMatchObject({ waits: false, parked: true });
    for (const id of ['9', 'x', '0']) expect((await world.send(ask(`GET ${base}/delivery/${id}`))).status).toBe(404);
    const refused = await world.send(ask(`POST ${base}/delivery/3/retry`));
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('before the change')]);
  });

  it('retry sends an event again, counts on, and does not wait for the end of a pause', async () => {
    const { world, sequences } = await withWaiting(entry, 'one', 'two');
    const [one] = sequences as [number];
    const { store } = world.service;
    await commit(
      world,
      attempt(one, { number: 3, state: 'delivered' }),
      deleteDelivery({ notificationId: 'VX-1', sequence: one }),
    );
    const [held] = await claimLanes(store, { now: startOfTime, until: startOfTime + 9, owner: 'me', max: 1 }, nobody);
    await commit(world, postponeLane({ ...held!, until: startOfTime + 1_000_000 }));
    await prepare(world, [ask(`POST ${base}/delivery/1/retry`), ask(`POST ${base}/delivery/1/retry`)]);
    expect(await waiting(world)).toEqual(['VX-1 group/create one', 'VX-1 group/create two']);
    const claims = await claimLanes(store, { now: startOfTime, until: startOfTime + 9, owner: 'me', max: 1 }, nobody);
    expect(
      await headsOf(
        store,
        claims.map(({ lane }) => lane),
        startOfTime,
      ),
    ).toMatchObject([{ sequence: one, earlier: 3, attempts: 0 }]);
  });

  it('what was given up is listed, sent again one by one, or deleted', async () => {
    const { world, sequences } = await withWaiting(entry, 'one', 'two', 'three', 'four');
    const [one, two, three] = sequences as [number, number, number];
    for (const sequence of sequences) await commit(world, ...giveUp(sequence));
    const list = await read(world, `${base}/parked?number=1`);
    expect(list).toEqual({
      event: [
        {
          sequence: one,
          trigger: 'group/create',
          entity: 'one',
          happened: '2030-01-01T00:00:00.000+0000',
          parked: '2030-01-01T00:00:00.000+0000',
          reason: 'attempts',
          attempts: 4,
        },
      ],
      next: one + 1,
    });
    await prepare(world, [ask(`POST ${base}/parked/${one}/retry`), ask(`DELETE ${base}/parked/${two}`)]);
    expect(await parkedRows(world)).toEqual(['VX-1 group/create three attempts', 'VX-1 group/create four attempts']);
    expect(await waiting(world)).toEqual(['VX-1 group/create one']);
    expect((await world.send(ask(`DELETE ${base}/parked/${two}`))).status).toBe(404);
    expect((await world.send(ask(`POST ${base}/parked/${one}/retry`))).status).toBe(404);
    const [row] = await world.service.store.read('SELECT earlier FROM outbox');
    expect(row).toEqual([4]);
    const rest = await read(world, `${base}/parked?since=${three + 1}`);
    expect(rest['event']).toHaveLength(1);
    await prepare(world, [ask(`DELETE ${base}/parked`)]);
    expect([await parkedRows(world), await read(world, `${base}/health`)]).toMatchObject([[], { parked: 0, lost: 0 }]);
  });

  it('test sends a sample to that notification and to nobody else', async () => {
    const { world } = await withWaiting(entry);
    await prepare(world, [newNotification(onCreate), newNotification({ group: { create: '', delete: '' } })]);
    await prepare(world, [
      ask(`POST ${base}/test`),
      ask('POST /API/group/notification/VX-3/test?trigger=group/delete'),
    ]);
    expect(await waiting(world)).toEqual(['VX-1 notification/test VX-1', 'VX-3 notification/test VX-3']);
    const payloads = (await world.events()).slice(-2).map(({ payload }) => payload);
    expect(payloads).toEqual([
      { notification: 'VX-1', event: 'group/create', payload: { group: 'editors' } },
      { notification: 'VX-3', event: 'group/delete', payload: { group: 'editors' } },
    ]);
    const wrong = await world.send(ask(`POST ${base}/test?trigger=group/modify`));
    expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('group/create')]);
  });

  it('none of it is known of a notification that is not there, or is elsewhere', async () => {
    const { world } = await withWaiting(entry);
    await prepare(world, [newNotification(onModify, {}, '/group')]);
    for (const rest of ['health', 'delivery', 'delivery/1', 'parked', 'replay', 'secret', 'external-id']) {
      expect([rest, (await world.send(ask(`GET /API/group/notification/VX-9/${rest}`))).status]).toEqual([rest, 404]);
      expect([rest, (await world.send(ask(`GET /API/item/notification/VX-1/${rest}`))).status]).toEqual([rest, 404]);
    }
  });
});
