import { createHmac } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shelf } from '../../examples/storage-driver/plugins/shelf-service.ts';
import { checkConfiguration, checkSecurity } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { bundleSecurity } from '../../src/entry/plugins/bundle.ts';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { gatherSecurity, readSecurityInput } from '../../src/entry/plugins/read-input.ts';
import { switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import { testHost } from '../../src/kit/testing/index.ts';
import type { StorageScheme } from '../../src/spi/index.ts';
import { runCli, serveCli, tryCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { openReceiver } from '../support/receiver.ts';
import { admin, withService } from '../support/service.ts';
import { sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { temporaryDirectory } from '../support/store.ts';

const names = [
  'two-realms',
  'custom-realm',
  'custom-filter',
  'info-provider',
  'realm-with-tests',
  'notification-action',
  'storage-driver',
  'worker',
] as const;
type Name = (typeof names)[number];

/** An instance root of its own with the files of an example in it. */
async function copyOf(name: Name): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  await cp(join('examples', name), directory.path, { recursive: true });
  return directory.path;
}

const settingsFor = (root: string) => ({ ...readSettings({ PORTICO_ROOT: root }), pluginFolders: [] });

/** A service with the configuration of an example, and requests to it. */
async function serve(name: Name, edit: (text: string) => string = (text) => text) {
  const input = await readSecurityInput(settingsFor(await copyOf(name)));
  const world = await withService();
  const { applied, findings } = await world.service.configure({ ...input, text: edit(input.text) });
  expect([applied, findings]).toEqual([true, []]);
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(world.service.fetch(new Request(`http://service${path}`, init), {}));
  const as = (user: string, password: string, more: Record<string, string> = {}) => ({
    headers: { authorization: basic([user, password]), accept: 'application/json, */*;q=0.5', ...more },
  });
  const asked = async (
    path: string,
    user: string,
    password: string,
    more?: Record<string, string>,
  ): Promise<string> => {
    const response = await send(path, as(user, password, more));
    return `${response.status} ${response.status === 200 ? await response.text() : ''}`.trim();
  };
  return { ...world, send, as, asked };
}

const statusOf = (answer: string): number => Number(answer.slice(0, 3));

it.each(names)('%s leaves the web page open, with its login', async (name) => {
  const input = await readSecurityInput(settingsFor(await copyOf(name)));
  const { findings, pageStatus } = await checkConfiguration(input, checkingHost);
  expect([findings, pageStatus]).toEqual([[], 200]);
  expect(input.text).toMatch(/^\/\*\* = .*sessionAuth\[permissive\]/m);
});

describe('the examples', () => {
  it('are all listed, and all tested here', async () => {
    const folders = (await readdir('examples', { withFileTypes: true })).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => entry.name).sort()).toEqual([...names].sort());
    const list = await readFile('examples/README.md', 'utf8');
    for (const name of names) expect(list).toContain(`[${name}](${name})`);
  });

  it.each(names)('%s has nothing that "portico check" would find', async (name) => {
    expect(await checkSecurity(await readSecurityInput(settingsFor(await copyOf(name))), checkingHost)).toEqual([]);
    expect(await readFile(join('examples', name, 'README.md'), 'utf8')).toMatch(/^# .+\n\n/);
  });

  it.each([
    'custom-realm/plugins/ticket-realm.ts',
    'custom-filter/plugins/gateway-filter.ts',
    'info-provider/plugins/staff.ts',
    'realm-with-tests/endpoint-realm.ts',
    'notification-action/plugins/chat-action.ts',
    'storage-driver/plugins/shelf-storage.ts',
    'worker/plugins/invitations.ts',
  ])('%s keeps the promises of the contract, as "portico plugin test" says', async (path) => {
    const root = await copyOf(path.split('/')[0] as Name);
    const plugin = join(root, path.slice(path.indexOf('/') + 1));
    const { code, out, err } = await tryCli(['plugin', 'test', plugin], { root });
    expect([code, err, out.match(/^FAIL.*/gm)]).toEqual([0, '', null]);
    expect(out).toMatch(/\nAll \d+ promises are kept\n$/);
  });
});

it('two-realms: credentials of either realm are 200, of neither 401', async () => {
  const { asked } = await serve('two-realms');
  expect(statusOf(await asked('/API/version', 'alice', 'a long pass phrase'))).toBe(200);
  expect(statusOf(await asked('/API/version', ...admin))).toBe(200);
  expect(statusOf(await asked('/API/version', 'alice', 'something else'))).toBe(401);
  expect(statusOf(await asked('/API/version', 'admin', 'a long pass phrase'))).toBe(401);
  expect(statusOf(await asked('/API/version', 'eve', 'a long pass phrase'))).toBe(401);
});

/** As the README of custom-realm makes one. */
function ticket(user: string, expires: number, secret = 'replace this secret'): string {
  return `${expires}.${createHmac('sha256', secret).update(`${user}\n${expires}`).digest('hex')}`;
}

describe('custom-realm', () => {
  it('lets in a caller who has a ticket, as long as it is good', async () => {
    const { asked, clock } = await serve('custom-realm');
    const soon = Math.floor(clock.now() / 1000) + 300;
    const whoami = (user: string, password: string) => asked('/API/whoami', user, password);
    expect(await whoami('alice', ticket('alice', soon))).toBe('200 alice');
    expect(await whoami('admin', admin[1])).toBe('200 admin');
    expect(await whoami('bob', ticket('alice', soon))).toBe('401');
    expect(await whoami('alice', ticket('alice', soon, 'another secret'))).toBe('401');
    expect(await whoami('alice', ticket('alice', soon + 86_400))).toBe('401');
    await clock.advance(300_000);
    expect(await whoami('alice', ticket('alice', soon))).toBe('401');
  });

  it('is dropped into the ext folder of a running server, without a build', async () => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const { port, child, logged } = await serveCli({ root: directory.path });
    const whoami = async () => {
      const authorization = basic(['alice', ticket('alice', Math.floor(Date.now() / 1000) + 300)]);
      return (await fetch(`http://127.0.0.1:${port}/API/whoami`, { headers: { authorization } })).status;
    };
    expect(await whoami()).toBe(401);
    await cp('examples/custom-realm', directory.path, { recursive: true });
    child.kill('SIGHUP');
    await logged('security-reloaded');
    expect(await whoami()).toBe(200);
  });
});

