import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { Plugin, StorageAddress } from '../../../src/spi/index.ts';
import { newUser } from '../../support/cast.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { openReceiver } from '../../support/receiver.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, openService, withService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/store.ts';

const canary = 'cAnArY-secret-4b1d';
const json = { accept: 'application/json' };
const by = (request: string, body?: object | string, as: Credentials = admin) => ({ as, request, body, headers: json });
const asText = { accept: 'application/json', 'content-type': 'text/plain' };

/** A secret with a name and a password. */
const given = (alias: string, password = canary) => [
  by(`PUT /API/secret/${alias}`),
  { ...by(`PUT /API/secret/${alias}/username`, 'robot'), headers: asText },
  { ...by(`PUT /API/secret/${alias}/password`, password), headers: asText },
];

async function open(options: Parameters<typeof openWorld>[1] = {}): Promise<World> {
  const world = await openWorld('fetch', options);
  await prepare(world, given('archive'));
  return world;
}

describe('a secret', () => {
  it('tells its keys, and its values to nobody', async () => {
    const world = await open();
    const answers = [
      await world.send(by('GET /API/secret')),
      await world.send(by('GET /API/secret/archive')),
      await world.send(by('PUT /API/secret/archive')),
      await world.send({ ...by('PUT /API/secret/archive/pin', canary), headers: asText }),
      await world.send({ ...by('PUT /API/secret/nothing/password', canary), headers: asText }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 404]);
    expect(JSON.parse(answers[0]!.body)).toEqual({ secret: [{ alias: 'archive', key: ['password', 'username'] }] });
    const tables = await world.service.store.read(`SELECT name FROM sqlite_master WHERE type = 'table'`);
    for (const { body } of answers) expect(body).not.toContain(canary);
    for (const [name] of tables) {
      expect(JSON.stringify(await world.service.store.read(`SELECT * FROM "${name}"`)), String(name)).not.toContain(
        canary,
      );
    }
  });

  it('loses a value, and goes with all of them', async () => {
    const world = await open();
    expect((await world.send(by('DELETE /API/secret/archive/username'))).status).toBe(200);
    expect((await world.send(by('DELETE /API/secret/archive/username'))).status).toBe(404);
    expect(JSON.parse((await world.send(by('GET /API/secret/archive'))).body)).toEqual({
      alias: 'archive',
      key: ['password'],
    });
    expect((await world.send(by('DELETE /API/secret/archive'))).status).toBe(200);
    expect((await world.send(by('GET /API/secret/archive'))).status).toBe(404);
    expect(await world.service.store.read('SELECT * FROM secret_value')).toEqual([]);
  });

  it('needs PORTICO_SECRET_KEY', async () => {
    const world = await openWorld('fetch', { secretKey: null });
    await world.send(by('PUT /API/secret/archive'));
    const { status, body } = await world.send({ ...by('PUT /API/secret/archive/password', 'x'), headers: asText });
    expect([status, body]).toEqual([403, expect.stringContaining('PORTICO_SECRET_KEY')]);
  });
});

