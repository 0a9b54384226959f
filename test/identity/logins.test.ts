import { expect, it } from 'vitest';
import type { AuthenticationTokenList } from '../../src/identity/documents.ts';
import { deviceOf } from '../../src/identity/tokens/device.ts';
import { alice, newUser } from '../support/cast.ts';
import { settle } from '../support/clock.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { browserAt, byToken, cookieOf, logIn, newToken, ofPage, setProperty, whoIs } from '../support/ways.ts';

const minute = 60_000;

async function open(): Promise<World> {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(alice)]);
  return world;
}

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 'Safari, macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36', 'Chrome, Linux'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome, ChromeOS'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge, Windows'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome, Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 CriOS/140.0 Safari/604', 'Chrome, iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1', 'Safari, iPad'],
  ['Mozilla/5.0 (compatible)', undefined],
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.32 extra', 'python-requests'],
  ['<script>alert(1)</script>', undefined],
  ['', undefined],
  [null, undefined],
])('the device of %s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

it('a device of a megabyte is read as quickly as any, and its name is short', () => {
  expect(deviceOf(`Mozilla/5.0 ${'('.repeat(1_000_000)}Firefox/1 Windows`)).toBeUndefined();
  expect(deviceOf('a'.repeat(1_000_000))).toHaveLength(40);
});

async function loginsOf(world: World, cookie: string) {
  const answer = await browserAt(world)({
    request: 'GET /API/user/alice/tokens',
    cookie,
    headers: { ...ofPage, accept: 'application/json' },
  });
  return ((await answer.json()) as AuthenticationTokenList).token ?? [];
}

it('a login tells its device, its way and its realm, and which one the request came in by', async () => {
  const world = await open();
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
  const headers = { ...ofPage, 'user-agent': firefox };
  const cookie = cookieOf(await browserAt(world)({ request: 'POST /API/session', as: alice, headers }));
  await newToken(world, { as: alice, headers: { 'user-agent': 'curl/8.5.0' } }, 'seconds=60');
  const shown = (await loginsOf(world, cookie)).map(({ kind, way, realm, device, current }) => [
    kind,
    way,
    realm,
    device,
    current,
  ]);
  expect(shown).toHaveLength(2);
  expect(shown).toContainEqual(['SESSION', 'PASSWORD', 'serviceRealm', 'Firefox, Windows', true]);
  expect(shown).toContainEqual(['TOKEN', 'PASSWORD', 'serviceRealm', 'curl', false]);
});

it('the last use of a token is noted at most once in five minutes, and its expiry stays', async () => {
  const world = await open();
  await prepare(world, [setProperty('userTokenMaxInterval', 86_400)]);
  const token = await newToken(world, { as: alice }, 'seconds=86400');
  const stored = async () => (await world.service.store.read('SELECT used_at, expires_at FROM token'))[0];
  const begun = Date.UTC(2030, 0, 1);
  for (const [passed, noted] of [
    [4, 0],
    [1, 5],
    [4, 5],
    [1, 10],
  ] as const) {
    await world.clock.advance(passed * minute);
    expect(await whoIs(world, byToken(token))).toBe('alice');
    await settle();
    expect(await stored()).toEqual([begun + noted * minute, begun + 86_400_000]);
  }
});

it('others=true ends all other logins of the user, and the one of the request goes on', async () => {
  const world = await open();
  const browser = browserAt(world);
  const [one, other] = [await logIn(browser, alice), await logIn(browser, alice)];
  const token = await newToken(world, { as: alice }, 'seconds=60');
  const answer = await browser({ request: 'DELETE /API/user/alice/tokens?others=true', cookie: one, headers: ofPage });
  expect(answer.status).toBe(200);
  expect((await loginsOf(world, one)).map(({ kind, current }) => [kind, current])).toEqual([['SESSION', true]]);
  const refused = await browser({ request: 'GET /API/whoami', cookie: other, headers: ofPage });
  expect([refused.status, await whoIs(world, byToken(token))]).toEqual([401, '401 unknown-token']);
});

it('others=true of an administrator ends all logins of another user', async () => {
  const world = await open();
  const cookie = await logIn(browserAt(world), alice);
  await world.send({ as: admin, request: 'DELETE /API/user/alice/tokens?others=true' });
  expect((await browserAt(world)({ request: 'GET /API/whoami', cookie, headers: ofPage })).status).toBe(401);
});

it('the address of a login is gone soon after it ended, also where nobody logs in any more', async () => {
  const world = await open();
  const cookie = await logIn(browserAt(world), alice);
  await newToken(world, { as: alice }, 'seconds=60');
  const rows = async () => (await world.service.store.read('SELECT kind FROM token')).flat();
  expect(await rows()).toHaveLength(2);
  await world.clock.advance(2 * minute);
  await loginsOf(world, cookie);
  await settle();
  expect(await rows()).toEqual(['session']);
});
