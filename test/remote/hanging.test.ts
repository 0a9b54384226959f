import { AsyncLocalStorage } from 'node:async_hooks';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CallCount } from '../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../src/core/store/remote/remote-database.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { Plugin } from '../../src/spi/index.ts';
import { newUser } from '../support/cast.ts';
import { type TestClock, testClock } from '../support/clock.ts';
import { openBehind, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { type Sqld, sqldBinary, startSqld } from '../support/sqld.ts';

const editor: Credentials = ['editor', 'her password'];
const guest: Credentials = ['guest of a plugin', 'p'];

/** Knows one user, who need not be in the database. */
const plugin: Plugin = {
  name: 'guests',
  version: '1.0.0',
  contract: 1,
  realms: {
    'test.Guests': {
      says: 'Knows one guest.',
      create: () => ({
        supports: ({ kind }) => kind === 'password',
        authenticate: (credentials) =>
          credentials.kind === 'password' && credentials.user === guest[0]
            ? { answer: 'account', account: { name: guest[0] } }
            : { answer: 'not-mine' },
      }),
    },
  },
};
const security: SecurityInput = {
  file: 'security.ini',
  plugins: [plugin],
  text: `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
guests = test.Guests
securityManager.realms = $serviceRealm, $guests
[urls]
/ui/** = anon
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
};

const hosts = [
  ['a server', true],
  ['an edge', false],
] as const;

/** The server is stopped and not killed: it takes connections and calls, and never answers. */
describe.skipIf(sqldBinary() === undefined).each(hosts)('a database that hangs, behind %s', (_host, group) => {
  const ends: (() => Promise<void>)[] = [];
  let server: Sqld;
  let world: World;
  let clock: TestClock;
  let token: string;

  beforeAll(async () => {
    server = await startSqld();
    clock = testClock();
    const calls = new AsyncLocalStorage<CallCount>();
    const database = openRemoteDatabase(server.url, { calls, group, clock });
    world = await openBehind('fetch', { database, security }, (end) => ends.push(end));
    await prepare(world, [newUser(editor, ['_administrator'])]);
    token = (await world.send({ as: admin, request: 'GET /API/token', headers: { accept: 'text/plain' } })).body.trim();
    expect((await whoami.token()).status).toBe(200);
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await server.stop();
  });

  function hang(): void {
    process.kill(server.pid, 'SIGSTOP');
    onTestFinished(goOn);
  }
  async function goOn(): Promise<void> {
    process.kill(server.pid, 'SIGCONT');
    await clock.advance(2_000);
    await expect.poll(async () => (await whoami.token()).status).toBe(200);
  }

  const as = (credentials: Credentials, request = 'GET /API/whoami') => world.send({ as: credentials, request });
  const whoami = {
    token: (request = 'GET /API/whoami') => world.send({ request, headers: { authorization: `token ${token}` } }),
    password: () => as(editor),
    'password that is wrong': () => as([editor[0], 'wrong']),
    "plugin's user": () => as(guest),
  };
  const health = () => world.send({ request: 'GET /health/' });

  it.each(Object.entries(whoami))(
    'a login by a %s is 503 after five seconds, and at once from then on, or after one for who tries it',
    async (_, ask) => {
      hang();
      const began = clock.now();
      const first = ask();
      await clock.untilSleeps(began + 5_000);
      await clock.advance(5_000);
      const trying = ask();
      await clock.untilSleeps(began + 6_000);
      const answers = [await first, await ask(), await ask()];
      expect(clock.now() - began).toBe(5_000);
      await clock.advance(1_000);
      answers.push(await trying);
      for (const answer of answers) {
        expect(answer.status, answer.body).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.body).not.toContain('may have been made');
      }
    },
  );

  it('is tried by one request a second, and as soon as it answers all are served', async () => {
    hang();
    const first = whoami.token();
    await clock.untilSleeps(clock.now() + 5_000);
    await clock.advance(5_000);
    await first;
    const trying = whoami.token();
    await clock.untilSleeps(clock.now() + 1_000);
    await clock.advance(999);
    expect((await whoami.token()).status).toBe(503);
    await clock.advance(1);
    expect((await trying).status).toBe(503);
    const next = whoami.token();
    await clock.untilSleeps(clock.now() + 1_000);
    process.kill(server.pid, 'SIGCONT');
    expect((await next).status).toBe(200);
    expect((await whoami.password()).status).toBe(200);
  });

  it('does not hold up /health for two seconds', async () => {
    hang();
    const began = clock.now();
    const first = health();
    await clock.untilSleeps(began + 1_500);
    await clock.advance(1_500);
    expect((await first).status).toBe(503);
    expect(clock.now() - began).toBeLessThan(2_000);
  });

  it('does not keep files of the page, which ask it nothing', async () => {
    hang();
    const from = world.lines.length;
    for (const origin of ['http://portico.test', 'https://elsewhere.example'])
      for (const path of ['/ui/', '/ui/app.js']) {
        const answer = await world.send({ request: `GET ${path}`, headers: { origin, 'accept-encoding': 'br' } });
        expect(answer.status, path).toBeLessThan(500);
      }
    const lines = world.lines.slice(from).filter(({ event }) => event === 'request');
    expect(lines.map(({ calls }) => calls)).toEqual([0, 0, 0, 0]);
  });

  it('leaves it open whether a change was made, and says so', async () => {
    const change = {
      changes: [{ sql: "UPDATE counter SET value = value WHERE name = 'users'", args: [] }],
      events: [],
    };
    hang();
    const began = clock.now();
    const stuck = world.service.store.within(5_000, () => world.service.store.commit(change, { user: 'test' }));
    stuck.catch(() => undefined);
    await clock.untilSleeps(began + 5_000);
    await clock.advance(5_000);
    await expect(stuck).rejects.toMatchObject({
      status: 503,
      detail: { explanation: expect.stringContaining('a change may have been made') },
    });
  });
});
