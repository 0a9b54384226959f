import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import type { Sent, World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import {
  browserAt,
  byToken,
  cookieOf,
  logIn,
  newKey,
  newToken,
  sendWell,
  setPassword,
  setProperty,
  switchTo,
} from '../../support/ways.ts';
import { at, collectionNames, later, newCollection, openScheduling, pass, type Told } from './support.ts';

const roles = ['_collection_read', '_collection_write'];
const year = 366 * 24 * 60;

let world: World;
beforeAll(async () => {
  world = await openScheduling();
  await world.send(setProperty('userTokenMaxInterval', 604_800));
});
afterAll(() => world.close());

let count = 0;
async function newMaker() {
  const name = `maker-${++count}`;
  const who: Credentials = [name, `password of ${name}`];
  await prepare(world, [newUser(who, roles)]);
  return { name, who };
}

/** A collection of the user, and its deletion in 366 days as the attacker schedules it. */
async function plantedDeletion(who: Credentials, how: Pick<Sent, 'as' | 'headers'>) {
  const collection = `kept-${++count}`;
  const { body } = await sendWell(world, {
    ...newCollection(collection),
    as: who,
    headers: { accept: 'application/json' },
  });
  const { id } = JSON.parse(body) as { id: string };
  const answer = await world.send({
    ...later(world, { request: `DELETE /API/collection/${id}`, ...how }, year),
    as: how.as,
  });
  expect(answer.status, answer.body).toBe(202);
  return { collection, scheduled: (JSON.parse(answer.body) as Told).id };
}

/** State and text of the answer 366 days later. */
async function yearLater(id: number): Promise<readonly unknown[]> {
  await pass(world, year);
  const sql = 'SELECT state, status, response FROM scheduled_request WHERE id = ?';
  const [[state, status, response] = []] = await world.service.store.read(sql, [id]);
  return [state, status, new TextDecoder().decode((response ?? new Uint8Array()) as Uint8Array)];
}

const ended = ['BAD_REQUEST', 403, expect.stringContaining('logins')];
const byAll = (name: string): Sent => ({ as: admin, request: `DELETE /API/user/${name}/tokens` });

async function idOfToken(name: string): Promise<string> {
  const sql = 'SELECT token.id FROM token JOIN user ON user.id = user_id WHERE name = ? ORDER BY token.created_at DESC';
  return String((await world.service.store.read(sql, [name]))[0]![0]);
}

describe('a thief who schedules a deletion 366 days ahead deletes nothing after', () => {
  it.each<readonly [string, (name: string) => Promise<unknown>]>([
    ['all tokens of the user are revoked', (name) => sendWell(world, byAll(name))],
    [
      'the stolen token is revoked by itself',
      async (name) =>
        sendWell(world, { as: admin, request: `DELETE /API/user/${name}/tokens/${await idOfToken(name)}` }),
    ],
    ['the user gets another password', (name) => setPassword(world, name, 'another')],
    [
      'the user is disabled, also when an administrator enables it again',
      async (name) => {
        await switchTo(world, name, false);
        await switchTo(world, name, true);
      },
    ],
    [
      'all tokens are revoked long after the stolen one has expired',
      async (name) => {
        await world.clock.advance(8 * 24 * 3_600_000);
        await sendWell(world, byAll(name));
      },
    ],
  ])('%s', async (_what, end) => {
    const { name, who } = await newMaker();
    const token = await newToken(world, { as: who }, 'seconds=600000');
    const { collection, scheduled } = await plantedDeletion(who, { as: undefined, ...byToken(token) });
    await end(name);
    expect(await yearLater(scheduled)).toEqual(ended);
    expect(await collectionNames(world)).toContain(collection);
  });

  it.each(['DELETE /API/session', 'DELETE /API/user/me/tokens'])(
    'the stolen session is ended by %s',
    async (request) => {
      const { name, who } = await newMaker();
      const browser = browserAt(world);
      const cookie = await logIn(browser, who);
      const made = await browser({ request: 'POST /API/collection?name=x', cookie, headers: { ...ofJson } });
      const { id } = (await made.json()) as { id: string };
      const headers = { ...ofJson, schedule: at(world, year) };
      const kept = await browser({ request: `DELETE /API/collection/${id}`, cookie, headers });
      const { id: scheduled } = (await kept.json()) as Told;
      const answer = await browser({ request: request.replace('/me/', `/${name}/`), cookie });
      expect([answer.status < 300, cookieOf(answer)]).toEqual([true, expect.anything()]);
      expect(await yearLater(scheduled)).toEqual(ended);
    },
  );

  it('an account that acted by its own token revokes all of them', async () => {
    const { name, who } = await newMaker();
    const portal: Credentials = [`portal-${name}`, 'password of a portal'];
    await prepare(world, [newUser(portal, ['_runas'], { runAs: true })]);
    const token = await newToken(world, { as: portal, headers: { runas: name } });
    const { scheduled } = await plantedDeletion(who, { as: undefined, ...byToken(token) });
    await sendWell(world, byAll(portal[0]));
    expect(await yearLater(scheduled)).toEqual(ended);
    expect(await world.service.store.read('SELECT 1 FROM token WHERE actor_id IS NOT NULL')).toEqual([]);
  });
});

const ofJson = {
  accept: 'application/json',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'portico-ui': '1',
};

describe('a scheduled request goes on', () => {
  it('when the token that made it has merely expired', async () => {
    const { who } = await newMaker();
    const token = await newToken(world, { as: who });
    const { collection, scheduled } = await plantedDeletion(who, { as: undefined, ...byToken(token) });
    expect(await yearLater(scheduled)).toEqual(['SUCCESS', 200, expect.any(String)]);
    expect(await collectionNames(world)).not.toContain(collection);
  });

  it('when another token of its user is revoked by itself, or somebody else is logged out', async () => {
    const { name, who } = await newMaker();
    const stranger = await newMaker();
    const key = await newKey(world, name);
    const { scheduled } = await plantedDeletion(who, { as: key.pair });
    await newToken(world, { as: who });
    await sendWell(world, { as: admin, request: `DELETE /API/user/${name}/tokens/${await idOfToken(name)}` });
    await sendWell(world, byAll(stranger.name));
    expect(await yearLater(scheduled)).toEqual(['SUCCESS', 200, expect.any(String)]);
  });
});
