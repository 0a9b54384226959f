import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { settle } from '../../support/clock.ts';
import { describeMatrix, type World } from '../../support/matrix.ts';
import { about, openWorld, receiving, register, told, within } from '../../support/receiver.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const newGroup = { as: admin, request: 'PUT /API/group/editors' };
const group = { as: admin, request: 'GET /API/group/editors' };

const attempts = async (world: World) =>
  (
    await world.service.store.read('SELECT sequence, number, state, status, error, answer FROM attempt ORDER BY id')
  ).map((row) => [...row]);

describeMatrix('a synchronous notification', (entry) => {
  it('is told before the change, and lets it pass', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    let answer = () => {};
    receiver.script({ after: new Promise<void>((resolve) => (answer = resolve)) });
    await register(world, { url: receiver.address, synchronous: true });
    const making = world.send(newGroup);
    await receiver.until(1);
    expect((await world.send(group)).status).toBe(404);
    answer();
    expect((await making).status).toBe(200);
    expect(told(receiver.received[0]!)).toMatchObject({ action: 'CREATE', group: 'editors', username: 'admin' });
    expect((await world.send(group)).status).toBe(200);
    // Nothing of it is left to be told afterwards.
    await world.service.tick();
    expect(receiver.received).toHaveLength(1);
    expect(await attempts(world)).toEqual([[null, 1, 'delivered', 200, null, null]]);
  });

  it('refuses the change with what its receiver says, and nothing happens', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 422, body: 'No \u0000editors\r\n  here,\u202e please' });
    const id = await register(world, { url: receiver.address, synchronous: true, retry: 5 });
    await playScenario(world, {
      name: 'a veto',
      ...newGroup,
      headers: { accept: 'application/json' },
      status: 400,
      answers: { 'portico-error': 'vetoed' },
      says: {
        jsonPart: {
          invalidInput: {
            id,
            explanation: `Refused by the receiver of the notification ${id}: No editors here, please`,
          },
        },
      },
    });
    expect((await world.send(group)).status).toBe(404);
    expect(receiver.received).toHaveLength(1);
    expect(await attempts(world)).toEqual([[null, 1, 'vetoed', 422, 'http', expect.stringContaining('here')]]);
  });

  it('hands on no more of what a receiver says than a sentence', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 400, body: 'x'.repeat(100_000) });
    await register(world, { url: receiver.address, synchronous: true });
    const { body } = await world.send(newGroup);
    expect(body).toContain('x'.repeat(400));
    expect(body.length).toBeLessThan(1_000);
  });

  it('lets nothing pass that its receiver could not look at', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 500 }, { breaks: true }, { breaks: true });
    const id = await register(world, { url: receiver.address, synchronous: true, retry: 1 });
    const making = world.send({ ...newGroup, headers: { accept: 'application/json' } });
    await receiver.until(1);
    await settle(20);
    await world.clock.advance(1_200);
    const { status, headers, body } = await making;
    expect([status, headers.get('portico-error'), headers.get('retry-after')]).toEqual([
      503,
      'receiver-unavailable',
      '5',
    ]);
    expect(body).toContain(id);
    expect(body).not.toContain('127.0.0.1');
    expect((await world.send(group)).status).toBe(404);
    expect(await attempts(world)).toEqual([
      [null, 1, 'failed', 500, 'http', null],
      [null, 2, 'failed', null, 'answer', null],
    ]);
  });

  it('holds a change up no longer than the setting says', async () => {
    const world = await openWorld(entry, { synchronousSeconds: 3 });
    const receiver = await receiving();
    const never = new Promise(() => undefined);
    receiver.script({ after: never });
    await register(world, { url: receiver.address, synchronous: true, retry: 9, timeout: '60' });
    const making = world.send(newGroup);
    await receiver.until(1);
    await settle(20);
    await world.clock.advance(3_000);
    expect((await making).status).toBe(503);
    expect(receiver.received).toHaveLength(1);
  });

  it('is one of several that are told one after the other; the first that refuses ends it', async () => {
    const world = await openWorld(entry);
    const [first, second, third] = [await receiving(), await receiving(), await receiving()];
    second.script({ status: 403 });
    for (const [index, { address }] of [first, second, third].entries()) {
      await register(world, { url: address, synchronous: true });
      await world.clock.advance(index + 1);
    }
    expect((await world.send(newGroup)).status).toBe(400);
    expect([first, second, third].map(({ received }) => received.length)).toEqual([1, 1, 0]);
  });

  it('is told of the change once, also where others are told afterwards', async () => {
    const world = await openWorld(entry);
    const [before, after] = [await receiving(), await receiving()];
    await register(world, { url: before.address, synchronous: true });
    await register(world, { url: after.address });
    await prepare(world, [newGroup, { ...newGroup, request: 'PUT /API/group/others' }]);
    await world.service.tick();
    expect([before, after].map(({ received }) => received.map(told).map(({ group: name }) => name))).toEqual([
      ['editors', 'others'],
      ['editors', 'others'],
    ]);
  });

  it('that somebody has paused is not asked', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 400 });
    const id = await register(world, { url: receiver.address, synchronous: true });
    await about(world, id, 'POST /pause');
    expect((await world.send(newGroup)).status).toBe(200);
    await about(world, id, 'POST /resume');
    expect((await world.send({ ...newGroup, request: 'PUT /API/group/others' })).status).toBe(400);
    expect(receiver.received).toHaveLength(1);
  });

  it('is asked however often it fails: neither a sample nor 410 opens the way past it', async () => {
    const world = await openWorld(entry, { pauseAfterFailures: 1 });
    const receiver = await receiving();
    receiver.always(() => ({ status: 503 }));
    const id = await register(world, { url: receiver.address, synchronous: true });
    await about(world, id, 'POST /test');
    await within(world, 60_000);
    receiver.always(() => ({ status: 410 }));
    await about(world, id, 'POST /test');
    await within(world, 60_000);
    expect(receiver.received.length).toBeGreaterThan(2);
    expect((await world.send(newGroup)).status).toBe(400);
    expect((await world.send(group)).status).toBe(404);
  });

  it('gets the events of its pause, and cannot refuse them', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    const id = await register(world, { url: receiver.address, synchronous: true });
    await about(world, id, 'POST /pause');
    await prepare(world, [newGroup]);
    await world.service.tick();
    expect(receiver.received).toEqual([]);
    await about(world, id, 'POST /resume');
    await world.service.tick();
    expect(receiver.received.map(told)).toMatchObject([{ action: 'CREATE', group: 'editors' }]);
  });

  it('is told of no job that does not happen', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    await prepare(world, [newUser(['carol', 'a long pass phrase'])]);
    await register(world, { url: receiver.address, synchronous: true }, { job: { finished: '' } }, '/job');
    const gone = { as: admin, request: 'DELETE /API/user/carol?hard=true' };
    const answers = await Promise.all([world.send(gone), world.send(gone)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    await within(world, 10_000);
    expect(receiver.received).toHaveLength(1);
  });

  it('gets an event that cannot be refused again after its receiver failed, until it has it', async () => {
    const world = await openWorld(entry);
    const [watched, watcher] = [await receiving(), await receiving()];
    watched.always(() => ({ status: 400 }));
    watcher.script({ status: 500 }, { status: 500 });
    await register(world, { url: watched.address });
    await register(
      world,
      { url: watcher.address, synchronous: true },
      { notification: { parked: '' } },
      '/notification',
    );
    await prepare(world, [newGroup]);
    await within(world, 10_000);
    expect(watcher.received.map(({ headers }) => headers['portico-attempt'])).toEqual(['1', '2', '3']);
  });

  it('is told of whom somebody acted for', async () => {
    const world = await openWorld(entry);
    const [before, after] = [await receiving(), await receiving()];
    await prepare(world, [newUser(['carol', 'a long pass phrase'], ['_administrator'])]);
    await register(world, { url: before.address, synchronous: true });
    await register(world, { url: after.address });
    await prepare(world, [{ ...newGroup, headers: { runas: 'carol' } }]);
    await world.service.tick();
    for (const { received } of [before, after])
      expect(received.map(told)).toMatchObject([{ group: 'editors', username: 'carol' }]);
  });

  it('at an address that may not be called lets nothing pass, and does not say which address that is', async () => {
    const world = await openWorld(entry, { outboundAllow: [] });
    const receiver = await receiving();
    await register(world, { url: receiver.address, synchronous: true });
    const { status, body } = await world.send(newGroup);
    expect(status).toBe(503);
    expect(body).toContain('blocked');
    expect(body).not.toContain('127.0.0.1');
    expect(receiver.received).toEqual([]);
  });
});
