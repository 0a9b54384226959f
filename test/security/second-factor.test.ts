import { expect, it, onTestFinished } from 'vitest';
import {
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
} from '../identity/second-factor/support.ts';
import { Authenticator } from '../support/authenticator.ts';
import { newUser } from '../support/cast.ts';
import { testClock } from '../support/clock.ts';
import { outliving } from '../support/databases.ts';
import type { World } from '../support/matrix.ts';
import { openWorld } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { testRandom } from '../support/random.ts';
import { prepare } from '../support/scenario.ts';
import { newKey, ofPage } from '../support/ways.ts';

const bob = ['bob', 'password of bob'] as const;

async function openPasskey(settings: object = {}) {
  const opened = await open(settings);
  const authenticator = new Authenticator();
  await withPasskey(opened, authenticator);
  return { opened, authenticator };
}

it.each([
  ['a passkey of another origin', { origin: 'https://portico.test.evil.test' }],
  ['a passkey of another port', { origin: 'https://portico.test:444' }],
  ['a passkey for another host name', { host: 'evil.test' }],
  ['an answer to a registration in the place of a login', { type: 'webauthn.create' }],
  ['an authenticator that nobody touched', { flags: 0x04 }],
])('%s: refused', async (_name, forged) => {
  const { opened, authenticator } = await openPasskey();
  const step = await stepOf(opened);
  const passkey = authenticator.get({ challenge: await challengeFor(opened, step), ...forged });
  expect((await second(opened, { passkey }, step)).status).toBe(403);
  const good = authenticator.get({ challenge: await challengeFor(opened, step) });
  expect((await second(opened, { passkey: good }, step)).status).toBe(204);
});

it('a login without a password by an authenticator that did not recognise its owner: refused', async () => {
  const { opened, authenticator } = await openPasskey({ passkeyLogin: true });
  const passkey = authenticator.get({ challenge: await challengeFor(opened), flags: 0x01 });
  expect((await opened.ask('POST /APInoauth/session/factor', { passkey })).status).toBe(403);
});

it('a replayed assertion: refused, in the same login, in another one, and without a password', async () => {
  const { opened, authenticator } = await openPasskey({ passkeyLogin: true });
  const step = await stepOf(opened);
  const passkey = { ...authenticator.get({ challenge: await challengeFor(opened, step), counter: 0 }) };
  expect((await second(opened, { passkey }, step)).status).toBe(204);
  expect((await second(opened, { passkey }, step)).status).toBe(401);
  expect((await second(opened, { passkey })).status).toBe(403);
  const alone = authenticator.get({ challenge: await challengeFor(opened), counter: 0 });
  const send = () => opened.ask('POST /APInoauth/session/factor', { passkey: alone });
  const answers = await Promise.all([send(), send(), send()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403, 403]);
});

it('a cloned authenticator, whose count does not grow: refused, and the log tells', async () => {
  const { opened, authenticator } = await openPasskey();
  const login = async (counter: number) => {
    const step = await stepOf(opened);
    const passkey = authenticator.get({ challenge: await challengeFor(opened, step), counter });
    return (await second(opened, { passkey }, step)).status;
  };
  expect([await login(7), await login(7), await login(3), await login(0), await login(8)]).toEqual([
    204, 403, 403, 403, 204,
  ]);
  const reasons = opened.world.lines.filter(({ event }) => event === 'passkey-refused').map(({ reason }) => reason);
  expect(reasons).toEqual(['authenticator-copied', 'authenticator-copied', 'authenticator-copied']);
});

it('a challenge of another user, of another use, of an hour ago or made up: refused', async () => {
  const { opened, authenticator } = await openPasskey({ passkeyLogin: true });
  await prepare(opened.world, [newUser(bob)]);
  const bobCookie = await sessionOf(opened, bob);
  const { body: offer } = await opened.ask(
    'POST /API/user/bob/second-factor/offer',
    { kind: 'PASSKEY' },
    { cookie: bobCookie },
  );
  const key = new Authenticator();
  const made = { passkey: key.create({ challenge: offer.challenge }) };
  expect((await opened.ask('POST /API/user/bob/second-factor', made, { cookie: bobCookie })).status).toBe(200);
  const challenges = [
    await challengeFor(opened, await stepOf(opened, bob)),
    await challengeFor(opened),
    offer.challenge,
    `${'x'.repeat(22)}.zzzzzzzz.${'x'.repeat(43)}`,
    '',
  ];
  for (const challenge of challenges) {
    const passkey = authenticator.get({ challenge });
    expect((await second(opened, { passkey })).status, challenge).toBe(403);
  }
  const old = await challengeFor(opened, await stepOf(opened));
  await opened.world.clock.advance(3_600_000);
  expect((await second(opened, { passkey: authenticator.get({ challenge: old }) })).status).toBe(403);
});

