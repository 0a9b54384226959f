import { expect } from 'vitest';
import type { AccessKey } from '../../src/identity/documents.ts';
import { changePassword, letRunAs, switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import type { Answer, Sent, World } from './matrix.ts';
import { admin, type Credentials, type TestService } from './service.ts';

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

/** Who it is, or the status and the reason that the log has. */
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
