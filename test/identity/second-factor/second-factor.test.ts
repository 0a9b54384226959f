import { expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import { codeAt, shownSecret, toBase32 } from '../../../src/identity/second-factor/totp.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { testRandom } from '../../support/random.ts';
import {
  admin,
  alice,
  challengeFor,
  codeNow,
  open,
  openedOf,
  password,
  second,
  secondFactor,
  sessionOf,
  stepOf,
  who,
  withApp,
  withPasskey,
} from './support.ts';

it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('makes the codes of RFC 6238 at %i seconds', async (seconds, code) => {
  const secret = Buffer.from('12345678901234567890').toString('base64url');
  expect(await codeAt(secret, Math.floor(seconds / 30))).toBe(code);
});

it('shows secrets in base32', () => {
  expect(toBase32(new TextEncoder().encode('foobar'))).toBe('MZXW6YTBOI');
  expect(shownSecret(Buffer.from('12345678901234567890').toString('base64url'))).toBe(
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  );
});

it('off: a password alone logs in, and nobody adds a second factor', async () => {
  const opened = await open({ secondFactor: 'off' });
  const cookie = await sessionOf(opened);
  expect((await opened.ask(`POST ${secondFactor}/offer`, { kind: 'TOTP' }, { cookie })).status).toBe(403);
});

it('a user with an app logs in with the password and a code', async () => {
  const opened = await open();
  const app = await withApp(opened);
  const { status, body, cookie } = await password(opened);
  expect([status, cookie]).toEqual([200, '']);
  expect(body).toEqual({ step: expect.stringMatching(/^[\w-]{43}$/), needs: 'second-factor', kind: ['TOTP'] });
  const answer = await second(opened, { code: await codeNow(opened, app) }, body.step);
  expect(answer.status).toBe(204);
  expect(await who(opened, answer.cookie)).toBe('alice');
  const { body: session } = await opened.ask('GET /API/session', undefined, { cookie: answer.cookie });
  expect(session.secondFactor).toBe(true);
});

it.each([-7, -8, -257] as const)(
  'a user with a passkey of algorithm %i logs in with the password and it',
  async (algorithm) => {
    const opened = await open();
    const authenticator = new Authenticator(algorithm);
    await withPasskey(opened, authenticator);
    const step = await stepOf(opened);
    const passkey = authenticator.get({ challenge: await challengeFor(opened, step) });
    const answer = await second(opened, { passkey }, step);
    expect([answer.status, await who(opened, answer.cookie)]).toEqual([204, 'alice']);
  },
);

it('a passkey alone logs in where passkeyLogin allows it, and only then', async () => {
  const opened = await open({ passkeyLogin: true });
  const authenticator = new Authenticator();
  await withPasskey(opened, authenticator);
  const passkey = authenticator.get({ challenge: await challengeFor(opened) });
  const answer = await opened.ask('POST /APInoauth/session/factor', { passkey });
  expect([answer.status, await who(opened, answer.cookie)]).toEqual([204, 'alice']);
  const closed = await open();
  expect((await closed.ask('POST /APInoauth/session/challenge', {})).body).toEqual({ host: 'portico.test' });
  expect((await closed.ask('POST /APInoauth/session/factor', { passkey })).status).toBe(403);
});

it('the session that adds the first second factor adds the next one, and another session does not', async () => {
  const opened = await open();
  const other = await sessionOf(opened);
  const { cookie } = await withApp(opened);
  await withPasskey(opened, new Authenticator(), cookie);
  expect((await opened.ask(`POST ${secondFactor}/offer`, { kind: 'TOTP' }, { cookie: other })).status).toBe(403);
});

it('lists, renames and removes, and tells events', async () => {
  const opened = await open();
  const app = await withApp(opened);
  const { cookie } = await second(opened, { code: await codeNow(opened, app) });
  await withPasskey(opened, new Authenticator(), cookie);
  const list = async () => (await opened.ask(`GET ${secondFactor}`, undefined, { cookie })).body;
  expect(await list()).toMatchObject({
    policy: 'optional',
    recoveryCodes: 10,
    factor: [
      { id: app.id, kind: 'TOTP', name: 'Phone', used: expect.any(String) },
      { kind: 'PASSKEY', name: 'Key' },
    ],
  });
  const before = (await opened.world.events()).at(-1)!.sequence;
  expect((await opened.ask(`PUT ${secondFactor}/${app.id}`, { name: 'Old phone' }, { cookie })).status).toBe(200);
  expect((await list()).factor[0].name).toBe('Old phone');
  expect((await opened.ask(`DELETE ${secondFactor}/${app.id}`, undefined, { cookie })).status).toBe(200);
  expect((await list()).factor).toHaveLength(1);
  const events = (await opened.world.events(before)).map(({ name, entity, payload }) => [name, entity, payload]);
  const changed = ['user/modify', 'alice', expect.objectContaining({ user: 'alice', changed: ['secondFactor'] })];
  expect(events).toEqual([changed, changed]);
});

it('an administrator removes all second factors of a user, and the password logs in again', async () => {
  const opened = await open();
  await withApp(opened);
  expect((await opened.ask(`DELETE ${secondFactor}`, undefined, { as: admin })).status).toBe(200);
  const cookie = await sessionOf(opened);
  const { body } = await opened.ask(`GET ${secondFactor}`, undefined, { cookie });
  expect(body).toMatchObject({ recoveryCodes: 0 });
});

it.each([
  ['all', alice],
  ['administrators', admin],
] as const)('%s: who has none is led to enrol, and logs in with the enrolment', async (policy, as) => {
  const strict = await open({ secondFactor: policy, passwordAlone: true });
  const { body } = await password(strict, as);
  expect(body).toMatchObject({ needs: 'enrolment' });
  const { body: offer } = await strict.ask('POST /APInoauth/session/offer', { step: body.step, kind: 'PASSKEY' });
  const passkey = new Authenticator().create({ challenge: offer.challenge });
  const enrolled = await strict.ask('POST /APInoauth/session/enrol', { step: body.step, passkey, name: 'Key' });
  expect([enrolled.status, enrolled.body.code]).toEqual([200, expect.arrayContaining([expect.any(String)])]);
  expect(enrolled.body.code).toHaveLength(10);
  expect(await who(strict, enrolled.cookie)).toBe(as[0]);
});

it('administrators: a user who is none logs in with the password', async () => {
  const opened = await open({ secondFactor: 'administrators', passwordAlone: true });
  expect(await who(opened, await sessionOf(opened))).toBe('alice');
});

it('HTTP Basic of a user with a second factor works with access keys, and with the password where passwordAlone allows it', async () => {
  for (const passwordAlone of [false, true]) {
    const opened = await open({ passwordAlone });
    await withApp(opened);
    const { status, error } = await opened.ask('GET /API/whoami', undefined, { as: alice });
    expect([status, error]).toEqual(passwordAlone ? [200, null] : [403, 'second-factor-missing']);
    const { body: key } = await opened.ask('POST /API/user/alice/key', undefined, { as: admin });
    expect((await opened.ask('GET /API/whoami', undefined, { as: [key.id, key.secret] })).body).toBe('alice');
  }
});

it('a login that is not recent changes no roles, keys and factors until it is repeated', async () => {
  const opened = await open({ stepUpSeconds: 600 });
  const app = await withApp(opened);
  const { cookie } = await second(opened, { code: await codeNow(opened, app) });
  const key = (own: string) => opened.ask('POST /API/user/alice/key', undefined, { cookie: own });
  expect((await key(cookie)).status).toBe(200);
  await opened.world.clock.advance(600_000);
  expect(await key(cookie)).toMatchObject({ status: 403, error: 'login-too-old' });
  const other = await opened.ask(`POST ${secondFactor}/recovery`, undefined, { cookie });
  expect(other).toMatchObject({ status: 403, error: 'login-too-old' });
  expect(await who(opened, cookie)).toBe('alice');
  const again = await second(opened, { code: await codeNow(opened, app) });
  expect((await key(again.cookie)).status).toBe(200);
});

it('a recovery code logs in, and new ones void the old', async () => {
  const opened = await open();
  const app = await withApp(opened);
  expect(app.recovery).toHaveLength(10);
  const { status, cookie } = await second(opened, { recoveryCode: app.recovery[3]!.toLowerCase() });
  expect(status).toBe(204);
  const { body } = await opened.ask(`POST ${secondFactor}/recovery`, undefined, { cookie });
  expect(body.code).toHaveLength(10);
  expect((await second(opened, { recoveryCode: app.recovery[4] })).status).toBe(403);
  expect((await second(opened, { recoveryCode: body.code[0] })).status).toBe(204);
});

it('a code of an app whose key is lost is refused with the way out, and a recovery code logs in', async () => {
  const database = await migratedDatabase();
  const before = await open({}, { database });
  const app = await withApp(before);
  const [secretKey, random] = [new Secret(Buffer.alloc(32, 9).toString('base64')), testRandom(2)];
  const settings = { secondFactor: 'optional' } as const;
  const opened = openedOf(
    await openWorld('fetch', { settings, database, secretKey, random, clock: before.world.clock }),
  );
  const { status, body } = await second(opened, { code: await codeNow(opened, app) });
  expect([status, JSON.stringify(body)]).toEqual([403, expect.stringMatching(/Use a passkey or a recovery code/)]);
  expect((await second(opened, { recoveryCode: app.recovery[0] })).status).toBe(204);
});