it('the passkey of another user in a login that waits: refused', async () => {
  const { opened } = await openPasskey();
  await prepare(opened.world, [newUser(bob)]);
  const cookie = await sessionOf(opened, bob);
  const { body: offer } = await opened.ask('POST /API/user/bob/second-factor/offer', { kind: 'PASSKEY' }, { cookie });
  const key = new Authenticator();
  await opened.ask(
    'POST /API/user/bob/second-factor',
    { passkey: key.create({ challenge: offer.challenge }) },
    { cookie },
  );
  const step = await stepOf(opened);
  const passkey = key.get({ challenge: await challengeFor(opened, step) });
  expect((await second(opened, { passkey }, step)).status).toBe(403);
});

async function openTwo() {
  const database = outliving(await migratedDatabase());
  const clock = testClock();
  const worlds: World[] = [];
  for (const seed of [1, 2]) {
    const settings = { secondFactor: 'optional' } as const;
    const world = await openWorld('fetch', { database, clock, random: testRandom(seed), settings });
    onTestFinished(() => world.close());
    worlds.push(world);
  }
  await prepare(worlds[0]!, [newUser(alice)]);
  return worlds.map(openedOf);
}

it('codes guessed over two processes: five in all, then pauses that double, and the right one waits, too', async () => {
  const [one, other] = await openTwo();
  const app = await withApp(one!);
  const right = await codeNow(one!, app);
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
  const steps = [await stepOf(one!), await stepOf(other!)];
  const guess = async (index: number, code: string) =>
    (await second([one!, other!][index % 2]!, { code }, steps[index % 2])).status;
  const seen: number[] = [];
  for (let index = 0; index < 12; index++) seen.push(await guess(index, wrong));
  expect(seen).toEqual([403, 403, 403, 403, 403, 429, 429, 429, 429, 429, 429, 429]);
  expect([await guess(0, right), await guess(1, right)]).toEqual([429, 429]);
  await one!.world.clock.advance(1000);
  expect(await guess(0, wrong)).toBe(403);
  await one!.world.clock.advance(1999);
  expect(await guess(1, wrong)).toBe(429);
  await one!.world.clock.advance(1);
  expect(await guess(1, await codeNow(one!, app))).toBe(204);
});

it('a burst of guesses at once: no more are looked at than are free', async () => {
  const opened = await open();
  await withApp(opened);
  const step = await stepOf(opened);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => second(opened, { code: String(index).padStart(6, '0') }, step)),
  );
  expect(answers.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(5);
  expect(answers.every(({ status }) => status === 403 || status === 429)).toBe(true);
});

it('a code used twice: refused, at once, at the same time, and over two processes', async () => {
  const [one, other] = await openTwo();
  const app = await withApp(one!);
  const code = await codeNow(one!, app);
  const answers = await Promise.all([second(one!, { code }), second(other!, { code }), second(one!, { code })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403, 403]);
  expect((await second(other!, { code })).status).toBe(403);
  await one!.world.clock.advance(30_000);
  expect((await second(other!, { code })).status).toBe(403);
});

it('the code that enrolled an app used for a login: refused', async () => {
  const opened = await open();
  const app = await withApp(opened);
  await opened.world.clock.advance(-30_000);
  expect((await second(opened, { code: await codeNow(opened, app) })).status).toBe(403);
});

it('a recovery code used twice: refused, one after the other and at the same time', async () => {
  const opened = await open();
  const app = await withApp(opened);
  const recoveryCode = app.recovery[0]!;
  const answers = await Promise.all([second(opened, { recoveryCode }), second(opened, { recoveryCode })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403]);
  expect((await second(opened, { recoveryCode })).status).toBe(403);
});

it('the second step skipped: a login that waits opens nothing, as a cookie, a token, a link or a bearer token', async () => {
  const opened = await open();
  await withApp(opened);
  const step = await stepOf(opened);
  for (const headers of [
    { cookie: `__Host-portico=${step}` },
    { authorization: `token ${step}` },
    { authorization: `Bearer ${step}` },
    { authorization: `Basic ${btoa(`alice:${step}`)}` },
  ]) {
    for (const request of ['GET /API/whoami', `GET ${secondFactor}`, 'POST /API/session', 'GET /API/token']) {
      const answer = await opened.browser({
        request,
        headers: { 'portico-ui': '1', 'sec-fetch-site': 'same-origin', ...headers },
      });
      expect([request, answer.status]).toEqual([request, 401]);
    }
  }
  const link = await opened.browser({
    request: 'POST /APInoauth/session',
    body: step,
    headers: { 'content-type': 'text/plain' },
  });
  expect(link.status).toBe(401);
});

it('the second step skipped: the password opens no other route, no token, no key and no factor', async () => {
  const opened = await open();
  const app = await withApp(opened);
  for (const request of [
    'GET /API/whoami',
    'GET /API/token',
    'GET /API/user/alice/token',
    'POST /API/user/alice/key',
    'PUT /API/user/alice/password',
    `POST ${secondFactor}/recovery`,
    `DELETE ${secondFactor}`,
    `DELETE ${secondFactor}/${app.id}`,
  ]) {
    const { status, error } = await opened.ask(request, undefined, { as: alice });
    expect([request, status, error]).toEqual([request, 403, 'second-factor-missing']);
  }
});