it('custom-filter lets requests pass that come through the gateway', async () => {
  const { asked, send, as } = await serve('custom-filter');
  const secret = { 'x-gateway-secret': 'replace this secret' };
  expect(await asked('/API/version', ...admin)).toBe('403');
  expect(await asked('/API/version', ...admin, { 'x-gateway-secret': 'a guess' })).toBe('403');
  expect(statusOf(await asked('/API/version', ...admin, secret))).toBe(200);
  expect(statusOf(await asked('/API/version', 'admin', 'a guess', secret))).toBe(401);
  expect(statusOf(await asked('/API/user/admin', ...admin))).toBe(200);
  const change = { ...as(...admin), method: 'DELETE' };
  expect((await send('/API/user/somebody', change)).status).toBe(403);
});

it('notification-action writes a line into the room that a notification names', async () => {
  const room = await openReceiver();
  onTestFinished(() => room.close());
  room.script({ status: 503 });
  const { service, clock, send, as } = await serve('notification-action', (text) =>
    text.replace('https://chat.example.com/rooms/desk', room.address),
  );
  const register = (method: string, data: object[] = []) =>
    send('/API/group/notification', {
      ...as(...admin, { 'content-type': 'application/json' }),
      method: 'POST',
      body: JSON.stringify({ action: { ejb: { bean: 'chat', method, data } }, trigger: { group: { create: '' } } }),
    });
  expect((await register('nowhere')).status).toBe(400);
  expect((await register('desk', [{ key: 'to', value: 'x' }])).status).toBe(400);
  expect((await register('desk', [{ key: 'prefix', value: 'Archive:' }])).status).toBe(200);
  await send('/API/group/editors', { ...as(...admin), method: 'PUT' });
  await clock.advance((await service.tick())! - clock.now());
  await service.tick();
  const lines = room.received.map(({ headers, body }) => [headers.authorization, JSON.parse(body).text]);
  const line = ['Bearer replace this token', 'Archive: group editors: create by admin'];
  expect(lines).toEqual([line, line]);
});

it('storage-driver opens a folder of a shelf, with the password of its method and past no address policy', async () => {
  const root = await copyOf('storage-driver');
  const { plugins } = await readSecurityInput(settingsFor(root));
  const [component] = Object.values(plugins[0]!.storages!);
  const keep = shelf();
  const passwords = new Set<string | null>();
  const host = testHost({
    backend(request) {
      passwords.add(request.headers.get('authorization'));
      return keep(request);
    },
  });
  const scheme = (await component!.create({ answerWithin: 1_000 }, host)) as StorageScheme;
  const odd = ['shelf://host', 'shelf:///a/', 'shelf://me@host/a/', 'shelf://host/a/?b', 'shelf://ho st/'];
  for (const uri of odd) expect(scheme.defect!({ uri })).toMatch(/^Expected an address such as shelf:/);
  const driver = scheme.open({ uri: 'shelf://files.example.com/in/', user: 'me', password: new Secret('pass') });
  const { token } = await driver.stage!(new Response('some bytes').body!);
  const file = await driver.publish!(token, 'a b/c.mov', 'create');
  const { body } = await driver.read('a b/c.mov', { range: { from: 5, end: 10 }, version: file.version });
  expect(await new Response(body).text()).toBe('bytes');
  expect([...passwords]).toEqual([`Basic ${btoa('me:pass')}`]);
  const inside = scheme.open({ uri: 'shelf://127.0.0.1/in/' });
  await expect(inside.stat('a.mov')).rejects.toMatchObject({ kind: 'denied' });
});

