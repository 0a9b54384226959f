import { expect, it } from 'vitest';
import { maxPlaces } from '../../src/identity/tokens/login-places.ts';
import { alice, newUser } from '../support/cast.ts';
import { basic, openWorld, type World } from '../support/matrix.ts';
import { openReceiver, told, within } from '../support/receiver.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { newToken } from '../support/ways.ts';

const bob: Credentials = ['bob', 'password of bob'];
const day = 24 * 3_600_000;
const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
const newer = firefox.replaceAll('140.0', '150.0');
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1';

interface From {
  readonly as?: Credentials;
  readonly device?: string;
  readonly address?: string;
  readonly request?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request with basic credentials, from there. By default it begins a session. */
async function from(world: World, { as = alice, device = firefox, address = '198.51.100.7', ...more }: From = {}) {
  const [method, path] = (more.request ?? 'POST /API/session').split(' ');
  const headers = { ...more.headers, authorization: basic(as), 'user-agent': device };
  const request = new Request(`https://portico.example${path}`, { method: method!, headers });
  const { status } = await world.service.fetch(request, { address, secure: true });
  return status;
}

async function open(): Promise<World> {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(alice), newUser(bob)]);
  return world;
}

/** Users of the events since, with device and address. */
async function newLogins(world: World, since: number) {
  const events = (await world.events(since)).filter(({ name }) => name === 'login/new');
  return events.map(({ entity, payload }) => [entity, payload['device'], payload['address']]);
}
const rows = async (world: World) =>
  (await world.service.store.read('SELECT count(*) FROM login_place'))[0]![0] as number;

it('a login from a device or an address block that the user has not had is an event, and the first of all is none', async () => {
  const world = await open();
  const before = await world.sequence();
  expect([await from(world), await from(world, { as: bob, device: safari })]).toEqual([204, 204]);
  expect(await newLogins(world, before)).toEqual([]);
  await from(world, { device: newer, address: '198.51.77.1' });
  expect(await newLogins(world, before)).toEqual([]);
  await from(world, { device: safari });
  await from(world, { address: '203.0.113.9' });
  await from(world, { address: '2001:db8:1:2::3' });
  await from(world, { address: '2001:db8:ffff::1' });
  await from(world, { device: safari });
  expect(await newLogins(world, before)).toEqual([
    ['alice', 'Safari, iPhone', '198.51.100.7'],
    ['alice', 'Firefox, Windows', '203.0.113.9'],
    ['alice', 'Firefox, Windows', '2001:db8:1:2::3'],
  ]);
  const [first] = (await world.events(before)).filter(({ name }) => name === 'login/new');
  expect(first).toMatchObject({
    user: 'alice',
    payload: { user: 'alice', way: 'password', realm: 'serviceRealm' },
  });
});

it('a token that the user asks for counts, and requests that begin nothing do not', async () => {
  const world = await open();
  const before = await world.sequence();
  for (const device of [firefox, safari, 'curl/8.5.0'])
    expect(await from(world, { device, request: 'GET /API/whoami' })).toBe(200);
  expect([await rows(world), await newLogins(world, before)]).toEqual([0, []]);
  expect(await from(world, { request: 'GET /API/token' })).toBe(200);
  expect(await from(world, { device: 'curl/8.5.0', request: 'GET /API/token' })).toBe(200);
  expect(await newLogins(world, before)).toEqual([['alice', 'curl', '198.51.100.7']]);
});

it('an administrator who makes a token for a user, or acts for one, leaves no place among those of the user', async () => {
  const world = await open();
  await from(world);
  const before = await world.sequence();
  expect(await from(world, { as: admin, device: safari, request: 'GET /API/user/alice/token' })).toBe(200);
  const acting = { as: admin, device: 'curl/8.5.0', request: 'GET /API/token', headers: { runas: 'alice' } };
  expect(await from(world, acting)).toBe(200);
  expect([await newLogins(world, before), await rows(world)]).toEqual([[], 1]);
});

it('a thief of a password hides a login among many devices: each of them is an event, and the table has its bound', async () => {
  const world = await open();
  const before = await world.sequence();
  const devices = Array.from({ length: maxPlaces + 20 }, (_, at) => `program-${at}`);
  for (const device of devices) {
    await world.clock.advance(1000);
    expect(await from(world, { device })).toBe(204);
  }
  expect([(await newLogins(world, before)).length, await rows(world)]).toEqual([devices.length - 1, maxPlaces]);
  // The oldest have left, so they are new again.
  await from(world, { device: devices.at(-1)! });
  await from(world, { device: devices[0]! });
  expect((await newLogins(world, before)).length).toBe(devices.length);
});

it('a place that is used stays, however many come after it', async () => {
  const world = await open();
  await from(world);
  for (let at = 0; at < maxPlaces + 5; at++) {
    await world.clock.advance(day);
    await from(world, { device: `program-${at}` });
    await from(world);
  }
  const before = await world.sequence();
  await from(world);
  expect([await newLogins(world, before), await rows(world)]).toEqual([[], maxPlaces]);
});

it('places go with their user', async () => {
  const world = await open();
  await from(world);
  await from(world, { as: bob });
  expect((await world.send({ as: admin, request: 'DELETE /API/user/alice?hard=true' })).status).toBe(200);
  for (let turn = 0; turn < 10; turn++) await world.service.tick();
  expect(await rows(world)).toBe(1);
});

it('a table of places tells nobody where a user was', async () => {
  const world = await open();
  await from(world);
  const stored = JSON.stringify(await world.service.store.read('SELECT * FROM login_place'));
  for (const text of ['198.51', 'Firefox', 'alice']) expect(stored).not.toContain(text);
});

it('a receiver refuses a login as if it were a change: it is told of it afterwards', async () => {
  const receiver = await openReceiver();
  const world = await openWorld('fetch', { settings: { outboundAllow: ['127.0.0.1'] } });
  await prepare(world, [newUser(alice)]);
  receiver.script({ status: 400 });
  const http = { url: receiver.address, synchronous: true, contentType: 'application/json' };
  const body = { action: { http }, trigger: { login: { new: '' } } };
  const headers = { accept: 'application/json' };
  const { status } = await world.send({ as: admin, request: 'POST /API/session/notification', body, headers });
  expect([status, await from(world), await from(world, { device: safari })]).toEqual([200, 204, 204]);
  await within(world, 1000);
  expect(receiver.received.map(told)).toMatchObject([{ action: 'NEW', user: 'alice', device: 'Safari, iPhone' }]);
  await receiver.close();
});

it('a reader of users reads in the feed where others log in', async () => {
  const world = await open();
  const reader: Credentials = ['reader', 'password of reader'];
  await prepare(world, [newUser(reader, ['_event_read', '_user_read'])]);
  await from(world);
  await from(world, { device: safari });
  const feed = async (as: Credentials, query = '') =>
    (
      await world.send({
        as,
        request: `GET /API/event?since=0&name=login/new${query}`,
        headers: { accept: 'application/json' },
      })
    ).body;
  expect(await feed(reader)).not.toContain('Safari');
  expect(await feed(admin)).toContain('Safari');
  expect(await feed(alice, '&mine=true')).toContain('Safari');
  expect(await feed(bob, '&mine=true')).not.toContain('Safari');
  expect(await newToken(world, { as: alice })).toBeDefined();
});