it('the second step skipped: a login that waits is over with the password, the account and its time', async () => {
  const opened = await open();
  const app = await withApp(opened);
  const step = await stepOf(opened);
  await opened.world.clock.advance(16 * 60_000);
  expect((await second(opened, { code: await codeNow(opened, app) }, step)).status).toBe(401);
  const next = await stepOf(opened);
  await opened.world.send({
    as: ['admin', 'password of admin'],
    request: 'PUT /API/user/alice/password',
    body: 'another pass phrase',
  });
  expect((await second(opened, { code: await codeNow(opened, app) }, next)).status).toBe(401);
});

it('a second factor enrolled by a stolen login that waits: refused where the user has one', async () => {
  const opened = await open({ secondFactor: 'all', passwordAlone: true });
  const { body: first } = await password(opened);
  const { body: offer } = await opened.ask('POST /APInoauth/session/offer', { step: first.step, kind: 'PASSKEY' });
  const { body: stolen } = await password(opened);
  const { body: theirs } = await opened.ask('POST /APInoauth/session/offer', { step: stolen.step, kind: 'PASSKEY' });
  const enrol = (step: string, challenge: string) =>
    opened.ask('POST /APInoauth/session/enrol', { step, passkey: new Authenticator().create({ challenge }) });
  expect((await enrol(first.step, offer.challenge)).status).toBe(200);
  expect((await enrol(stolen.step, theirs.challenge)).status).toBe(403);
  expect((await opened.ask('POST /APInoauth/session/offer', { step: stolen.step, kind: 'TOTP' })).status).toBe(403);
  expect((await enrol(first.step, offer.challenge)).status).toBe(401);
});

it('two first factors at the same time by two logins that wait: one of them wins', async () => {
  const opened = await open({ secondFactor: 'all', passwordAlone: true });
  const begin = async () => {
    const { body } = await password(opened);
    const { body: offer } = await opened.ask('POST /APInoauth/session/offer', { step: body.step, kind: 'PASSKEY' });
    return { step: body.step, passkey: new Authenticator().create({ challenge: offer.challenge }) };
  };
  const answers = [await begin(), await begin()];
  const seen = await Promise.all(answers.map((answer) => opened.ask('POST /APInoauth/session/enrol', answer)));
  expect(seen.map(({ status }) => status).toSorted()).toEqual([200, 403]);
});

it('a second factor added by an access key, a token, or a session that began without one: refused', async () => {
  const opened = await open();
  const weak = await sessionOf(opened);
  await withApp(opened);
  const key = await newKey(opened.world, 'alice');
  const offer = (how: object) => opened.ask(`POST ${secondFactor}/offer`, { kind: 'TOTP' }, how);
  expect((await offer({ cookie: weak })).status).toBe(403);
  expect((await offer({ as: key.pair })).status).toBe(403);
  const { cookie } = await opened.ask('POST /API/session', undefined, { as: key.pair });
  expect([await who(opened, cookie), (await offer({ cookie })).status]).toEqual(['alice', 403]);
  expect((await opened.ask(`DELETE ${secondFactor}`, undefined, { cookie: weak })).status).toBe(403);
});

it('a second factor added to another user by an administrator: refused', async () => {
  const opened = await open();
  const cookie = await sessionOf(opened, ['admin', 'password of admin']);
  expect((await opened.ask(`POST ${secondFactor}/offer`, { kind: 'TOTP' }, { cookie })).status).toBe(403);
  const acting = await opened.browser({
    request: `POST ${secondFactor}/offer`,
    cookie,
    headers: { ...ofPage, runas: 'alice', 'content-type': 'application/json' },
    body: '{"kind":"TOTP"}',
  });
  expect(acting.status).toBe(403);
});

it('an old session trades itself for a token to get around the age of its login: refused', async () => {
  const opened = await open({ stepUpSeconds: 600 });
  const cookie = await sessionOf(opened, ['admin', 'password of admin']);
  await opened.world.clock.advance(600_000);
  const { body } = await opened.ask('GET /API/token', undefined, { cookie });
  const answer = await opened.browser({
    request: 'PUT /API/group/x',
    headers: { authorization: `token ${body.token}`, accept: 'application/json' },
  });
  expect([answer.status, answer.headers.get('portico-error')]).toEqual([403, 'login-too-old']);
});

it('reading the database or the log: neither has a secret, a code or the text of a login that waits', async () => {
  const opened = await open();
  const app = await withApp(opened);
  const step = await stepOf(opened);
  await second(opened, { recoveryCode: app.recovery[0] }, step);
  const { store } = opened.world.service;
  const rows = await Promise.all(
    ['second_factor', 'recovery_code', 'token', 'audit', 'event'].map((table) => store.read(`SELECT * FROM ${table}`)),
  );
  const everything = JSON.stringify(rows) + opened.world.printed.join('\n');
  const code = app.recovery[1]!.replaceAll('-', '');
  for (const text of [app.secret, app.recovery[0]!, code, step]) expect(everything).not.toContain(text);
});
