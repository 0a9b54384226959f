import { expect, it } from 'vitest';
import { describeMatrix } from '../../../support/matrix.ts';
import { openWorld, receiving, register, told, within } from '../../../support/receiver.ts';
import { prepare } from '../../../support/scenario.ts';
import { admin } from '../../../support/service.ts';

describeMatrix('a notification', (entry) => {
  it('tells a receiver what happened to a group, in the order of the commits', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    const url = `${receiver.address.replace('//', '//ann:secret@')}/hook`;
    const id = await register(world, { url, method: 'PUT' });
    await prepare(world, [
      { as: admin, request: 'PUT /API/group/editors' },
      { as: admin, request: 'PUT /API/group/editors/user/admin' },
      { as: admin, request: 'DELETE /API/group/editors' },
    ]);
    expect(await world.service.tick()).toBeGreaterThan(world.clock.now());
    const common = { group: 'editors', username: 'admin', sequenceNumber: '0' };
    expect(receiver.received.map(told)).toEqual([
      { action: 'CREATE', ...common },
      { action: 'MODIFY', mode: 'ADD', affectedUser: 'admin', ...common },
      { action: 'DELETE', ...common },
    ]);
    expect(receiver.received[0]).toMatchObject({
      method: 'PUT',
      target: '/hook',
      headers: {
        authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}`,
        'content-type': 'application/json',
        'portico-notification': id,
        'portico-attempt': '1',
      },
    });
    expect(world.printed.join('\n')).not.toContain('secret');
  });

  it('says of a sample that it is one, and of nothing else', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    const id = await register(world, { url: receiver.address });
    await prepare(world, [
      { as: admin, request: `POST /API/group/notification/${id}/test` },
      { as: admin, request: 'PUT /API/group/editors' },
    ]);
    await world.service.tick();
    expect(receiver.received.map(({ headers }) => headers['portico-test'])).toEqual(['true', undefined]);
  });

  it('about one group alone receives its deletion, also if the receiver is not there at first', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 503 }, { breaks: true });
    await prepare(world, [{ as: admin, request: 'PUT /API/group/editors' }]);
    await register(world, { url: receiver.address, retry: 3 }, { group: { delete: '' } }, '/group/editors');
    await prepare(world, [{ as: admin, request: 'DELETE /API/group/editors' }]);
    await within(world, 20_000);
    expect(receiver.received.map(({ headers }) => headers['portico-attempt'])).toEqual(['1', '2', '3']);
    expect(told(receiver.received[2]!)).toMatchObject({ action: 'DELETE', group: 'editors' });
    expect(await world.service.store.read('SELECT id FROM notification')).toEqual([]);
  });

  it('ends where a receiver answers each delivery with the next change', async () => {
    const world = await openWorld(entry, { maxNotificationDepth: 4 });
    const receiver = await receiving();
    receiver.always(async ({ headers }) => {
      const { 'portico-depth': depth } = headers;
      const { status } = await world.send({
        as: admin,
        request: `PUT /API/group/g${receiver.received.length}`,
        headers: { 'portico-depth': String(depth) },
      });
      expect(status).toBe(200);
      return {};
    });
    const id = await register(world, { url: receiver.address });
    await prepare(world, [{ as: admin, request: 'PUT /API/group/g0' }]);
    for (let turn = 0; turn < 8; turn++) await world.service.tick();
    expect(receiver.received.map((request) => told(request)['group'])).toEqual(['g0', 'g1', 'g2', 'g3']);
    // The change is made, and somebody can see why nobody was told of it.
    expect((await world.send({ as: admin, request: 'GET /API/group/g4' })).status).toBe(200);
    expect(await world.service.store.read('SELECT notification_id, reason FROM parked')).toEqual([[id, 'loop']]);
  });

  it('does not follow a change that was refused', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    await register(world, { url: receiver.address });
    expect((await world.send({ as: admin, request: 'DELETE /API/group/nobody' })).status).toBe(404);
    await world.service.tick();
    expect(receiver.received).toEqual([]);
  });
});
