import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ClosableSite, type Opened, openSite, passwordOf } from '../support.ts';

let site: ClosableSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** A page of somebody else. `localhost` is another site than 127.0.0.1, and another port another origin of the same site. */
async function foreignPage(host: '127.0.0.1' | 'localhost', body = '<p>Somebody else</p>'): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Elsewhere</title>${body}`);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return `http://${host}:${(server.address() as AddressInfo).port}/`;
}

/** A browser with a session of the page that then goes elsewhere, where other origins are no mistake. */
async function elsewhere(host: '127.0.0.1' | 'localhost', body?: string): Promise<Opened> {
  const page = await site.open({ as: 'editor' });
  await page.goto(await foreignPage(host, body));
  return page;
}

const tried = (page: Opened, target: string, init: RequestInit): Promise<string> =>
  page.evaluate(
    async ([address, options]) => {
      try {
        const answer = await fetch(address, options);
        return `${answer.type} ${answer.status}`;
      } catch {
        return 'refused';
      }
    },
    [`${site.address}${target}`, init] as const,
  );

const ended = (page: Opened) => {
  page.wrong.length = 0;
};

describe.each(['127.0.0.1', 'localhost'] as const)('a page of another origin at %s', (host) => {
  it('reads nothing with the cookie of the person', async () => {
    const page = await elsewhere(host);
    expect(await tried(page, '/API/session', { credentials: 'include' })).toBe('refused');
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    await tried(page, '/API/session', { credentials: 'include', mode: 'no-cors' });
    await expect.poll(() => statuses).toEqual([401]);
    ended(page);
  });

  it('changes nothing with the cookie, with or without the header of the page', async () => {
    const page = await elsewhere(host);
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    const body = JSON.stringify({ timespan: [] });
    for (const headers of [{}, { 'portico-ui': '1' }]) {
      const init = {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json', ...headers },
      };
      await tried(page, '/API/import/placeholder', { ...init, body } as RequestInit);
    }
    // A request that needs no preflight reaches the service.
    await tried(page, '/API/import/placeholder', { method: 'POST', credentials: 'include', mode: 'no-cors', body });
    expect(statuses.filter((status) => status < 300 && status !== 204)).toEqual([]);
    const { hits } = await site.api<{ readonly hits: number }>('PUT', '/item', {});
    expect(hits).toBe(0);
    ended(page);
  });

  it('logs nobody in and nobody out by a form', async () => {
    const form = `<form method="post" action="${site.address}/API/session"><button>Go</button></form>`;
    const page = await elsewhere(host, form);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/API/session')),
      page.click('button').catch(() => undefined),
    ]);
    expect(answer.status()).toBeGreaterThanOrEqual(400);
    const next = await page.context().newPage();
    await next.goto(`${site.address}/ui/`);
    await next.getByRole('link', { name: 'Library' }).waitFor();
    ended(page);
  });

  it('shows the page in no frame', async () => {
    const page = await elsewhere(host, `<iframe src="${site.address}/ui/"></iframe>`);
    await page.waitForTimeout(300);
    const frame = page.frames()[1]!;
    expect(await frame.locator('main').count()).toBe(0);
    ended(page);
  });
});

describe('a script of the page itself', () => {
  it('changes nothing with the cookie and without the header', async () => {
    const page = await site.open({ as: 'editor' });
    expect(await tried(page, '/API/import/placeholder', { method: 'POST', body: '{}' })).toBe('basic 401');
  });

  it('reads no cookie, and finds no credential in a storage', async () => {
    const page = await site.open();
    await page.fill('[name=name]', 'editor');
    await page.fill('[name=password]', passwordOf('editor'));
    await page.click('[type=submit]');
    await page.getByRole('link', { name: 'Library' }).waitFor();
    const traces = await page.evaluate(async () => ({
      cookie: document.cookie,
      local: { ...localStorage },
      session: { ...sessionStorage },
      // The list of begun uploads, as soon as the page has looked for it.
      databases: await Promise.all(
        (await indexedDB.databases()).map(
          ({ name }) =>
            new Promise((resolve, reject) => {
              const opening = indexedDB.open(name!);
              opening.onerror = reject;
              opening.onsuccess = () => {
                const tables = [...opening.result.objectStoreNames];
                if (tables.join() !== 'uploads') return resolve(tables);
                const reading = opening.result.transaction(tables).objectStore('uploads').getAll();
                reading.onerror = reject;
                reading.onsuccess = () => resolve(reading.result);
              };
            }),
        ),
      ).then((tables) => tables.flat()),
      caches: await caches.keys(),
      address: location.href,
    }));
    const { 'portico.look': look = '{}', ...local } = traces.local as Record<string, string>;
    expect(Object.keys(JSON.parse(look)).filter((key) => !['theme', 'density', 'language'].includes(key))).toEqual([]);
    expect({ ...traces, local }).toEqual({
      cookie: '',
      // Whether somebody was logged in, so that the next start asks for items at once.
      local: { 'portico.in': 'true' },
      session: {},
      databases: [],
      caches: [],
      address: `${site.address}/ui/`,
    });
  });

  it.each([
    [
      'a script in the document',
      () => document.body.append(Object.assign(document.createElement('script'), { text: 'globalThis.bad = 1' })),
    ],
    ['markup', () => Reflect.set(document.body, 'innerHTML', '<img src=x onerror="globalThis.bad = 1">')],
    ['a text as a program', () => Reflect.apply(setTimeout, globalThis, ['globalThis.bad = 1'])],
    [
      'a script from elsewhere',
      () => document.body.append(Object.assign(document.createElement('script'), { src: 'http://127.0.0.1:9/a.js' })),
    ],
  ])('cannot run %s: the policy refuses it', async (_name, attempt) => {
    const page = await site.open({ as: 'viewer' });
    await page.evaluate(attempt).catch(() => undefined);
    // Whatever was begun has run when a later timer has.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    expect(await page.evaluate(() => 'bad' in globalThis)).toBe(false);
    ended(page);
  });
});

describe('the browser', () => {
  it('opens no window of its own for a password: no cookie, a wrong password, an ended session', async () => {
    const page = await site.open();
    const session = await page.context().newCDPSession(page);
    let windows = 0;
    session.on('Fetch.authRequired', ({ requestId }) => {
      windows++;
      void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'CancelAuth' } });
    });
    session.on('Fetch.requestPaused', ({ requestId }) => {
      void session.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
    });
    await session.send('Fetch.enable', { handleAuthRequests: true });
    await page.reload();
    await page.fill('[name=name]', 'viewer');
    await page.fill('[name=password]', 'wrong');
    await page.click('[type=submit]');
    await page.getByText('That name and password do not fit.').waitFor();
    await page.fill('[name=password]', passwordOf('viewer'));
    await page.click('[type=submit]');
    await page.getByRole('link', { name: 'Library' }).waitFor();
    await page.goto(`${site.address}/ui/me`);
    await page.getByRole('heading', { name: 'Your profile' }).waitFor();
    await site.api('DELETE', '/user/viewer/tokens');
    await page.getByLabel('Theme').selectOption('light');
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    expect(windows).toBe(0);
  });

  it('shows names of persons as text, whatever they contain', async () => {
    const evil = '<img src=x onerror=globalThis.bad=1>';
    await site.api('POST', '/user', { userName: 'evil', realName: evil, password: 'password of evil' });
    const page = await site.open();
    await page.fill('[name=name]', 'evil');
    await page.fill('[name=password]', 'password of evil');
    await page.click('[type=submit]');
    await page.getByRole('button', { name: `You: ${evil}` }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'bad' in globalThis)).toBe(false);
  });
});