describe('info-provider', () => {
  it('makes a service user of a caller who logs in, with real name, groups and metadata', async () => {
    const { asked, send, as, events } = await serve('info-provider');
    await send('/API/group/editors', { ...as(...admin), method: 'PUT' });
    expect(await asked('/API/user/alice', ...admin)).toBe('404');
    expect(await asked('/API/whoami', 'alice', 'a long pass phrase')).toBe('200 alice');
    const [status, ...body] = (await asked('/API/user/alice', ...admin)).split(' ');
    expect([status, JSON.parse(body.join(' '))]).toMatchObject([
      '200',
      { userName: 'alice', realName: 'Alice Archer' },
    ]);
    const happened = (await events()).slice(-2).map(({ name, payload }) => [name, payload]);
    expect(happened).toMatchObject([
      ['user/create', { user: 'alice' }],
      ['group/modify', { group: 'editors', mode: 'ADD', affectedUser: 'alice' }],
    ]);
  });

  it('leaves out whom the service has disabled, and makes nobody of a wrong password', async () => {
    const { asked, service, expectErrors } = await serve('info-provider');
    expect(await asked('/API/whoami', 'bob', 'wrong')).toBe('401');
    expect(await asked('/API/user/bob', ...admin)).toBe('404');
    expect(await asked('/API/whoami', 'bob', 'another pass phrase')).toBe('200 bob');
    const bob = await findUser(service.store, { name: 'bob' });
    await service.store.commit(switchUser(bob!, false), { user: 'admin' });
    expectErrors('listener-failed');
    expect(await asked('/API/whoami', 'bob', 'another pass phrase')).toBe('401');
  });
});

it('realm-with-tests asks the endpoint that security.ini names, by the file of the realm', async () => {
  const endpoint = await openReceiver();
  onTestFinished(() => endpoint.close());
  endpoint.script({ body: '{"name":"alice"}' }, { status: 403 }, { body: '{"name":"admin"}' });
  const { asked, expectErrors } = await serve('realm-with-tests', (text) =>
    text.replace('http://127.0.0.1:9090', endpoint.address),
  );
  expect(await asked('/API/whoami', 'alice', 'a long pass phrase')).toBe('200 alice');
  expect(await asked('/API/whoami', 'alice', 'wrong')).toBe('401');
  expectErrors('realm-failed');
  expect(await asked('/API/whoami', 'alice', 'a long pass phrase')).toMatch(/^503/);
  expect(endpoint.received.map(({ method, target, body }) => [method, target, JSON.parse(body).user])).toEqual(
    Array(3).fill(['POST', '/login', 'alice']),
  );
});

describe('worker', () => {
  it.skipIf(sqldBinary() === undefined)(
    'lets in those who are invited, as one module before a remote database',
    async () => {
      const database = await startPreparedSqld();
      onTestFinished(() => database.stop());

      const root = await copyOf('worker');
      const { contents, imports } = await bundleSecurity(await gatherSecurity(settingsFor(root)), { minify: true });
      // The engine of scripts, which a deployment compiles.
      expect(imports.filter((name) => !name.startsWith('node:'))).toEqual(['./portico.wasm']);
      const path = join(root, 'service.mjs');
      await writeFile(path, contents);
      // Nothing of the instance is needed any more.
      await Promise.all(['security.ini', 'plugins'].map((each) => rm(join(root, each), { recursive: true })));

      const { default: worker } = await import(pathToFileURL(path).href);
      const environment = { PORTICO_DATABASE: database.url, PORTICO_LOG_LEVEL: 'error' };
      const whoami = async (user: string, password: string): Promise<string> => {
        const request = new Request('http://edge/API/whoami', { headers: { authorization: basic([user, password]) } });
        const response: Response = await worker.fetch(request, environment);
        return `${response.status} ${response.status === 200 ? await response.text() : ''}`.trim();
      };
      expect(await whoami('eve', 'welcome to the party')).toBe('200 eve');
      expect(await whoami('eve', 'welcome')).toBe('401');
      expect(await whoami('mallory', 'welcome to the party')).toBe('401');
    },
  );

  it('is written by the command that its README names', async () => {
    const root = await copyOf('worker');
    await mkdir(join(root, 'out'));
    const { code, out } = await runCli(['bundle', join(root, 'out/service.mjs'), '--root', root], { root });
    expect([code, out]).toEqual([0, expect.stringContaining('Wrote ')]);
    expect(await readFile(join(root, 'out/service.mjs'), 'utf8')).toContain('example.InvitationRealm');
  });
});