describe('a storage method', () => {
  /** Addresses that the driver was opened with. */
  function recording(): { readonly plugin: Plugin; readonly opened: string[] } {
    const memory = memoryStorage(() => 0, 'shelf');
    const opened: string[] = [];
    const scheme = {
      ...memory,
      open({ uri, user, password }: StorageAddress) {
        opened.push(`${user}:${password?.reveal()}`);
        return memory.open({ uri });
      },
    };
    const storages = { 'test.Shelf': { says: 'Files of a test.', create: () => scheme } };
    return { plugin: { name: 'shelf', version: '1', contract: 1, storages }, opened };
  }
  const storage = (as = admin, credentials = 'secret:archive') =>
    by(
      'POST /API/storage',
      { type: 'LOCAL', capacity: 1000, scanInterval: -1, method: [{ uri: `shelf://${credentials}@host/in/` }] },
      as,
    );
  const upload = (path: string) => by(`POST /API/storage/VX-1/file/data?path=${path}`, 'bytes');

  it('gets name and password of the secret that it names, also when they change', async () => {
    const { plugin, opened } = recording();
    const world = await open({ plugins: [plugin] });
    const { status, body } = await world.send(storage());
    expect([status, body]).toEqual([200, expect.stringContaining('shelf://***@host/in/')]);
    for (const path of ['a', 'b']) expect((await world.send(upload(path))).status).toBe(200);
    await prepare(world, given('archive', 'another'));
    expect((await world.send(upload('c'))).status).toBe(200);
    expect(opened).toEqual([`robot:${canary}`, 'robot:another']);
  });

  it('a keeper of storages has secrets sent to a host of its own', async () => {
    const { plugin, opened } = recording();
    const world = await open({ plugins: [plugin] });
    const keeper: Credentials = ['keeper', 'password of keeper'];
    await prepare(world, [newUser(keeper, ['_storage_write', '_storage_read'])]);
    expect((await world.send(storage(keeper))).status).toBe(403);
    await prepare(world, [storage()]);
    const change = async (uri: string) =>
      (await world.send(by('PUT /API/storage/VX-1', { method: [{ id: 'VX-1', uri }] }, keeper))).status;
    expect(await change('shelf://secret:archive@elsewhere/')).toBe(403);
    expect(await change('shelf://***@elsewhere/')).toBe(400);
    // A name that looks like a mask, and then the word with the password that is there.
    expect(await change('shelf://***:archive@elsewhere/')).toBe(200);
    expect(await change('shelf://secret:***@elsewhere/')).toBe(400);
    expect((await world.send(storage(admin, 'secret:nothing'))).status).toBe(404);
    expect(opened).toEqual([]);
  });

  it('an account that may act for an administrator keeps no secret when that right ends', async () => {
    const { plugin, opened } = recording();
    const world = await open({ plugins: [plugin] });
    const portal: Credentials = ['portal', 'password of portal'];
    await prepare(world, [newUser(portal, ['_runas'], { runAs: true })]);
    const headers = { ...json, runas: admin[0] };
    const { status, body } = await world.send({ ...storage(portal), headers });
    expect([status, body]).toEqual([403, expect.stringContaining('RunAs')]);
    expect((await world.send({ ...storage(portal, 'own:password'), headers })).status).toBe(200);
    expect(opened).toEqual([]);
  });
});

describe('a notification', () => {
  async function receiving() {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    const world = await open({ settings: { outboundAllow: ['127.0.0.1'] } });
    const url = (credentials: string) => receiver.address.replace('//', `//${credentials}@`);
    const register = (credentials: string, as = admin) =>
      by(
        'POST /API/group/notification',
        { action: { http: { url: url(credentials), synchronous: true } }, trigger: { group: { create: '' } } },
        as,
      );
    return { receiver, world, register, url };
  }
  const basicOf = (password: string) => `Basic ${Buffer.from(`robot:${password}`).toString('base64')}`;

  it('is sent with the credentials of the secret that it names, also when they change', async () => {
    const { receiver, world, register } = await receiving();
    expect((await world.send(register('secret:archive'))).status).toBe(200);
    await prepare(world, [by('PUT /API/group/one'), ...given('archive', 'another'), by('PUT /API/group/two')]);
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([
      basicOf(canary),
      basicOf('another'),
    ]);
  });

  it('a writer of notifications has secrets sent to a receiver of its own', async () => {
    const { receiver, world, register, url } = await receiving();
    const writer: Credentials = ['writer', 'password of writer'];
    await prepare(world, [newUser(writer, ['_group_notification_write', '_group_notification_read'])]);
    expect((await world.send(register('secret:archive', writer))).status).toBe(403);
    // The name arrives with one request and the alias with another.
    expect((await world.send(register('other:archive', writer))).status).toBe(200);
    const change = {
      action: { http: { url: url('secret:***'), synchronous: true } },
      trigger: { group: { create: '' } },
    };
    const ids = JSON.parse((await world.send(by('GET /API/group/notification'))).body) as { uri: string[] };
    const id = ids.uri[0]!.split('/').at(-1);
    expect((await world.send(by(`PUT /API/group/notification/${id}`, change, writer))).status).toBe(403);
    await prepare(world, [by('PUT /API/group/three')]);
    expect(JSON.stringify(receiver.received)).not.toContain(basicOf(canary));
  });
});

it('a realm gets the secret that security.ini names, and one that is missing stops the configuration', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  receiver.script({ body: '{}' });
  const world = await open();
  const text = (secret: string) => `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
people = portico.HttpRealm
people.url = ${receiver.address}/login
people.allowPlainText = true
people.sharedSecret = ${secret}
securityManager.realms = $serviceRealm, $people
strategy = org.apache.shiro.authc.pam.FirstSuccessfulStrategy
securityManager.authenticator.authenticationStrategy = $strategy
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`;
  const configure = (secret: string) =>
    world.service.configure({ text: text(secret), file: 'security.ini', plugins: [] });
  expect(await configure('secret:archive')).toMatchObject({ applied: true });
  await world.send({ as: ['bea', 'her password'], request: 'GET /API/whoami' });
  expect(receiver.received[0]!.headers['x-portico-secret']).toBe(canary);
  world.expectErrors('security-finding');
  const { applied, findings } = await configure('secret:nothing');
  expect([applied, findings.at(-1)!.message]).toEqual([
    false,
    'Expected a secret with a password for people.sharedSecret: PUT /secret/nothing/password',
  ]);
});

