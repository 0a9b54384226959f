import { expect, it } from 'vitest';
import type { AuthenticationTokenList } from '../../src/identity/documents.ts';
import { alice, newUser } from '../support/cast.ts';
import { faultyDatabase } from '../support/databases.ts';
import { describeMatrix, openWorld, type World } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { playScenario, prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import {
  byToken,
  json,
  newKey,
  newToken,
  removeUser,
  sendWell,
  setPassword,
  setStatus,
  switchTo,
  whoIs,
} from '../support/ways.ts';

const bob: Credentials = ['bob', 'password of bob'];
const people = [newUser(alice), newUser(bob)];

const countTokens = async (world: World): Promise<number> =>
  Number((await world.service.store.read('SELECT count(*) FROM token'))[0]![0]);

const listOf = async (
  world: World,
  user: string,
  query = '',
): Promise<NonNullable<AuthenticationTokenList['token']>> => {
  const { body } = await sendWell(world, {
    as: admin,
    request: `GET /API/user/${user}/tokens?${query}`,
    headers: json,
  });
  return (JSON.parse(body) as AuthenticationTokenList).token ?? [];
};

describeMatrix('tokens', (entry) => {
  async function open(): Promise<World> {
    const world = await entry.open();
    await prepare(world, people);
    return world;
  }

  it('ends with the password, and is not brought back by setting the same one again', async () => {
    const world = await open();
    const token = await newToken(world, { as: alice });
    await setPassword(world, 'alice', 'another');
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
    await setPassword(world, 'alice', alice[1]);
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
    expect(await whoIs(world, byToken(await newToken(world, { as: alice })))).toBe('alice');
  });

  it('ends for good when its user is disabled', async () => {
    const world = await open();
    const [token, other] = [await newToken(world, { as: alice }), await newToken(world, { as: bob })];
    await switchTo(world, 'alice', false);
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
    await switchTo(world, 'alice', true);
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
    expect(await whoIs(world, byToken(other))).toBe('bob');
  });

  it('ends with its user, and one of the same name is not let in by it', async () => {
    const world = await open();
    const token = await newToken(world, { as: bob });
    await removeUser(world, 'bob');
    expect(await countTokens(world)).toBe(0);
    await prepare(world, [newUser(bob)]);
    expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
  });

  it('ends with the access key that it was asked for with, also through another token', async () => {
    const world = await open();
    const key = await newKey(world, 'alice');
    const first = await newToken(world, { as: key.pair });
    const second = await newToken(world, byToken(first));
    const own = await newToken(world, { as: alice });
    const ways = [first, second, own].map((token) => byToken(token));
    const now = () => Promise.all(ways.map((how) => whoIs(world, how).then((said) => said.slice(0, 5))));
    expect(await now()).toEqual(['alice', 'alice', 'alice']);
    await prepare(world, [setStatus('alice', key.id, 'INACTIVE')]);
    expect(await now()).toEqual(['401 u', '401 u', 'alice']);
    await prepare(world, [setStatus('alice', key.id, 'ACTIVE')]);
    expect(await now(), 'not brought back').toEqual(['401 u', '401 u', 'alice']);
  });

  it('a token of another user ends with the stolen token, or session, of the administrator that asked for it', async () => {
    const ends: readonly ((world: World) => Promise<unknown>)[] = [
      (world) => sendWell(world, { as: admin, request: 'DELETE /API/user/admin/tokens' }),
      async (world) => {
        const [first] = await listOf(world, 'admin');
        return sendWell(world, { as: admin, request: `DELETE /API/user/admin/tokens/${first!.id}` });
      },
      (world) => setPassword(world, 'admin', 'another'),
    ];
    for (const end of ends) {
      const world = await open();
      const stolen = byToken(await newToken(world, { as: admin }), { accept: 'text/plain' });
      const lent = (await sendWell(world, { ...stolen, request: 'GET /API/user/alice/token?seconds=3600' })).body;
      const third = { ...byToken(lent, { accept: 'text/plain' }), request: 'GET /API/token' };
      const another = (await sendWell(world, third)).body;
      expect(await whoIs(world, byToken(another))).toBe('alice');
      await end(world);
      expect(await whoIs(world, byToken(lent))).toBe('401 unknown-token');
      const all = end !== ends[1];
      expect(await whoIs(world, byToken(another))).toBe(all ? '401 unknown-token' : 'alice');
      expect(await countTokens(world)).toBe(all ? 0 : 1);
    }
  });

  it('a token that another user asked for asks for none of a third', async () => {
    const world = await open();
    await prepare(world, [{ as: admin, request: 'PUT /API/group/_administrator/user/alice' }]);
    const stolen = byToken(await newToken(world, { as: admin }), { accept: 'text/plain' });
    const lent = (await sendWell(world, { ...stolen, request: 'GET /API/user/alice/token' })).body;
    const { status } = await world.send({ ...byToken(lent), request: 'GET /API/user/bob/token' });
    expect(status).toBe(403);
  });

  it('the administrator who asks for the token of another is not in it', async () => {
    const world = await open();
    const { body } = await sendWell(world, { as: admin, request: 'GET /API/user/alice/token?seconds=3600' });
    expect(await whoIs(world, byToken(body))).toBe('alice');
    await setPassword(world, 'admin', 'another');
    expect(await whoIs(world, byToken(body))).toBe('alice');
  });

  it('lists tokens to their user and to administrators, and tells neither text nor digest', async () => {
    const world = await open();
    const key = await newKey(world, 'alice');
    const headers = { 'user-agent': 'asset-mover/2.1 (linux)' };
    const tokens = [
      await newToken(world, { as: alice, headers }, 'seconds=30&autoRefresh=true'),
      await newToken(world, { as: key.pair }),
      await newToken(world, { as: alice }, 'seconds=1'),
    ];
    await newToken(world, { as: bob });
    await world.clock.advance(1_000);
    const request = 'GET /API/user/alice/tokens';
    for (const as of [alice, admin]) {
      const { body } = await sendWell(world, { as, request, headers: json });
      const { token = [] } = JSON.parse(body) as AuthenticationTokenList;
      expect(token).toHaveLength(2);
      expect(token).toContainEqual({
        id: expect.stringMatching(/^[\w-]{16}$/),
        created: '2030-01-01T00:00:00.000+0000',
        expires: '2030-01-01T00:00:30.000+0000',
        autoRefresh: true,
        kind: 'TOKEN',
        used: '2030-01-01T00:00:00.000+0000',
        way: 'PASSWORD',
        realm: 'serviceRealm',
        device: 'asset-mover',
        ...(token[0]?.address !== undefined && { address: '127.0.0.1' }),
        current: false,
      });
      expect(token).toContainEqual(expect.objectContaining({ accessKey: key.id, autoRefresh: false }));
      const digests = await world.service.store.read('SELECT digest FROM token');
      for (const text of [...tokens, ...digests.flat().map(String)]) expect(body).not.toContain(text);
    }
    expect((await world.send({ as: bob, request })).status).toBe(403);
  });

  it('lists tokens by page', async () => {
    const world = await open();
    for (let i = 0; i < 5; i++) await newToken(world, { as: alice });
    const ids = (await listOf(world, 'alice')).map(({ id }) => id);
    const pages = await Promise.all([1, 3, 5].map((first) => listOf(world, 'alice', `first=${first}&number=2`)));
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
  });

  it('ends one token at once, and no other', async () => {
    const world = await open();
    const [one, two] = [await newToken(world, { as: alice }), await newToken(world, { as: alice })];
    const [first] = await listOf(world, 'alice');
    await playScenario(world, {
      name: '',
      as: admin,
      request: `DELETE /API/user/alice/tokens/${first!.id}`,
      status: 200,
      events: [['user/modify', 'alice', { changed: ['token'] }]],
    });
    // Requests run one after the other: the reason is read from the last line of the log.
    const left: string[] = [];
    for (const token of [one, two]) left.push(await whoIs(world, byToken(token)));
    expect(left.sort()).toEqual(['401 unknown-token', 'alice']);
    const again = { name: '', as: admin, request: `DELETE /API/user/alice/tokens/${first!.id}`, status: 404 };
    await playScenario(world, again);
  });

  it('ends all tokens of a user at once, and nobody else’s', async () => {
    const world = await open();
    const tokens = [await newToken(world, { as: alice }), await newToken(world, { as: alice })];
    const other = await newToken(world, { as: bob });
    await playScenario(world, {
      name: '',
      as: alice,
      request: 'DELETE /API/user/alice/tokens',
      status: 200,
      events: [['user/modify', 'alice', { changed: ['token'] }]],
    });
    for (const token of tokens) expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
    expect(await whoIs(world, byToken(other))).toBe('bob');
  });
});

it('is bound to the password that it was asked for under, not to one that was set in the same moment', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  await prepare(world, people);
  await whoIs(world, { as: alice });
  // The first read of the login lets the caller in; the change comes before the next.
  database.beforeNextRead('from "login"', async () => {
    database.beforeNextRead('from "login"', () => setPassword(world, 'alice', 'another'));
  });
  const token = await newToken(world, { as: alice });
  expect(await whoIs(world, { as: ['alice', 'another'] })).toBe('alice');
  expect(await whoIs(world, byToken(token))).toBe('401 unknown-token');
});

it('is not given out to a user, or with a key, that was ended in the same moment', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  await prepare(world, people);
  const key = await newKey(world, 'alice');
  const asked = { as: key.pair, request: 'GET /API/token' };
  database.beforeNextWrite(() => prepare(world, [setStatus('alice', key.id, 'INACTIVE')]));
  expect((await world.send(asked)).status).toBe(401);
  database.beforeNextWrite(() => switchTo(world, 'bob', false));
  const late = await world.send({ as: bob, request: 'GET /API/token' });
  expect([late.status, late.headers.get('portico-error')]).toEqual([409, 'user-disabled']);
  database.beforeNextWrite(() => removeUser(world, 'bob'));
  expect((await world.send({ as: admin, request: 'GET /API/user/bob/token' })).status).toBe(409);
  expect(await countTokens(world)).toBe(0);
});
