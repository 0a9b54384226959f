import { describe, expect, it } from 'vitest';
import { alice, newUser } from '../support/cast.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { type Browser, browserAt, cookieOf, logIn, ofPage, setPassword, switchTo, who } from '../support/ways.ts';

const minute = 60_000;

interface Opened {
  readonly world: World;
  readonly browser: Browser;
  readonly link: string;
  exchange(text?: string, headers?: Readonly<Record<string, string>>, at?: Browser): Promise<Response>;
}

async function open(): Promise<Opened> {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(alice)]);
  const browser = browserAt(world);
  const link = await world.service.rooms.identity.makeLink('alice');
  return {
    world,
    browser,
    link,
    exchange: (text = link, headers = ofPage, at = browser) =>
      at({
        request: 'POST /APInoauth/session',
        body: text,
        headers: { 'content-type': 'text/plain', accept: 'application/json', ...headers },
      }),
  };
}

it('a login link begins a session of its user', async () => {
  const { browser, exchange } = await open();
  const answer = await exchange();
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'no-store']);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-portico=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(await who(browser, cookieOf(answer))).toBe('alice');
});

describe('a login link that an administrator makes', () => {
  const newLink = (browser: Browser, name = 'ben', query = '', as = admin) =>
    browser({ request: `POST /API/user/${name}/link${query}`, as, headers: { accept: 'text/plain' } });
  /** A user without a password, who has come in by a link. */
  async function invited() {
    const opened = await open();
    await prepare(opened.world, [{ as: admin, request: 'POST /API/user', body: { userName: 'ben' } }]);
    const made = await newLink(opened.browser);
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const cookie = cookieOf(await opened.exchange(await made.text()));
    const choose = (body = 'pass phrase of ben', name = 'ben') =>
      opened.browser({ request: `PUT /API/user/${name}/password`, cookie, headers: ofPage, body });
    return { ...opened, cookie, choose };
  }

  it('lets a user without a password choose one, which ends the session', async () => {
    const { browser, cookie, choose } = await invited();
    expect((await choose()).status).toBe(200);
    expect(await who(browser, cookie)).toBe('401');
    const answer = await browser({ request: 'GET /API/whoami', as: ['ben', 'pass phrase of ben'] });
    expect(await answer.text()).toBe('ben');
  });

  it('sets no password of another user, and none from a browser that was left open', async () => {
    const { world, choose } = await invited();
    expect((await choose(undefined, 'alice')).status).toBe(403);
    await world.clock.advance(15 * minute);
    expect(await (await choose()).text()).toContain('Expected a login that is more recent');
  });

  it('works for a week, or as long as was asked for, which has an end', async () => {
    const { world, browser, exchange } = await open();
    const links = await Promise.all(
      ['', '?seconds=60'].map(async (query) => (await newLink(browser, 'alice', query)).text()),
    );
    await world.clock.advance(minute);
    expect((await exchange(links[1])).status).toBe(401);
    await world.clock.advance(6 * 24 * 60 * minute);
    expect((await exchange(links[0])).status).toBe(204);
    expect((await newLink(browser, 'alice', '?seconds=2592001')).status).toBe(400);
  });

  it('is made for nobody who is shut out, or not there, and by no other user', async () => {
    const { world, browser } = await open();
    expect((await newLink(browser, 'nobody')).status).toBe(404);
    expect((await newLink(browser, 'alice', '', alice)).status).toBe(403);
    await switchTo(world, 'alice', false);
    expect((await newLink(browser, 'alice')).status).toBe(409);
  });

  it('ends with the logins of an administrator who made it in a session or with a token', async () => {
    const { browser, exchange } = await open();
    await browser({ request: 'PUT /API/group/_administrator/user/alice', as: admin });
    const token = await (
      await browser({ request: 'GET /API/token', as: alice, headers: { accept: 'text/plain' } })
    ).text();
    const headers = { accept: 'text/plain', authorization: `token ${token}` };
    const link = await (await browser({ request: 'POST /API/user/admin/link', headers })).text();
    await browser({ request: 'DELETE /API/user/alice/tokens', as: admin });
    expect((await exchange(link)).status).toBe(401);
  });
});

