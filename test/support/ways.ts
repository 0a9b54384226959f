import { expect } from 'vitest';
import { setDocument } from '../../src/identity/api-settings/live-document.ts';
import type { AccessKey } from '../../src/identity/documents.ts';
import { changePassword, letRunAs, switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { OAuth2Configuration, Plugin } from '../../src/spi/index.ts';
import { newUser } from './cast.ts';
import { type Answer, basic, type Entry, type Sent, type World } from './matrix.ts';
import { prepare } from './scenario.ts';
import { admin, type Credentials, type TestService } from './service.ts';
import { databaseAfter } from './world.ts';

/** The ways to come in besides a password, and what ends them. */

export type How = Pick<Sent, 'as' | 'headers'>;

export const json = { accept: 'application/json' };

export const byToken = (token: string, headers: Readonly<Record<string, string>> = {}): How => ({
  headers: { ...headers, authorization: `token ${token}` },
});

export async function sendWell(world: World, sent: Sent): Promise<Answer> {
  const answer = await world.send(sent);
  expect(answer.status, `${sent.request}: ${answer.body}`).toBe(200);
  return answer;
}

/** A token of a caller who comes in like that, or acts for somebody like that. */
export async function newToken(world: World, how: How, query = ''): Promise<string> {
  const headers = { ...how.headers, accept: 'text/plain' };
  return (await sendWell(world, { ...how, headers, request: `GET /API/token?${query}` })).body;
}

export interface NewKey extends AccessKey {
  readonly id: string;
  /** As basic credentials. */
  readonly pair: Credentials;
}

export async function newKey(world: World, user: string, how: How = { as: admin }): Promise<NewKey> {
  const headers = { ...how.headers, ...json };
  const { body } = await sendWell(world, { ...how, headers, request: `POST /API/user/${user}/key` });
  const key = JSON.parse(body) as AccessKey & { id: string; secret: string };
  return { ...key, pair: [key.id, key.secret] };
}

export const setStatus = (user: string, id: string, status: 'ACTIVE' | 'INACTIVE'): Sent => ({
  as: admin,
  request: `PUT /API/user/${user}/key/${id}`,
  body: { status },
});

export const setProperty = (key: string, value: string | number): Sent => ({
  as: admin,
  request: 'PUT /API/configuration/properties',
  body: { key, value: String(value) },
});

let asked = 0;

/** Name of the user, or the status and the reason that the log has. */
export async function whoIs(world: World, how: How): Promise<string> {
  const id = `who-${++asked}`;
  const headers = { ...how.headers, 'x-request-id': id };
  const { status, body } = await world.send({ ...how, headers, request: 'GET /API/whoami' });
  return status === 200 ? body : `${status} ${world.lines.findLast((line) => line['id'] === id)?.['reason']}`;
}

export const lastLine = (world: TestService) => world.lines.findLast(({ event }) => event === 'request')!;

const test = { user: 'test' };

async function userIn(world: TestService, name: string) {
  return (await findUser(world.service.store, { name }))!;
}

export async function switchTo(world: TestService, name: string, enabled: boolean): Promise<void> {
  await world.service.store.commit(switchUser(await userIn(world, name), enabled), test);
}

export async function allowRunAs(world: TestService, name: string, may: boolean): Promise<void> {
  await world.service.store.commit(letRunAs(await userIn(world, name), may), test);
}

export async function setPassword(world: TestService, name: string, password: string): Promise<void> {
  const hash = await world.service.rooms.identity.passwords.hash(password);
  await world.service.store.commit(changePassword(await userIn(world, name), hash), test);
}

/** As deleting for good leaves it. */
export async function removeUser(world: TestService, name: string): Promise<void> {
  const { id } = await userIn(world, name);
  const remove = (sql: string) => ({ sql, args: [id] });
  const changes = ['group_user WHERE user_id', 'login WHERE user_id', 'user WHERE id'].map((rows) =>
    remove(`DELETE FROM ${rows} = ?`),
  );
  await world.service.store.commit({ changes, events: [] }, test);
}

/** The built-in security.ini with these statements at the end of `[main]`. */
export function bearerIni(statements: readonly string[], plugins: readonly Plugin[] = []): SecurityInput {
  return {
    text: defaultIni.replace(/^\[urls\]$/m, () => `${statements.join('\n')}\n[urls]`),
    file: 'security.ini',
    plugins,
  };
}

/** Stores a configuration of bearer tokens, or takes it away, whatever the API would say to it. */
export async function storeOAuth2({ service }: World, configuration: OAuth2Configuration | null): Promise<void> {
  const changes = [setDocument('auth', configuration ?? undefined)];
  await service.store.commit({ changes, events: [] }, { user: 'admin' });
}

const withToken = (token: string): Sent => ({
  request: 'GET /API/whoami',
  headers: { authorization: `Bearer ${token}` },
});

/** Status and body, or status and reason. */
export async function toldOf(world: World, token: string): Promise<string> {
  const { status, body } = await world.send(withToken(token));
  const line = world.lines.findLast(({ event }) => event === 'request');
  return `${status} ${status === 200 ? body : line?.['reason']}`;
}

export interface PageRequest {
  readonly request: string;
  readonly as?: Credentials | undefined;
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** Headers that a browser adds to requests of scripts of a page of the service. */
export const ofPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'portico-ui': '1' } as const;

/** A browser in front of the service. The origin decides about TLS; the headers are those of the page unless given. */
export function browserAt(world: TestService, origin = 'https://portico.test') {
  return ({ request, as, cookie, headers = ofPage, body }: PageRequest): Promise<Response> => {
    const [method = '', target = ''] = request.split(' ');
    const sent = new Headers({ host: new URL(origin).host, ...headers });
    if (as) sent.set('authorization', basic(as));
    if (cookie !== undefined) sent.set('cookie', cookie);
    const made = new Request(`${origin}${target}`, { method, headers: sent, ...(body === undefined ? {} : { body }) });
    return Promise.resolve(
      world.service.fetch(made, { rawTarget: target, address: '192.0.2.7', secure: origin.startsWith('https:') }),
    );
  };
}

export type Browser = ReturnType<typeof browserAt>;

/** `name=value` of the cookie that an answer sets. */
export const cookieOf = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;

export async function logIn(browser: Browser, as: Credentials, query = ''): Promise<string> {
  const answer = await browser({ request: `POST /API/session${query}`, as });
  if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
  return cookieOf(answer);
}

/** Name of the user whose session a cookie is, or the status of the refusal. */
export async function who(browser: Browser, cookie: string): Promise<string> {
  const answer = await browser({ request: 'GET /API/whoami', cookie });
  return answer.status === 200 ? answer.text() : String(answer.status);
}

const known = (name: string): Credentials => [name, `password of ${name}`];
export const [alice, portal, boss, plain, roleOnly, optionOnly] = [
  'alice',
  'portal',
  'boss',
  'plain',
  'role-only',
  'option-only',
].map(known) as [Credentials, Credentials, Credentials, Credentials, Credentials, Credentials];

/** Users who may act for others, and users who lack one of the two things that it takes. */
export const runners = [
  newUser(alice, ['_group_write'], { alias: ['al'] }),
  newUser(known('jörg')),
  newUser(known('gone')),
  newUser(portal, ['_runas', '_user_read'], { alias: ['door'] }),
  newUser(boss, ['_administrator']),
  newUser(plain),
  newUser(roleOnly, ['_runas'], { runAs: false }),
  newUser(optionOnly, [], { runAs: true }),
];

export const acting = (as: Credentials, name: string, request = 'GET /API/whoami') => ({
  as,
  request,
  headers: { runas: name },
});

const withRunners = databaseAfter(prepareRunners);

/** With these people, one of whom is disabled. */
export async function openRunners(open: Entry['open']): Promise<World> {
  return open({ database: await withRunners() });
}

export async function prepareRunners(world: World): Promise<void> {
  await prepare(world, runners);
  await switchTo(world, 'gone', false);
}