describe('a secret that security.ini names', () => {
  /** A realm that knows nobody, logs its password, and throws it at the user `mallory`. */
  const given: string[] = [];
  const talkative: Plugin = {
    name: 'talkative',
    version: '1',
    contract: 1,
    realms: {
      'test.Talkative': {
        says: 'For tests.',
        properties: { host: { type: 'string', says: 'A text.' } },
        create({ host: password }: { readonly host: string }, { log }) {
          given.push(password);
          log('warn', 'talkative', { password, inside: { lines: `${password}\n` } });
          return {
            supports: () => true,
            authenticate(credentials) {
              if (credentials.kind === 'password' && credentials.user === 'mallory')
                throw new Error(`I use ${password}`);
              return { answer: 'not-mine' };
            },
          };
        },
      },
    },
  };
  const security = (secret = 'secret:archive') => ({
    file: 'security.ini',
    plugins: [talkative],
    text: `[main]
serviceRealm = portico.ServiceRealm
tokenAuth = portico.TokenFilter
people = test.Talkative
people.host = ${secret}
securityManager.realms = $serviceRealm, $people
strategy = org.apache.shiro.authc.pam.FirstSuccessfulStrategy
securityManager.authenticator.authenticationStrategy = $strategy
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
  });

  it('a component says it in logs and errors, and nobody reads it there', async () => {
    given.length = 0;
    const world = await open({ settings: { logLevel: 'debug' } });
    expect(await world.service.configure(security())).toMatchObject({ applied: true });
    world.expectErrors('realm-failed');
    const refused = await world.send({ as: ['mallory', 'her password'], request: 'GET /API/whoami' });
    const question = { method: 'GET', target: '/API/user', user: 'admin' };
    const explained = await world.service.explain(question);
    const answers = await Promise.all(
      ['/configuration', '/configuration/properties', '/secret', '/selftest'].map((path) =>
        world.send(by(`GET /API${path}`)),
      ),
    );
    expect([given, refused.status]).toEqual([[canary], 503]);
    expect(world.printed.join()).toContain('I use [redacted]');
    expect(world.printed.join()).toContain('"password":"[redacted]"');
    const shown = JSON.stringify([world.printed, refused, explained, answers]);
    expect(shown).not.toContain(canary);
  });

  it('counts at the next load, and a load without it leaves what runs', async () => {
    given.length = 0;
    const world = await open();
    const load = () => world.service.reload(async () => security());
    await load();
    await prepare(world, [{ ...by('PUT /API/secret/archive/password', 'another'), headers: asText }]);
    expect(given).toEqual([canary]);
    await load();
    expect(given).toEqual([canary, 'another']);
    expect((await world.send(by('DELETE /API/secret/archive/password'))).status).toBe(200);
    world.expectErrors('security-finding');
    world.expectErrors('security-kept');
    await load();
    expect(given).toEqual([canary, 'another']);
    expect((await world.send(by('GET /API/secret'))).status).toBe(200);
    const kept = world.lines.find(({ event, level }) => event === 'security-finding' && level === 'error');
    expect(kept).toMatchObject({ file: 'security.ini', line: 5, code: 'secret' });
  });

  it('is missing in a database that was never started, which says how to make it', async () => {
    const database = await openDatabase('memory:');
    await expect(openService({ database, security: security() })).rejects.toThrow(
      'security.ini:5:1: error: Expected a secret with a password for people.host: PUT /secret/archive/password [secret]',
    );
  });

  it('is opened by the first request where nothing starts before it, as on an edge', async () => {
    given.length = 0;
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const url = `file:${directory.path}/edge.db`;
    const world = await open({ database: await openDatabase(url) });
    const edge = await withService({ database: await openDatabase(url), start: false, security: security() });
    await world.close();
    const authorization = `Basic ${Buffer.from(admin.join(':')).toString('base64')}`;
    const request = new Request('http://edge/API/whoami', { headers: { authorization } });
    expect([(await edge.service.fetch(request)).status, given]).toEqual([200, [canary]]);
  });
});