describe('attacks on a login link', () => {
  it('a second login by the same link: refused', async () => {
    const { exchange } = await open();
    await exchange();
    expect((await exchange()).status).toBe(401);
  });

  it('many logins at once: one of them wins', async () => {
    const { exchange } = await open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array(7).fill(401)]);
  });

  it('a link from an old log: over after half an hour', async () => {
    const { world, exchange } = await open();
    await world.clock.advance(30 * minute);
    expect((await exchange()).status).toBe(401);
  });

  it.each([
    ['a token', (text: string) => ({ authorization: `token ${text}` })],
    ['a bearer token', (text: string) => ({ authorization: `Bearer ${text}` })],
    ['a password', (text: string) => ({ authorization: `Basic ${btoa(`alice:${text}`)}` })],
    ['a cookie', (text: string) => ({ cookie: `__Host-portico=${text}` })],
  ])('its text as %s: refused, and the link still works', async (_name, headers) => {
    const { browser, link, exchange } = await open();
    const answer = await browser({ request: 'GET /API/whoami', headers: { ...ofPage, ...headers(link) } });
    expect(answer.status).toBe(401);
    expect((await exchange()).status).toBe(204);
  });

  it('a text of another kind in the place of a link: a token, a session, a password, a digest, nothing', async () => {
    const { world, browser, link, exchange } = await open();
    const token = await (
      await browser({ request: 'GET /API/token', as: alice, headers: { accept: 'text/plain' } })
    ).text();
    const session = (await logIn(browser, alice)).split('=')[1]!;
    const [digest] = (await world.service.store.read("SELECT digest FROM token WHERE kind = 'link'"))[0]!;
    for (const text of [
      token,
      session,
      alice[1],
      String(digest),
      '',
      ' ',
      `${link} `,
      `${link}\n`,
      'x'.repeat(100_000),
    ]) {
      const answer = await exchange(text);
      expect([text.slice(0, 50), answer.status]).toEqual([text.slice(0, 50), 401]);
    }
    expect((await exchange()).status).toBe(204);
  });

  it('a page of another origin that has learned it: refused, and the link is not used up', async () => {
    const { exchange } = await open();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.portico.test' },
      { origin: 'https://evil.test' },
    ]) {
      expect((await exchange(undefined, headers)).status).toBe(403);
    }
    expect((await exchange()).status).toBe(204);
  });

  it('a connection that others can listen to: refused, and the link is not used up', async () => {
    const { world, link, exchange } = await open();
    const plain = browserAt(world, 'http://portico.test');
    expect((await exchange(link, ofPage, plain)).status).toBe(403);
    expect((await exchange()).status).toBe(204);
  });

  it.each<[string, (opened: Opened) => Promise<unknown>]>([
    ['a new password', ({ world }) => setPassword(world, 'alice', 'another pass phrase')],
    ['a user who is disabled', ({ world }) => switchTo(world, 'alice', false)],
    ['the end of all tokens', ({ browser }) => browser({ request: 'DELETE /API/user/alice/tokens', as: admin })],
  ])('a link from before %s: refused', async (_name, change) => {
    const opened = await open();
    await change(opened);
    expect((await opened.exchange()).status).toBe(401);
  });

  it('a guess is answered as a link that was used, and both as one that is over', async () => {
    const { exchange } = await open();
    await exchange();
    const [used, guessed] = [await exchange(), await exchange('x'.repeat(43))];
    const told = async (answer: Response) => [
      answer.status,
      answer.headers.get('www-authenticate'),
      await answer.text(),
    ];
    expect(await told(used)).toEqual(await told(guessed));
    expect(guessed.headers.get('www-authenticate')).toBe('Session');
  });

  it('reading the log, the audit log or the database: neither has the text', async () => {
    const { world, link, exchange } = await open();
    await exchange();
    await exchange();
    expect(world.printed.join('\n')).not.toContain(link);
    const { store } = world.service;
    for (const table of ['token', 'audit']) {
      expect(JSON.stringify(await store.read(`SELECT * FROM ${table}`))).not.toContain(link);
    }
  });

  it('the audit log names the user who logged in by it', async () => {
    const { world, exchange } = await open();
    await exchange();
    const lines = world.lines.filter(({ event, path }) => event === 'request' && path === '/APInoauth/session');
    expect(lines.map(({ user, status }) => [user, status])).toEqual([['alice', 204]]);
  });
});
