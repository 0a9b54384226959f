import { expect, it } from 'vitest';
import { settle } from '../../../support/clock.ts';
import { delivered, down, groupOf, http, instanceOn, outboxWorld } from './support.ts';

/** A receiver that never answers. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

it('delivers each event once, and leaves nothing behind', async () => {
  const world = await outboxWorld();
  await world.notify('n1');
  for (const group of ['a', 'b', 'c']) await world.happen(group, 'n1');
  const told: string[] = [];
  const receiver = (order: Parameters<typeof groupOf>[0]) => {
    told.push(`${order.id} ${groupOf(order)} ${order.number}`);
    return delivered;
  };
  const next = await instanceOn(world.store, { ...world, receiver }).tick();
  expect(told).toEqual(['n1_1 a 1', 'n1_2 b 1', 'n1_3 c 1']);
  expect(next).toBeUndefined();
  expect(await world.rows('SELECT * FROM outbox')).toEqual([]);
  expect(await world.rows('SELECT ready, owner FROM lane')).toEqual([[null, null]]);
  expect(await world.rows('SELECT delivered, failed, head FROM queue')).toEqual([[3, 0, null]]);
  expect(await world.rows('SELECT sequence, number, state, status FROM attempt')).toEqual([
    [1, 1, 'delivered', 200],
    [2, 1, 'delivered', 200],
    [3, 1, 'delivered', 200],
  ]);
});

it('waits between attempts, longer each time, and parks after the last one', async () => {
  const world = await outboxWorld();
  await world.notify('n1', http({ retry: 2 }));
  await world.happen('a', 'n1');
  await world.happen('b', 'n1');
  const told: string[] = [];
  const instance = instanceOn(world.store, {
    ...world,
    receiver: (order) => {
      told.push(`${groupOf(order)}${order.number}`);
      return groupOf(order) === 'a' ? down : delivered;
    },
  });
  const first = (await instance.tick())! - world.clock.now();
  expect(first).toBeGreaterThanOrEqual(800);
  expect(first).toBeLessThanOrEqual(1_200);
  await world.clock.advance(first - 1);
  await instance.tick();
  expect(told).toEqual(['a1']);
  await world.clock.advance(1);
  const second = (await instance.tick())! - world.clock.now();
  expect(second).toBeGreaterThanOrEqual(1_600);
  expect(told).toEqual(['a1', 'a2']);
  await world.clock.advance(second);
  expect(await instance.tick()).toBeUndefined();
  expect(told).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect(await world.rows('SELECT sequence, reason, attempts FROM parked')).toEqual([[1, 'attempts', 3]]);
  expect(instance.counted).toEqual(['again', 'again', 'park', 'deliver']);
});

it('lanes that go on together get each what is next in them, and no more than that', async () => {
  const world = await outboxWorld();
  const lanes = ['n1', 'n2', 'n3', 'n4'];
  for (const id of lanes) await world.notify(id);
  for (const group of ['a', 'b', 'c']) await world.happen(group, ...lanes);
  await world.happen('d', 'n3');
  const told: Record<string, string> = {};
  const receiver = (order: Parameters<typeof groupOf>[0]) => {
    told[order.notificationId] = `${told[order.notificationId] ?? ''}${groupOf(order)}${order.number}`;
    return delivered;
  };
  let reads = 0;
  const store = {
    ...world.store,
    read: (...given: Parameters<typeof world.store.read>) => {
      if (given[0].includes('json_each')) reads++;
      return world.store.read(...given);
    },
  };
  await instanceOn(store, { ...world, receiver }).tick();
  expect(told).toEqual({ n1: 'a1b1c1', n2: 'a1b1c1', n3: 'a1b1c1d1', n4: 'a1b1c1' });
  // For four lanes: the first heads, and three times the next ones. A commit tells which delivery was the last.
  expect(reads).toBe(4);
});

it('is not held up by a receiver that hangs', async () => {
  const world = await outboxWorld();
  for (const id of ['slow', 'fast']) await world.notify(id);
  await world.happen('a', 'slow', 'fast');
  const told: string[] = [];
  let answer = () => {};
  const instance = instanceOn(world.store, {
    ...world,
    receiver: ({ notificationId }) => {
      told.push(notificationId);
      return notificationId === 'slow' ? new Promise((resolve) => (answer = () => resolve(delivered))) : delivered;
    },
  });
  const ticking = instance.tick();
  await settle(20);
  await world.happen('b', 'fast');
  await world.clock.advance(1_000);
  expect(told.filter((id) => id === 'fast')).toHaveLength(2);
  answer();
  await ticking;
});

it('keeps a lane for as long as its call takes', async () => {
  const world = await outboxWorld();
  await world.notify('n1');
  await world.happen('a', 'n1');
  let calls = 0;
  let answer = () => {};
  const receiver = () => {
    calls++;
    return new Promise<typeof delivered>((resolve) => (answer = () => resolve(delivered)));
  };
  const one = instanceOn(world.store, { ...world, receiver, lease: 9_000 }).tick();
  await settle(20);
  await world.clock.advance(60_000);
  await instanceOn(world.store, { ...world, receiver, owner: 'b' }).tick(0);
  expect(calls).toBe(1);
  answer();
  await one;
  expect(await world.rows('SELECT delivered FROM queue')).toEqual([[1]]);
});

it('does not let anybody who was too slow decide', async () => {
  const world = await outboxWorld();
  await world.notify('n1');
  await world.happen('a', 'n1');
  await world.happen('b', 'n1');
  const answers: (() => void)[] = [];
  const told: string[] = [];
  const receiver = (name: string) => (order: Parameters<typeof groupOf>[0]) => {
    told.push(`${name} ${groupOf(order)}`);
    return new Promise<typeof delivered>((resolve) => answers.push(() => resolve(delivered)));
  };
  const slow = instanceOn(world.store, { ...world, receiver: receiver('slow'), lease: 9_000 });
  const slowly = slow.tick();
  await settle(20);
  // As if it had slept: another one finds the lease over.
  await world.store.commit({ changes: [{ sql: 'UPDATE lane SET ready = 0', args: [] }], events: [] }, { user: 'test' });
  const other = instanceOn(world.store, { ...world, receiver: receiver('other'), owner: 'b' }).tick();
  await settle(20);
  answers[0]!();
  await slowly;
  expect(slow.lost).toBe(1);
  expect(await world.rows('SELECT sequence FROM outbox')).toEqual([[1], [2]]);
  answers[1]!();
  await settle(20);
  answers[2]!();
  await other;
  expect(told).toEqual(['slow a', 'other a', 'other b']);
  expect(await world.rows('SELECT delivered FROM queue')).toEqual([[2]]);
});

it('is not held up by more receivers that hang than it has hands', async () => {
  const world = await outboxWorld();
  const slow = Array.from({ length: 6 }, (_, index) => `slow${index}`);
  for (const id of [...slow, 'fast']) await world.notify(id);
  await world.happen('a', ...slow);
  const told: string[] = [];
  const instance = instanceOn(world.store, {
    ...world,
    concurrency: 3,
    receiver: ({ notificationId }, signal) => {
      told.push(notificationId);
      return notificationId === 'fast' ? delivered : untilStopped(signal);
    },
  });
  const ticking = instance.tick();
  await settle(20);
  expect(told).toHaveLength(3);
  await world.happen('b', 'fast');
  for (let second = 0; second < 10 && !told.includes('fast'); second++) await world.clock.advance(1_000);
  expect(told).toContain('fast');
  const closing = instance.close();
  await world.clock.advance(5_000);
  await Promise.all([ticking, closing]);
  expect(await world.rows('SELECT count(*) FROM lane WHERE owner IS NOT NULL')).toEqual([[0]]);
});

it('stops between two calls, and gives back what it holds', async () => {
  const world = await outboxWorld();
  await world.notify('n1');
  for (const group of ['a', 'b']) await world.happen(group, 'n1');
  let answer = () => {};
  const told: string[] = [];
  const instance = instanceOn(world.store, {
    ...world,
    receiver: (order) => {
      told.push(groupOf(order));
      return new Promise((resolve) => (answer = () => resolve(delivered)));
    },
  });
  const running = instance.run();
  await settle(20);
  const closing = instance.close();
  answer();
  await Promise.all([running, closing]);
  expect(told).toEqual(['a']);
  expect(await world.rows('SELECT sequence, attempts FROM outbox')).toEqual([[2, 0]]);
  expect(await world.rows('SELECT owner, ready IS NOT NULL FROM lane')).toEqual([[null, 1]]);
});

it('abandons a call that does not end when it has to stop, without counting it', async () => {
  const world = await outboxWorld();
  await world.notify('n1');
  await world.happen('a', 'n1');
  const instance = instanceOn(world.store, {
    ...world,
    receiver: (_order, signal) => untilStopped(signal),
  });
  const running = instance.run();
  await settle(20);
  const closing = instance.close();
  await world.clock.advance(5_000);
  await Promise.all([running, closing]);
  expect(await world.rows('SELECT attempts FROM outbox')).toEqual([[0]]);
  expect(await world.rows('SELECT * FROM attempt')).toEqual([]);
  expect(await world.rows('SELECT owner FROM lane')).toEqual([[null]]);
});

it('goes on when the database is back', async () => {
  const world = await outboxWorld();
  await world.notify('n1');
  await world.happen('a', 'n1');
  let broken = true;
  const store = {
    ...world.store,
    commit: (...given: Parameters<typeof world.store.commit>) =>
      broken ? Promise.reject(new Error('The test took it away')) : world.store.commit(...given),
  };
  const instance = instanceOn(store, { ...world, receiver: () => delivered });
  const next = (await instance.tick())!;
  expect(next - world.clock.now()).toBe(1_000);
  broken = false;
  await world.clock.advance(1_000);
  expect(await instance.tick()).toBeUndefined();
  expect(instance.counted).toEqual(['deliver']);
});

it('a holder whose lease was taken back changes nothing with it, and the next one delivers at once', async () => {
  const world = await outboxWorld();
  await world.notify('n1');
  await world.happen('a', 'n1');
  let answer = () => {};
  const held = instanceOn(world.store, {
    ...world,
    receiver: () => new Promise((resolve) => (answer = () => resolve(delivered))),
  });
  const ticking = held.tick();
  await settle(20);
  const next = instanceOn(world.store, { ...world, receiver: () => delivered, owner: 'b' });
  await next.takeBack();
  expect(await next.tick()).toBeUndefined();
  expect(next.counted).toEqual(['deliver']);
  answer();
  await ticking;
  expect([held.counted, held.lost]).toEqual([[], 1]);
  expect(await world.rows('SELECT delivered, failed FROM queue')).toEqual([[1, 0]]);
});
