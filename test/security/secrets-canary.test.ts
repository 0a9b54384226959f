import { expect, it } from 'vitest';
import { readSettings } from '../../src/config/settings.ts';
import { Secret } from '../../src/lib/secret.ts';
import { basic, describeMatrix, type Sent } from '../support/matrix.ts';
import { admin } from '../support/service.ts';

const canary = 'cAnArY-7f3a';
const base64 = Buffer.from(canary).toString('base64').slice(0, 12);
/** As it is, encoded for a header, and encoded for a target. */
const forms = [
  canary,
  base64,
  Buffer.from(`:${canary}`).toString('base64').slice(2, 14),
  encodeURIComponent(`:${canary}`),
];

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
