import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { importPrivateKey, openSigning } from '../../../src/administration/notifications/secrets/sealing.ts';
import { signingSecretsOf } from '../../../src/administration/notifications/secrets/store.ts';
import { describeMatrix, type Sent, type World } from '../../support/matrix.ts';
import { openWorld, receiving, register } from '../../support/receiver.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { newNotification, onCreate } from './support.ts';

const path = '/API/group/notification/VX-1/secret';
const ask = (request: string): Sent => ({ as: admin, request, headers: { accept: 'application/json' } });

interface Secret {
  readonly number: number;
  readonly secret?: string;
  readonly publicKey: string;
  readonly previous?: readonly { number: number; publicKey: string; ends: string }[];
}

async function rotate(world: World, query = ''): Promise<Secret> {
  const { status, body, headers } = await world.send(ask(`POST ${path}${query}`));
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  return JSON.parse(body) as Secret;
}
const read = async (world: World): Promise<Secret> => JSON.parse((await world.send(ask(`GET ${path}`))).body) as Secret;

describeMatrix('what deliveries are signed with', (entry) => {
  it('is nothing until somebody makes a secret', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    expect((await world.send(ask(`GET ${path}`))).status).toBe(404);
  });

  it('is shown once, and never again', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    const made = await rotate(world);
    expect(made).toMatchObject({
      number: 1,
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      publicKey: expect.stringMatching(/^whpk_[\w+/]{43}=$/),
      previous: [],
    });
    const known = await world.send(ask(`GET ${path}`));
    expect(known.body).not.toContain('whsec_');
    expect(JSON.parse(known.body)).toMatchObject({ number: 1, publicKey: made.publicKey });
    const rows = await world.service.store.read('SELECT * FROM signing_secret');
    expect(JSON.stringify(rows)).not.toContain(made.secret!.slice(6));
  });

  it('signs as the secret and the public key that were told', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    const made = await rotate(world);
    const [row] = await signingSecretsOf(world.service.store, { id: 'VX-1', now: world.clock.now() });
    const opened = await openSigning(world.service.rooms.notifications.vault!, row!, 'VX-1');
    expect(opened.secret).toBe(made.secret);
    const text = new TextEncoder().encode('msg.1.body');
    const signature = await crypto.subtle.sign('Ed25519', await importPrivateKey(opened.privateKey), text);
    const publicBytes = Buffer.from(made.publicKey.slice('whpk_'.length), 'base64');
    const publicKey = await crypto.subtle.importKey('raw', publicBytes, 'Ed25519', false, ['verify']);
    expect(await crypto.subtle.verify('Ed25519', publicKey, signature, text)).toBe(true);
  });

  it('is what the next delivery is signed with, also where others were made a moment before', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    await register(world, { url: receiver.address });
    const deliver = async (name: string) => {
      await prepare(world, [{ as: admin, request: `PUT /API/group/${name}` }]);
      await world.service.tick();
      return receiver.received.at(-1)!;
    };
    expect((await deliver('a')).headers['webhook-signature']).toBeUndefined();
    for (const name of ['b', 'c']) {
      const { secret } = await rotate(world, '?overlap=0');
      const { headers, body } = await deliver(name);
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const key = Buffer.from(secret!.slice('whsec_'.length), 'base64');
      const [hmac, ed25519, ...more] = String(headers['webhook-signature']).split(' ');
      expect(hmac).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      expect([ed25519?.slice(0, 4), more]).toEqual(['v1a,', []]);
    }
  });

  it('is followed by another one, and both hold for a while', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    const first = await rotate(world);
    const second = await rotate(world, '?overlap=60');
    expect(second.previous).toEqual([
      expect.objectContaining({ number: 1, publicKey: first.publicKey, ends: '2030-01-01T00:01:00.000+0000' }),
    ]);
    const both = await signingSecretsOf(world.service.store, { id: 'VX-1', now: world.clock.now() });
    expect(both.map(({ number }) => number)).toEqual([2, 1]);
    await world.clock.advance(60_000);
    expect((await read(world)).previous).toEqual([]);
    expect(await signingSecretsOf(world.service.store, { id: 'VX-1', now: world.clock.now() })).toHaveLength(1);
  });

  it('ends at once where no overlap is wanted, and never later than was said before', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    await rotate(world);
    await rotate(world, '?overlap=60');
    const third = await rotate(world);
    expect(third.previous!.map(({ number, ends }) => [number, ends])).toEqual([
      [2, '2030-01-02T00:00:00.000+0000'],
      [1, '2030-01-01T00:01:00.000+0000'],
    ]);
    const fourth = await rotate(world, '?overlap=0');
    expect([fourth.number, fourth.previous]).toEqual([4, []]);
    expect((await world.send(ask(`POST ${path}?overlap=-1`))).status).toBe(400);
  });

  it('does not pile up', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    for (let turn = 0; turn < 14; turn++) await rotate(world);
    expect((await read(world)).previous).toHaveLength(9);
  });

  it('goes with its notification', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate)]);
    await rotate(world);
    await prepare(world, [ask('DELETE /API/group/notification/VX-1')]);
    expect(await world.service.store.read('SELECT number FROM signing_secret')).toEqual([]);
  });
});
