import { expect, it } from 'vitest';
import { alice, newUser } from '../support/cast.ts';
import { settle } from '../support/clock.ts';
import { basic, listenFor, openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import {
  type Browser,
  browserAt,
  cookieOf,
  logIn,
  ofPage,
  setPassword,
  setProperty,
  switchTo,
  who,
} from '../support/ways.ts';

const hour = 3_600_000;

async function open(): Promise<{ world: World; browser: Browser }> {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(alice)]);
  return { world, browser: browserAt(world) };
}

it('POST /session sets a cookie that no script reads, and the requests of the page are those of the user', async () => {
  const { browser } = await open();
  const answer = await browser({ request: 'POST /API/session', as: alice });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'no-store']);
  const form = /^__Host-portico=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/;
  expect(answer.headers.get('set-cookie')).toMatch(form);
  expect(await who(browser, cookieOf(answer))).toBe('alice');
});

it('stay=true lets the browser keep the cookie for a week, and other sessions end after twelve hours', async () => {
  const { world, browser } = await open();
  const stays = await browser({ request: 'POST /API/session?stay=true', as: alice });
  expect(stays.headers.get('set-cookie')).toMatch(/; Max-Age=604800$/);
  const day = await logIn(browser, alice);
  for (let passed = 0; passed < 11; passed++) {
    await world.clock.advance(hour);
    expect([await who(browser, day), await who(browser, cookieOf(stays))], String(passed)).toEqual(['alice', 'alice']);
    await settle();
  }
  await world.clock.advance(hour);
  expect([await who(browser, day), await who(browser, cookieOf(stays))]).toEqual(['401', 'alice']);
});

it('a session ends after userSessionIdle without a use, and after userSessionMost with any', async () => {
  const { world, browser } = await open();
  await world.send(setProperty('userSessionIdle', 600));
  await world.send(setProperty('userSessionMost', 1500));
  const [used, idle] = [await logIn(browser, alice, '?stay=true'), await logIn(browser, alice, '?stay=true')];
  for (const expected of ['alice', 'alice', '401']) {
    await world.clock.advance(500_000);
    expect(await who(browser, used)).toBe(expected);
    await settle();
  }
  expect(await who(browser, idle)).toBe('401');
});

it('the expiry of a session is written at most once a minute', async () => {
  const { world, browser } = await open();
  const cookie = await logIn(browser, alice);
  const refreshed = async () => (await world.service.store.read('SELECT used_at FROM token'))[0]![0] as number;
  const begun = await refreshed();
  await world.clock.advance(59_000);
  await who(browser, cookie);
  await settle();
  expect(await refreshed()).toBe(begun);
  await world.clock.advance(1000);
  await who(browser, cookie);
  await settle();
  expect(await refreshed()).toBe(begun + 60_000);
});

it('DELETE /session ends that session alone, and takes the cookie back', async () => {
  const { browser } = await open();
  const [one, other] = [await logIn(browser, alice), await logIn(browser, alice)];
  const answer = await browser({ request: 'DELETE /API/session', cookie: one });
  const cleared = '__Host-portico=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0';
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([204, cleared]);
  expect([await who(browser, one), await who(browser, other)]).toEqual(['401', 'alice']);
  const none = await browser({ request: 'DELETE /API/session', as: alice });
  expect([none.status, none.headers.get('set-cookie')]).toEqual([204, null]);
});

it('sessions are among the tokens of the user, and each of them can be ended there', async () => {
  const { browser } = await open();
  const cookie = await logIn(browser, alice, '?stay=true');
  const headers = { ...ofPage, accept: 'application/json' };
  const list = await browser({ request: 'GET /API/user/alice/tokens', cookie, headers });
  const { token } = (await list.json()) as { token: { id: string }[] };
  expect(token).toEqual([
    {
      id: expect.any(String),
      created: '2030-01-01T00:00:00.000+0000',
      expires: '2030-01-01T08:00:00.000+0000',
      autoRefresh: true,
      kind: 'SESSION',
      ends: '2030-01-08T00:00:00.000+0000',
      used: '2030-01-01T00:00:00.000+0000',
      way: 'PASSWORD',
      realm: 'serviceRealm',
      address: '192.0.2.7',
      current: true,
    },
  ]);
  const ended = await browser({ request: `DELETE /API/user/alice/tokens/${token[0]!.id}`, cookie });
  expect([ended.status, await who(browser, cookie)]).toEqual([200, '401']);
});

it('a new password, and disabling the user, end the sessions', async () => {
  const { world, browser } = await open();
  const before = await logIn(browser, alice);
  await setPassword(world, 'alice', 'another password');
  expect(await who(browser, before)).toBe('401');
  const after = await logIn(browser, ['alice', 'another password']);
  expect(await who(browser, after)).toBe('alice');
  await switchTo(world, 'alice', false);
  await switchTo(world, 'alice', true);
  expect(await who(browser, after)).toBe('401');
});

it('the audit log has the begin and the end of a session, and what came with it', async () => {
  const { browser } = await open();
  const cookie = await logIn(browser, alice);
  await browser({ request: 'DELETE /API/session', cookie });
  const headers = { ...ofPage, accept: 'application/json' };
  const log = await browser({ request: 'GET /API/log?path=%2Fsession', as: admin, headers });
  const text = await log.text();
  const entries = (JSON.parse(text).entry as { method: string; path: string; username: string; reason: string }[])
    .filter(({ path }) => path === '/session')
    .map(({ method, username }) => [method, username]);
  expect(entries.toSorted()).toEqual([
    ['DELETE', 'alice'],
    ['POST', 'alice'],
  ]);
  expect(text).not.toContain(cookie.slice(cookie.indexOf('=') + 1));
});

it('a request with a session reads the database as often as one with a token', async () => {
  const { world, browser } = await open();
  const cookie = await logIn(browser, alice);
  const token = await (await browser({ request: 'GET /API/user/alice/token?seconds=60', as: alice })).text();
  const headers = { authorization: `token ${token}` };
  const { store } = world.service;
  let reads = 0;
  const read = store.read.bind(store);
  Object.assign(store, {
    read(...given: Parameters<typeof read>) {
      reads += 1;
      return read(...given);
    },
  });
  await browser({ request: 'GET /API/whoami', headers });
  const byToken = reads;
  reads = 0;
  await who(browser, cookie);
  expect([byToken > 0, reads]).toEqual([true, byToken]);
});

it('on this machine a browser logs in without TLS, through a socket', async () => {
  const { world } = await open();
  const origin = `http://127.0.0.1:${await listenFor(world)}`;
  const login = await fetch(`${origin}/API/session`, {
    method: 'POST',
    headers: { ...ofPage, origin, authorization: basic(alice) },
  });
  expect(login.headers.get('set-cookie')).toMatch(/^portico=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const cookie = cookieOf(login);
  const answer = await fetch(`${origin}/API/whoami`, { headers: { ...ofPage, cookie } });
  expect([answer.status, await answer.text()]).toEqual([200, 'alice']);
  const out = await fetch(`${origin}/API/session`, { method: 'DELETE', headers: { ...ofPage, cookie } });
  expect(out.status).toBe(204);
});
