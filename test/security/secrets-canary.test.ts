import { expect, it } from 'vitest';
import { readSettings } from '../../src/composition/settings.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { basic, describeMatrix, type Sent } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { byToken, json, newKey, newToken, setProperty, setStatus } from '../support/ways.ts';

const canary = 'cAnArY-7f3a';
const base64 = Buffer.from(canary).toString('base64').slice(0, 12);
/** As it is, encoded for a header, and encoded for a target. */
const forms = [
  canary,
  base64,
  Buffer.from(`:${canary}`).toString('base64').slice(2, 14),
  encodeURIComponent(`:${canary}`),
];

const byTokenTo = (request: string, token: string): Sent => ({ ...byToken(token), request });
const authorization = (value: string): Sent => ({ request: 'GET /API/whoami', headers: { authorization: value } });
const post = (body: string | object, headers: Record<string, string> = {}): Sent => ({
  as: admin,
  request: 'POST /API/user?passwordType=raw',
  headers,
  body,
});

/** Every place where somebody may put a password, and places where somebody puts it by mistake. */
const places: readonly Sent[] = [
  authorization(basic(['admin', canary])),
  authorization(basic([canary, canary])),
  authorization(`Basic ${canary}`),
  authorization(`Basic ${Buffer.from(canary).toString('base64')}`),
  authorization(`Bearer ${canary}`),
  authorization(`token ${canary}`),
  authorization(canary),
  {
    request: `GET /API/whoami?password=${canary}&token=${canary}`,
    headers: { cookie: canary, 'x-request-id': `"${canary}` },
  },
  { as: admin, request: `GET /API/whoami;password=${canary}` },
  { as: admin, request: `GET /API/nowhere?password=${canary}` },
  { as: admin, request: `POST /API/whoami?password=${canary}` },
  post({ userName: 'a', password: canary }),
  post({ userName: 'a', password: canary }),
  post({ userName: 'b', password: canary }, { prefer: 'return=representation' }),
  post(
    { userName: 'b', password: canary, salt: canary },
    { prefer: 'return=representation', accept: 'application/json' },
  ),
  { as: admin, request: 'PUT /API/user/a', body: { userName: 'a', password: canary } },
  { as: admin, request: 'PUT /API/user/a', body: { userName: 'a/b', password: canary } },
  { as: admin, request: 'PUT /API/user/a/password?type=raw', body: canary },
  { as: admin, request: 'PUT /API/user/a/password?type=md5', body: canary },
  { as: admin, request: 'PUT /API/user/a/password', body: `${canary}\n` },
  { as: admin, request: 'PUT /API/user/nobody/password', body: canary },
  { as: admin, request: 'PUT /API/user/a/password', body: canary.repeat(200_000) },
  { as: admin, request: `PUT /API/user/a/realname?password=${canary}`, body: 'a' },
  post({ userName: 'a/b', password: canary }),
  post({ password: canary }),
  post({ userName: 'c', password: canary.repeat(200) }),
  post({ userName: 'c', password: { value: canary } }),
  post({ userName: 'c', password: [canary, canary] }),
  post({ userName: 'c', password: canary, groupList: { group: [{ groupName: 'nowhere' }] } }),
  post({ userName: 'c', pasword: canary }),
  post({ userName: 'c', password: `${canary}\ud800` }),
  post(`{"userName":"c","password":"${canary}"`),
  post(`{"userName":"c","password":"${canary}`),
  post(`{"userName":"c","password":${canary}}`),
  post(`{"userName":"c","password":"${canary}","password":"${canary}"}`),
  post(`<UserDocument><userName>c</userName><password>${canary}</pass></UserDocument>`),
  post(`<UserDocument><userName>c</userName><password>${canary}&${canary};</password></UserDocument>`),
  post(
    `<UserDocument><userName>c</userName><password>${canary}<x/></password><password>${canary}</password></UserDocument>`,
  ),
  post(`<UserDocument><password>${canary}</password></UserDocument>`),
  post(`<UserDocument password="${canary}"><userName>d</userName></UserDocument>`),
  post(`<!DOCTYPE x [<!ENTITY e "${canary}">]><UserDocument><userName>c</userName></UserDocument>`),
  post(`password=${canary}`, { 'content-type': 'application/x-www-form-urlencoded' }),
];

