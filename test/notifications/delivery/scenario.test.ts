import { expect, it, onTestFinished } from 'vitest';
import { describeMatrix, type Entry, type World } from '../../support/matrix.ts';
import { openReceiver, type Receiver } from '../../support/receiver.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const outboundAllow = ['127.0.0.1'];

async function receiverFor(): Promise<Receiver> {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

const register = async (
  world: World,
  http: object,
  trigger: object = { group: { create: '', modify: '', delete: '' } },
) => {
  const answer = await world.send({
    as: admin,
    request: 'POST /API/group/notification',
    headers: { accept: 'text/plain' },
    body: { action: { http }, trigger },
  });
  expect(answer.status, answer.body).toBe(200);
  return answer.body.trim();
};

const open = (entry: Entry, settings = {}) => entry.open({ settings: { outboundAllow, ...settings } });

describeMatrix('a notification', (entry) => {
  it('N7 N16 tells a receiver what happened to a group, in the order of the commits', async () => {
    const world = await open(entry);
    const receiver = await receiverFor();
    const url = `${receiver.address.replace('//', '//ann:secret@')}/hook`;
    const id = await register(world, { url, contentType: 'application/json', method: 'PUT' });
    await prepare(world, [
      { as: admin, request: 'PUT /API/group/editors' },
      { as: admin, request: 'PUT /API/group/editors/user/admin' },
      { as: admin, request: 'DELETE /API/group/editors' },
    ]);
    expect(await world.service.tick()).toBeUndefined();
    const fields = receiver.received.map(({ body }) =>
      Object.fromEntries(JSON.parse(body).field.map(({ key, value }: { key: string; value: string }) => [key, value])),
    );
    const common = { group: 'editors', username: 'admin', sequenceNumber: '0' };
    expect(fields).toEqual([
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

  it('does not follow a change that was refused', async () => {
    const world = await open(entry);
    const receiver = await receiverFor();
    await register(world, { url: receiver.address });
    expect((await world.send({ as: admin, request: 'DELETE /API/group/nobody' })).status).toBe(404);
    await world.service.tick();
    expect(receiver.received).toEqual([]);
  });
});
