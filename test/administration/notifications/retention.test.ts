import { expect, it } from 'vitest';
import { logAttempt } from '../../../src/administration/notifications/attempts/store.ts';
import { park } from '../../../src/administration/notifications/outbox-sql.ts';
import { retentionKind } from '../../../src/administration/notifications/retention.ts';
import { newGroup } from '../../support/cast.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { nobody } from '../../support/store.ts';
import { stepOf } from '../../support/work.ts';
import { newNotification, onCreate, waiting } from './support.ts';

const day = 24 * 60 * 60_000;
const settings = { eventDays: 2, deliveryDays: 1 };

const count = async (world: World, table: string): Promise<unknown> =>
  (await world.service.store.read(`SELECT count(*) FROM ${table}`))[0]![0];
function sweeperOf({ service: { store }, clock }: World) {
  const kind = retentionKind({ store, clock, actor: nobody, settings });
  return { work: () => stepOf(kind, clock) };
}
const queue = (world: World) => world.service.store.read('SELECT head, parked, lost FROM queue');

it('forgets events with all that waits for them, and counts what is lost', async () => {
  const world = await openWorld('fetch', { settings });
  const sweeper = sweeperOf(world);
  await prepare(world, [newNotification(onCreate), newGroup('one'), newGroup('two')]);
  const [[first], [second]] = (await world.service.store.read('SELECT sequence FROM outbox ORDER BY sequence')) as [
    [number],
    [number],
  ];
  const row = { notificationId: 'VX-1', sequence: first, attempts: 1, reason: 'attempts' as const, now: 1, max: 9 };
  await world.service.store.commit({ changes: park(row), events: [] }, nobody);
  expect(await queue(world)).toEqual([[second, 1, 0]]);
  await world.clock.advance(day);
  await prepare(world, [newGroup('three')]);
  await world.clock.advance(day + 1);
  await sweeper.work();
  expect(await waiting(world)).toEqual(['VX-1 group/create three']);
  const [state] = await queue(world);
  expect(state!.slice(1)).toEqual([0, 2]);
  expect((await world.events()).map(({ name, entity }) => `${name} ${entity}`)).toEqual(['group/create three']);
});

it('keeps what is young enough, and looks again after a while only', async () => {
  const world = await openWorld('fetch', { settings });
  const sweeper = sweeperOf(world);
  await prepare(world, [newGroup('one')]);
  const before = await count(world, 'event');
  expect(await sweeper.work()).toBe(600_000);
  await world.clock.advance(2 * day);
  expect(await sweeper.work()).toBe(600_000);
  expect(await count(world, 'event')).toBe(before);
  await world.clock.advance(599_999);
  expect(await sweeper.work()).toBe(1);
  await world.clock.advance(1);
  await sweeper.work();
  expect(await count(world, 'event')).toBe(0);
});

it('takes away a deleted notification with the last event that waited for it', async () => {
  const world = await openWorld('fetch', { settings });
  const sweeper = sweeperOf(world);
  const { as } = newGroup('x');
  await prepare(world, [
    newNotification(onCreate),
    newGroup('one'),
    { as, request: 'DELETE /API/group/notification/VX-1' },
  ]);
  expect(await count(world, 'notification')).toBe(1);
  await world.clock.advance(3 * day);
  await sweeper.work();
  expect([await count(world, 'notification'), await count(world, 'outbox')]).toEqual([0, 0]);
});

it('works in bounded pieces, and goes on at once while there is more', async () => {
  const world = await openWorld('fetch', { settings });
  const sweeper = sweeperOf(world);
  const now = world.clock.now();
  const attempt = {
    notificationId: 'VX-1',
    sequence: 1,
    event: 'e',
    entityId: 'x',
    number: 1,
    started: now,
    ended: now,
  };
  const more = { state: 'delivered', status: 200, error: null, address: null, answer: null, says: null } as const;
  const changes = Array.from({ length: 501 }, () => logAttempt({ ...attempt, ...more }));
  await world.service.store.commit({ changes, events: [] }, nobody);
  await world.clock.advance(day + 1);
  expect([await sweeper.work(), await count(world, 'attempt')]).toEqual([0, 1]);
  expect([await sweeper.work(), await count(world, 'attempt')]).toEqual([600_000, 0]);
});