describeMatrix('a secret', (entry) => {
  it('comes up in no log line, no answer, no event and no metric', async () => {
    const world = await entry.open({ settings: { databaseToken: new Secret(canary), metricsPort: 0 } });
    const said: string[] = [];
    for (const sent of places) {
      const { status, headers, body } = await world.send(sent);
      expect(status, JSON.stringify(sent)).toBeLessThan(500);
      said.push(JSON.stringify([...headers]), body);
    }
    said.push((await world.send({ as: admin, request: 'GET /API/metrics' })).body);
    said.push(
      (await world.send({ as: admin, request: 'GET /API/user', headers: { accept: 'application/json' } })).body,
    );
    said.push(...world.lines.map((line) => JSON.stringify(line)));
    said.push(...(await world.events()).map((event) => JSON.stringify(event)));
    const stored = await world.service.store.read('SELECT name, password FROM user');
    said.push(JSON.stringify(stored));
    for (const text of said) for (const form of forms) expect(text).not.toContain(form);
    expect(stored.length, 'users with that password exist').toBeGreaterThan(2);
  });

  it('that the service gives out, or is asked about, comes up in the answer that gives it and nowhere else', async () => {
    const world = await entry.open();
    const [token, key] = [await newToken(world, { as: admin }), await newKey(world, 'admin')];
    const [, secret] = key.pair;
    const runas = { runas: 'admin' };
    const validate = { as: admin, request: 'PUT /API/user/admin/validate' };
    const auth = { as: admin, request: 'PUT /API/configuration/auth' };
    const said: string[] = [];
    const asked: readonly Sent[] = [
      ...[token, `${token}x`, `${token}=`, `${token} ${token}`].flatMap((text): Sent[] => [
        { ...byToken(text), request: 'GET /API/whoami' },
        { ...byToken(text, runas), request: 'GET /API/user/nobody' },
        { ...byToken(text, json), request: 'POST /API/user', body: {} },
        authorization(`Bearer ${text}`),
        authorization(basic(['admin', text])),
        { request: `GET /API/whoami?token=${text.split(' ')[0]}` },
      ]),
      ...[secret, `${secret}x`].flatMap((text): Sent[] => [
        { as: [key.id, text], request: 'GET /API/user/admin/key' },
        { as: [key.id, text], headers: runas, request: 'GET /API/user/nobody' },
        { as: ['admin', text], request: 'GET /API/whoami' },
        byTokenTo('GET /API/whoami', text),
      ]),
      setStatus('admin', key.id, 'INACTIVE'),
      { as: [key.id, secret], request: 'GET /API/whoami' },
      { as: admin, request: `PUT /API/user/admin/key/${key.id}`, body: { secret: canary, name: 'x' } },
      { as: admin, request: 'GET /API/user/admin/tokens', headers: json },
      { ...validate, body: canary },
      { ...validate, body: `${canary}${'x'.repeat(5000)}` },
      { ...validate, body: canary, request: `${validate.request}?type=md5` },
      { ...validate, body: canary, request: 'PUT /API/user/nobody/validate' },
      { ...auth, body: `{"validationEndpoint":"${canary}` },
      { ...auth, body: `<OAuth2ConfigurationDocument><publicKey>${canary}</wrong>` },
      { ...auth, body: { federationMetadataInterval: 'x', publicKey: [canary] } },
      { as: admin, request: 'PUT /API/configuration/properties', body: `{"key":"a","value":"${canary}"` },
      { as: admin, request: `GET /API/log?token=${token}&password=${canary}` },
      { as: admin, request: 'DELETE /API/user/admin/tokens' },
      { ...byToken(token), request: 'GET /API/whoami' },
    ];
    for (const sent of asked) {
      const { status, headers, body } = await world.send(sent);
      expect(status, JSON.stringify(sent)).toBeLessThan(500);
      said.push(JSON.stringify([...headers]), body);
    }
    // Written down where it belongs, which is where administrators may read it.
    for (const sent of [
      { ...auth, body: { validationEndpoint: `https://idp.example.com/?key=${canary}` } },
      setProperty('other.password', canary),
    ])
      expect((await world.send(sent)).status, JSON.stringify(sent)).toBe(200);
    await world.clock.advance(2_000);
    for (const path of ['metrics', 'log?rows=1000', 'security/explain?target=%2F'])
      said.push((await world.send({ as: admin, request: `GET /API/${path}` })).body);
    for (const table of ['event', 'audit', 'audit_read', 'token', 'access_key', 'user'])
      said.push(JSON.stringify(await world.service.store.read(`SELECT * FROM ${table}`)));
    said.push(...world.printed);
    const secrets = [
      token,
      secret,
      ...forms,
      btoa(`admin:${token}`).slice(10, 40),
      btoa(`${key.id}:${secret}`).slice(30, 60),
    ];
    for (const text of said) for (const each of secrets) expect(text).not.toContain(each);
    expect(JSON.stringify(await world.service.store.read('SELECT * FROM audit')), 'there is an audit log').toContain(
      '/whoami',
    );
  });

  it('comes up in no log line when something inside breaks', async () => {
    const world = await entry.open();
    world.expectErrors('realm-failed');
    world.expectErrors('request-failed');
    await world.send(authorization(basic(['admin', canary])));
    await world.service.store.commit(
      { changes: [{ sql: 'DROP TABLE login', args: [] }], events: [] },
      { user: 'test' },
    );
    const answer = await world.send(authorization(basic(['admin', canary])));
    expect([401, 500, 503]).toContain(answer.status);
    const all = JSON.stringify([answer.body, world.lines]);
    for (const form of forms) expect(all).not.toContain(form);
  });

  it('comes up in no message about a setting', () => {
    const message = (environment: Record<string, string>) => {
      try {
        readSettings(environment);
        return '';
      } catch (error) {
        return String(error);
      }
    };
    const long = message({ PORTICO_ADMIN_PASSWORD: canary.repeat(200) });
    expect(long).toContain('PORTICO_ADMIN_PASSWORD');
    expect(long).not.toContain(canary);
    expect(message({ PORTICO_ADMIN_PASWORD: canary })).toMatch(/PORTICO_ADMIN_PASSWORD/);
    expect(message({ PORTICO_ADMIN_PASWORD: canary })).not.toContain(canary);
  });
});

it('a Secret prints as a mask however it is printed', async () => {
  const { inspect } = await import('node:util');
  const secret = new Secret(canary);
  const printed = [
    `${secret}`,
    String(secret),
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: [secret] }),
  ];
  for (const text of printed) {
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(canary);
  }
  expect(Object.keys(secret)).toEqual([]);
  expect(secret.reveal()).toBe(canary);
});
