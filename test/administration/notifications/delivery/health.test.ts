import { expect, it } from 'vitest';
import type { World } from '../../../support/matrix.ts';
import { describeMatrix } from '../../../support/matrix.ts';
import { about, healthOf, openWorld, receiving, register, told, within } from '../../../support/receiver.ts';
import { prepare } from '../../../support/scenario.ts';
import { admin } from '../../../support/service.ts';

const group = (name: string) => ({ as: admin, request: `PUT /API/group/${name}` });

/** A request for the same notification with another address. */
const changed = (id: string, url: string) => ({
  as: admin,
  request: `PUT /API/group/notification/${id}`,
  body: { action: { http: { url } }, trigger: { group: { create: '' } } },
});

const meta = async (world: World) =>
  (await world.events())
    .filter(({ name }) => name.startsWith('notification/'))
    .map(({ name, payload }): Record<string, unknown> => ({ name, ...payload }));

const minute = 60_000;
const hour = 60 * minute;

describeMatrix('the health of a notification', (entry) => {
  it('pauses what fails again and again, tries once, and delivers all in order when the receiver is back', async () => {
    const world = await openWorld(entry, { pauseAfterFailures: 3, deliveryRetries: 1, deliveryRetryHours: 0 });
    const receiver = await receiving();
    const [watch, id] = [await receiving(), await register(world, { url: receiver.address })];
    await world.send({
      as: admin,
      request: 'POST /API/notification',
      body: {
        action: { http: { url: watch.address, contentType: 'application/json' } },
        trigger: { notification: { paused: '', disabled: '', recovered: '', parked: '' } },
      },
    });
    receiver.script(...Array.from({ length: 4 }, () => ({ status: 500 })));
    await prepare(world, ['a', 'b', 'c'].map(group));
    await within(world, 10_000);
    // The first was parked after its two attempts; the second is kept, because it is the receiver that is away.
    expect(receiver.received.map(told).map(({ group: name, sequenceNumber }) => `${name}${sequenceNumber}`)).toEqual([
      'a0',
      'a1',
      'b0',
    ]);
    expect(await healthOf(world, id)).toMatchObject({ state: 'paused', failures: 3, parked: 1, waiting: 2 });
    await within(world, 2 * minute);
    expect(receiver.received).toHaveLength(4);
    await within(world, 5 * minute);
    expect(receiver.received.map(told).map(({ group: name }) => name)).toEqual(['a', 'a', 'b', 'b', 'b', 'c']);
    expect(await healthOf(world, id)).toMatchObject({
      state: 'active',
      failures: 0,
      delivered: 2,
      parked: 1,
      waiting: 0,
    });
    const reason = 'Expected a status from 200 to 299: "500"';
    expect(await meta(world)).toEqual([
      { name: 'notification/parked', notificationId: id, reason, parked: 1 },
      { name: 'notification/paused', notificationId: id, reason, failures: 3, until: expect.any(Number) },
      { name: 'notification/paused', notificationId: id, reason, failures: 4, until: expect.any(Number) },
      { name: 'notification/recovered', notificationId: id },
    ]);
    expect(watch.received.map(told).map(({ notificationTrigger }) => notificationTrigger)).toEqual([
      'PARKED',
      'PAUSED',
      'PAUSED',
      'RECOVERED',
    ]);
    const metrics = world.service.metrics.render();
    expect(metrics).toContain('portico_deliveries_total{outcome="failed",error="http"} 3');
    expect(metrics).toContain('portico_deliveries_total{outcome="parked",error="http"} 1');
    expect(metrics).toContain('portico_deliveries_total{outcome="delivered",error=""} 6');
    expect(world.lines.filter(({ event }) => event === 'notification-paused')).toHaveLength(2);
  });

  it('switches off what has failed for days, says so, and takes it up again when it is told to', async () => {
    const world = await openWorld(entry, {
      ...{ pauseAfterFailures: 2, deliveryRetries: 0, disableAfterHours: 24, deliveryBlockedMinutes: 43_200 },
    });
    const receiver = await receiving();
    const id = await register(world, { url: receiver.address });
    receiver.script(...Array.from({ length: 100 }, () => ({ status: 503, body: 'in repair' })));
    await prepare(world, ['a', 'b', 'c'].map(group));
    await within(world, 25 * hour);
    const health = await healthOf(world, id);
    expect(health).toMatchObject({ state: 'disabled', reason: 'Expected a status from 200 to 299: "503"' });
    const names = (await meta(world)).map((each) => each['name']);
    expect(names.at(-1)).toBe('notification/disabled');
    expect(names.filter((name) => name === 'notification/paused').length).toBeGreaterThan(5);
    const calls = receiver.received.length;
    // Nothing more is sent, and nothing more is kept for it.
    await prepare(world, ['d'].map(group));
    await within(world, 2 * hour);
    expect(receiver.received).toHaveLength(calls);
    receiver.script();
    await about(world, id, 'POST /resume');
    await prepare(world, ['e'].map(group));
    for (let left = 100 - calls; left > 0; left--) await fetch(receiver.address);
    await within(world, hour);
    expect(receiver.received.map(({ body }) => body).filter((body) => body.includes('"e"'))).toHaveLength(1);
    expect(await healthOf(world, id)).toMatchObject({ state: 'active', failures: 0 });
  });

  it('a pause ends with the address that had earned it, and leaves no reason behind', async () => {
    const world = await openWorld(entry, { pauseAfterFailures: 1, pauseFirst: 600 });
    const [old, young] = [await receiving(), await receiving()];
    old.always(() => ({ status: 503 }));
    const id = await register(world, { url: old.address });
    await prepare(world, ['a'].map(group));
    await world.service.tick();
    expect(await healthOf(world, id)).toMatchObject({ state: 'paused', failures: 1 });
    await prepare(world, [changed(id, young.address)]);
    await world.service.tick();
    expect(young.received).toHaveLength(1);
    const health = await healthOf(world, id);
    expect(health).toMatchObject({ state: 'active', failures: 0, delivered: 1 });
    expect(health).not.toHaveProperty('reason');
  });

  it('what a call to the old address comes to is not charged to the one that a change names', async () => {
    const world = await openWorld(entry, { pauseAfterFailures: 1 });
    const [old, young] = [await receiving(), await receiving()];
    let answer = () => {};
    old.script({ status: 410, after: new Promise<void>((resolve) => (answer = resolve)) });
    const id = await register(world, { url: old.address });
    await prepare(world, ['a'].map(group));
    const ticking = world.service.tick();
    await old.until(1);
    await prepare(world, [changed(id, young.address)]);
    answer();
    await ticking;
    expect(await healthOf(world, id)).toMatchObject({ state: 'active', failures: 0, failed: 0 });
  });

  it.each([
    ['a pause by hand', 'POST /pause?reason=repairs', false, { reason: 'repairs', failed: 0 }],
    ['no request', 'GET /health', true, { failed: 1 }],
  ])('%s during a call stays what it is, whatever the call comes to', async (_, request, ends, expected) => {
    const world = await openWorld(entry, { pauseAfterFailures: 1 });
    const receiver = await receiving();
    let answer = () => {};
    receiver.script({ status: 500, after: new Promise<void>((resolve) => (answer = resolve)) });
    const id = await register(world, { url: receiver.address });
    await prepare(world, ['a'].map(group));
    const ticking = world.service.tick();
    await receiver.until(1);
    await about(world, id, request);
    answer();
    await ticking;
    const health = await healthOf(world, id);
    expect(health).toMatchObject({ state: 'paused', waiting: 1, ...expected });
    expect('resume' in health).toBe(ends);
  });

  it('leaves no waiting events if it is deleted during a call that ends with 410', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    let answer = () => {};
    receiver.always(() => ({ status: 410 }));
    receiver.script({ status: 410, after: new Promise<void>((resolve) => (answer = resolve)) });
    const id = await register(world, { url: receiver.address });
    await prepare(world, ['a', 'b'].map(group));
    const ticking = world.service.tick();
    await receiver.until(1);
    await about(world, id, 'DELETE ');
    answer();
    await ticking;
    await within(world, minute);
    expect(await world.service.store.read('SELECT id FROM notification')).toEqual([]);
  });

  it('the last event of a group is tried as often as it says, also where others failed before', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    await prepare(world, ['crew'].map(group));
    receiver.always(() => ({ status: 503 }));
    await register(world, { url: receiver.address, retry: 2 }, { group: { modify: '', delete: '' } }, '/group/crew');
    await prepare(world, [{ as: admin, request: 'PUT /API/group/crew/user/admin' }]);
    await within(world, minute);
    const before = receiver.received.length;
    await prepare(world, [{ as: admin, request: 'DELETE /API/group/crew' }]);
    await within(world, minute);
    expect([before, receiver.received.length - before]).toEqual([3, 3]);
  });

  it('one that moves to another lane leaves nobody waiting for it', async () => {
    const world = await openWorld(entry);
    const [slow, young, other] = [await receiving(), await receiving(), await receiving()];
    slow.always(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    const id = await register(world, { url: slow.address, group: 'one' });
    await register(world, { url: other.address, group: 'one' });
    await prepare(world, ['a'].map(group));
    await world.service.tick();
    expect(other.received).toEqual([]);
    await prepare(world, [changed(id, young.address)]);
    await world.service.tick();
    expect([young.received.length, other.received.length]).toEqual([1, 1]);
  });

  it('a pause that a person asked for does not end with a change', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    const id = await register(world, { url: receiver.address });
    await about(world, id, 'POST /pause?reason=repairs');
    await prepare(world, [changed(id, receiver.address), ...['a'].map(group)]);
    await world.service.tick();
    expect(receiver.received).toEqual([]);
    expect(await healthOf(world, id)).toMatchObject({ state: 'paused', reason: 'repairs', waiting: 1 });
  });

  it('tells when the next attempt is made; a notification that is new does not wait for one that is gone', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 429, headers: { 'retry-after': '3600' } });
    const id = await register(world, { url: receiver.address });
    await prepare(world, ['a'].map(group));
    await world.service.tick();
    expect(await healthOf(world, id)).toMatchObject({ waiting: 1, nextAttempt: '2030-01-01T01:00:00.000+0000' });
    await about(world, id, 'DELETE ');
    await register(world, { url: receiver.address });
    await prepare(world, ['b'].map(group));
    await world.service.tick();
    expect(receiver.received.map(told).map((each) => each['group'])).toContain('b');
  });

  it('410 switches a notification off at once, visibly', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 410 });
    const id = await register(world, { url: receiver.address });
    await prepare(world, ['a', 'b'].map(group));
    await within(world, minute);
    expect(receiver.received).toHaveLength(1);
    expect(await healthOf(world, id)).toMatchObject({ state: 'disabled', parked: 1, waiting: 1 });
    expect((await meta(world)).map((each) => each['name'])).toEqual(['notification/parked', 'notification/disabled']);
  });

  it('does not blame a receiver for what this side does not let through', async () => {
    const world = await openWorld(entry, { outboundAllow: [], pauseAfterFailures: 1 });
    const receiver = await receiving();
    const id = await register(world, { url: receiver.address });
    await prepare(world, ['a', 'b'].map(group));
    await within(world, minute);
    expect(receiver.received).toEqual([]);
    expect(await healthOf(world, id)).toMatchObject({ state: 'active', failures: 0, parked: 2 });
    const parked = await world.service.store.read('SELECT reason FROM parked');
    expect(parked.flat()).toEqual(['blocked', 'blocked']);
    // The reason names no address: its receiver may be somebody else than the user who may choose the address.
    expect((await meta(world))[0]!['reason']).toBe('Expected an address that PORTICO_OUTBOUND_ALLOW lists');
  });

  it('answers 4xx park one event after the other, and pause nothing', async () => {
    const world = await openWorld(entry, { pauseAfterFailures: 2 });
    const receiver = await receiving();
    receiver.script(...Array.from({ length: 12 }, () => ({ status: 400 })));
    const id = await register(world, { url: receiver.address, retry: 9 });
    await prepare(
      world,
      Array.from({ length: 12 }, (_, index) => group(`g${index}`)),
    );
    await within(world, minute);
    expect(receiver.received).toHaveLength(12);
    expect(await healthOf(world, id)).toMatchObject({ state: 'active', parked: 12 });
    expect((await meta(world)).map((each) => each['parked'])).toEqual([1, 10]);
  });

  it('is told in circles no longer than the setting says', async () => {
    const world = await openWorld(entry, { maxNotificationDepth: 3, deliveryRetries: 0 });
    const receiver = await receiving();
    receiver.script(...Array.from({ length: 50 }, () => ({ status: 400 })));
    await register(world, { url: receiver.address });
    // Notification that is told of its own failures.
    await world.send({
      as: admin,
      request: 'POST /API/notification',
      body: { action: { http: { url: receiver.address } }, trigger: { notification: { parked: '' } } },
    });
    await prepare(world, ['a'].map(group));
    await within(world, hour);
    expect(receiver.received.length).toBeLessThan(6);
  });
});
