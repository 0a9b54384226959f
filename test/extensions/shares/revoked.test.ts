import { describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { asking, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import {
  browserAt,
  byToken,
  cookieOf,
  json,
  logIn,
  newKey,
  newToken,
  sendWell,
  setPassword,
  setStatus,
  switchTo,
} from '../../support/ways.ts';
import { gone, isGone, maker, type Opened, openShares, type Read } from './support.ts';

const open = () => openShares((options) => openWorld('fetch', options));
const tokens = 'DELETE /API/user/maker/tokens';
const ofPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'portico-ui': '1' };

async function idOfToken(world: World, user = 'maker'): Promise<string> {
  const sql = 'SELECT token.id FROM token JOIN user ON user.id = user_id WHERE name = ?';
  return String((await world.service.store.read(sql, [user]))[0]![0]);
}

/** The share that a thief makes with a token of the maker, and a guest of it. */
async function stolen(at: Opened) {
  const item = await at.item('First');
  const how = byToken(await newToken(at.world, { as: maker }), json);
  const { body } = await sendWell(at.world, { ...how, request: `POST /API/item/${item}/share`, body: {} });
  const { id, token } = JSON.parse(body) as Read;
  const guest = await at.guest(token);
  return {
    item,
    id,
    token,
    how,
    ends: async () => [isGone(await at.enter(token)), isGone(await at.get(guest, '/item'))],
  };
}

describe('the share of a stolen token ends', () => {
  it.each<readonly [string, (world: World) => Promise<unknown>]>([
    ['once all tokens of the user are revoked', (world) => sendWell(world, { as: admin, request: tokens })],
    [
      'once the token is revoked by itself',
      async (world) => sendWell(world, { as: admin, request: `${tokens}/${await idOfToken(world)}` }),
    ],
    ['once the user has another password', (world) => setPassword(world, 'maker', 'another password')],
    [
      'once the user is disabled, also when it is enabled again',
      async (world) => {
        await switchTo(world, 'maker', false);
        await switchTo(world, 'maker', true);
      },
    ],
  ])('%s', async (_what, end) => {
    const at = await open();
    const { id, ends } = await stolen(at);
    await end(at.world);
    expect(await ends()).toEqual([gone, gone]);
    expect(await done(at.world, asking(admin)(`GET /API/share/${id}`))).toMatchObject({ id, state: 'REVOKED' });
  });

  it('with the access key that it was made with', async () => {
    const at = await open();
    const item = await at.item('First');
    const key = await newKey(at.world, 'maker');
    const { body } = await sendWell(at.world, {
      as: key.pair,
      headers: json,
      request: `POST /API/item/${item}/share`,
      body: {},
    });
    const { token } = JSON.parse(body) as Read;
    await at.guest(token);
    await sendWell(at.world, setStatus('maker', key.id, 'INACTIVE'));
    expect(isGone(await at.enter(token))).toBe(gone);
  });

  it('with the logins of an administrator whose token asked for the token', async () => {
    const at = await open();
    const item = await at.item('First');
    const how = byToken(await newToken(at.world, { as: admin }), { accept: 'text/plain' });
    const { body: lent } = await sendWell(at.world, { ...how, request: 'GET /API/user/maker/token' });
    const { body } = await sendWell(at.world, {
      ...byToken(lent, json),
      request: `POST /API/item/${item}/share`,
      body: {},
    });
    const { token } = JSON.parse(body) as Read;
    await at.guest(token);
    await sendWell(at.world, { as: admin, request: 'DELETE /API/user/admin/tokens' });
    expect(isGone(await at.enter(token))).toBe(gone);
  });
});

describe('a share goes on', () => {
  it('after the person who made it in the page has logged out, and the session is gone', async () => {
    const at = await open();
    const item = await at.item('First');
    const browser = browserAt(at.world);
    const cookie = await logIn(browser, maker);
    const headers = { ...ofPage, ...json, 'content-type': 'application/json' };
    const made = await browser({ request: `POST /API/item/${item}/share`, cookie, headers, body: '{}' });
    const { token } = (await made.json()) as Read;
    const out = await browser({ request: 'DELETE /API/session', cookie, headers: ofPage });
    expect([out.status, cookieOf(out)]).toEqual([204, expect.anything()]);
    expect((await at.enter(token)).status).toBe(200);
  });

  it('once its maker changes it, with the address that guests have; an administrator revives nothing', async () => {
    const at = await open();
    const { id, token, ends } = await stolen(at);
    await sendWell(at.world, { as: admin, request: tokens });
    expect(await at.told(`PUT /share/${id}`, { title: 'T' }, admin)).toMatchObject({ state: 'REVOKED' });
    expect(await ends()).toEqual([gone, gone]);
    expect(await at.told(`PUT /share/${id}`, { title: 'T' })).toMatchObject({ state: 'OPEN' });
    expect((await at.enter(token)).status).toBe(200);
  });
});
