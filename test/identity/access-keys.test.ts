import { expect, it } from 'vitest';
import type { AccessKey } from '../../src/identity/documents.ts';
import type { AccessKeyListDocument } from '../../src/types.ts';
import { alice, newUser } from '../support/cast.ts';
import { faultyDatabase } from '../support/databases.ts';
import { describeMatrix, openWorld, type World } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { itHolds, playScenario, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { json, newKey, removeUser, sendWell, setPassword, setStatus, switchTo, whoIs } from '../support/ways.ts';

const bob: Credentials = ['bob', 'password of bob'];
const people = [newUser(alice, [], { alias: ['al'] }), newUser(bob)];
const changed = [['user/modify', 'alice', { user: 'alice', changed: ['accessKey'] }]] as const;
const unknown = `VSID${'A'.repeat(16)}`;

const rows: readonly Scenario[] = [
  {
    name: 'POST /user/{user}/key/ makes a key, in JSON',
    as: alice,
    request: 'POST /API/user/alice/key/?name=ci',
    headers: json,
    status: 200,
    answers: { 'cache-control': 'no-store' },
    says: {
      json: {
        id: expect.stringMatching(/^VSID[A-HJ-NP-Z2-9]{16}$/),
        name: 'ci',
        secret: expect.stringMatching(/^[A-Za-z0-9+/]{40}$/),
        status: 'ACTIVE',
        created: '2030-01-01T00:00:00.000+0000',
      },
    },
    events: changed,
  },
  {
    name: 'makes a key in XML for a caller who asks for nothing, and a time in UTC',
    as: admin,
    request: 'POST /API/user/al/key',
    status: 200,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
    says: {
      contains: [
        '<AccessKeyDocument xmlns="urn:portico:schema"><id>VSID',
        '</id><secret>',
        '</secret><status>ACTIVE</status><created>2030-01-01T00:00:00.000Z</created></AccessKeyDocument>',
      ],
      lacks: ['<name>'],
    },
    events: changed,
  },
  ...['GET /API/user/alice/key', 'POST /API/user/alice/key', `PUT /API/user/alice/key/${unknown}`].flatMap(
    (request): Scenario[] => [
      {
        name: `refuses ${request.split(' ')[0]} of another user's keys`,
        as: bob,
        request,
        ...(request.startsWith('PUT') ? { body: { status: 'INACTIVE' } } : {}),
        status: 403,
        answers: { 'portico-error': 'role-missing' },
      },
    ],
  ),
  ...['GET', 'DELETE'].map((method) => ({
    name: `${method} of a key that there is not is 404`,
    as: alice,
    request: `${method} /API/user/alice/key/${unknown}`,
    headers: json,
    status: 404,
    says: { jsonPart: { notFound: { type: 'AccessKey', id: unknown } } },
  })),
  {
    name: 'tells an administrator that there is no such user',
    as: admin,
    request: 'POST /API/user/nobody/key',
    headers: json,
    status: 404,
    says: { jsonPart: { notFound: { type: 'User', id: 'nobody' } } },
  },
  ...['x'.repeat(256), 'a%00b', 'a%0Ab'].map((name) => ({
    name: `refuses the name ${name.slice(0, 8)}`,
    as: alice,
    request: `POST /API/user/alice/key?name=${name}`,
    status: 400,
  })),
  {
    name: 'a list without keys has none',
    as: alice,
    request: 'GET /API/user/alice/key',
    headers: json,
    status: 200,
    says: { json: { hits: 0, key: [] } },
  },
  {
    name: 'refuses a user the name that a key could have',
    as: admin,
    request: 'POST /API/user',
    body: { userName: unknown },
    status: 400,
    says: { contains: ['another name than an access key has'] },
  },
];

const listOf = async (world: World, as: Credentials = alice): Promise<AccessKeyListDocument> =>
  JSON.parse(
    (await sendWell(world, { as, request: 'GET /API/user/alice/key', headers: json })).body,
  ) as AccessKeyListDocument;

async function put(world: World, id: string, body: object): Promise<AccessKey> {
  const sent = { as: alice, request: `PUT /API/user/alice/key/${id}`, headers: json, body };
  return JSON.parse((await sendWell(world, sent)).body) as AccessKey;
}

describeMatrix('access keys', (entry) => {
  itHolds(entry, rows, { given: people });

  async function open(): Promise<World> {
    const world = await entry.open();
    await prepare(world, people);
    return world;
  }

  it('no other answer has the secret, and no row', async () => {
    const world = await open();
    const { id, pair } = await newKey(world, 'alice', { as: alice });
    const said = [
      JSON.stringify(await listOf(world)),
      (await sendWell(world, { as: alice, request: `GET /API/user/alice/key/${id}` })).body,
      JSON.stringify(await put(world, id, { name: 'other' })),
    ];
    const tables = await world.service.store.read(`SELECT name FROM sqlite_master WHERE type = 'table'`);
    for (const [name] of tables) said.push(JSON.stringify(await world.service.store.read(`SELECT * FROM "${name}"`)));
    for (const text of said) expect(text).not.toContain(pair[1]);
    expect(said.slice(0, 3).join(), 'the key is what was looked at').toContain(id);
    for (const text of said.slice(0, 3)) expect(text).not.toMatch(/secret/i);
  });

  it('key and secret are basic credentials, several for a user, and none ever expires', async () => {
    const world = await open();
    const keys = [await newKey(world, 'alice'), await newKey(world, 'alice'), await newKey(world, 'bob')];
    await world.clock.advance(100 * 365 * 24 * 3_600_000);
    const names = await Promise.all(keys.map(({ pair }) => whoIs(world, { as: pair })));
    expect(names).toEqual(['alice', 'alice', 'bob']);
    expect((await listOf(world)).key?.map(({ id }) => id).sort()).toEqual([keys[0]!.id, keys[1]!.id].sort());
    await setPassword(world, 'alice', 'another');
    expect(await whoIs(world, { as: keys[0]!.pair }), 'a new password leaves keys alone').toBe('alice');
  });

  it('is out with its user, and in again with them', async () => {
    const world = await open();
    const { pair } = await newKey(world, 'alice');
    await switchTo(world, 'alice', false);
    expect(await whoIs(world, { as: pair })).toBe('401 user-disabled');
    await switchTo(world, 'alice', true);
    expect(await whoIs(world, { as: pair })).toBe('alice');
    await removeUser(world, 'alice');
    expect(await whoIs(world, { as: pair })).toBe('401 unknown-key');
  });

  it('nothing but the id with its own secret counts', async () => {
    const world = await open();
    const [one, two] = [await newKey(world, 'alice'), await newKey(world, 'bob')];
    const [id, secret] = one.pair;
    const wrong: readonly Credentials[] = [
      [id, ''],
      [id, two.pair[1]],
      [id, secret.toLowerCase()],
      [id, `${secret} `],
      [id, secret.slice(0, -1)],
      [id, alice[1]],
      [id.toLowerCase(), secret],
      [` ${id}`, secret],
      ['alice', secret],
      [unknown, secret],
    ];
    for (const as of wrong) expect(await whoIs(world, { as }), as.join(' ')).toMatch(/^401 /);
    expect(await whoIs(world, { as: one.pair })).toBe('alice');
  });

  it('a disabled key does not authenticate, and does again when it is enabled', async () => {
    const world = await open();
    const [{ id, pair }, other] = [await newKey(world, 'alice'), await newKey(world, 'alice')];
    expect(await put(world, id, { status: 'INACTIVE' })).toMatchObject({ id, status: 'INACTIVE' });
    expect(await whoIs(world, { as: pair })).toBe('401 key-disabled');
    expect(await whoIs(world, { as: [id, 'wrong'] }), 'told only to a caller who has the secret').toBe(
      '401 wrong-secret',
    );
    expect(await whoIs(world, { as: other.pair })).toBe('alice');
    expect(await put(world, id, { status: 'ACTIVE' })).toMatchObject({ id, status: 'ACTIVE' });
    expect(await whoIs(world, { as: pair })).toBe('alice');
  });

  it('a deleted key is gone for good', async () => {
    const world = await open();
    const { id, pair } = await newKey(world, 'alice');
    const request = `/API/user/alice/key/${id}`;
    await playScenario(world, {
      name: '',
      as: alice,
      request: `DELETE ${request}`,
      status: 200,
      says: { exact: '' },
      events: changed,
    });
    expect(await whoIs(world, { as: pair })).toBe('401 unknown-key');
    expect((await listOf(world)).hits).toBe(0);
    for (const method of ['GET', 'DELETE'])
      expect((await world.send({ as: alice, request: `${method} ${request}` })).status).toBe(404);
    await playScenario(world, { name: '', ...setStatus('alice', id, 'ACTIVE'), status: 404 });
  });

  it('PUT takes what it writes itself, and leaves what is not its own', async () => {
    const world = await open();
    const key = await newKey(world, 'alice');
    const { created } = key;
    const other = { id: unknown, secret: 'mine', created: '1999-01-01T00:00:00.000+0000' };
    expect(await put(world, key.id, { ...other, name: 'new', status: 'ACTIVE' })).toEqual({
      id: key.id,
      name: 'new',
      status: 'ACTIVE',
      created,
    });
    expect(await whoIs(world, { as: key.pair })).toBe('alice');
    expect(await whoIs(world, { as: [key.id, 'mine'] })).toBe('401 wrong-secret');
    expect(await put(world, key.id, { name: '' }), 'an empty name takes it away').toEqual({
      id: key.id,
      status: 'ACTIVE',
      created,
    });
  });

  it('PUT of a document that says nothing changes nothing', async () => {
    const world = await open();
    const { id } = await newKey(world, 'alice');
    await playScenario(world, { name: '', as: alice, request: `PUT /API/user/alice/key/${id}`, body: {}, status: 200 });
    await playScenario(world, {
      name: '',
      as: alice,
      request: `PUT /API/user/alice/key/${id}`,
      body: { status: 'OFF' },
      status: 400,
    });
    await playScenario(world, { name: '', as: alice, request: `PUT /API/user/alice/key/${id}`, status: 400 });
  });

  it('the key of one user is not found under another, by any reader', async () => {
    const world = await open();
    const { id, pair } = await newKey(world, 'bob');
    for (const as of [alice, admin]) {
      for (const method of ['GET', 'DELETE'])
        expect((await world.send({ as, request: `${method} /API/user/alice/key/${id}` })).status).toBe(404);
      const request = `PUT /API/user/alice/key/${id}`;
      expect((await world.send({ as, request, body: { status: 'INACTIVE' } })).status).toBe(404);
    }
    expect(await whoIs(world, { as: pair })).toBe('bob');
  });

  it('a user has at most a thousand', async () => {
    const world = await open();
    await newKey(world, 'alice');
    const copies = `INSERT INTO access_key SELECT 'k' || value, user_id, NULL, secret, 1, created_at
      FROM access_key, json_each(?) WHERE name IS NULL`;
    const numbers = JSON.stringify(Array.from({ length: 999 }, (_, i) => i));
    await world.service.store.commit({ changes: [{ sql: copies, args: [numbers] }], events: [] }, { user: 'test' });
    const full = { name: '', as: alice, request: 'POST /API/user/alice/key', status: 403 };
    await playScenario(world, { ...full, answers: { 'portico-error': 'not-allowed' }, says: { contains: ['1000'] } });
    expect((await listOf(world)).hits).toBe(1000);
    await newKey(world, 'bob');
  });
});

it('renaming a key does not enable one that was disabled in the same moment', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  await prepare(world, people);
  const { id, pair } = await newKey(world, 'alice');
  database.beforeNextWrite(() => prepare(world, [setStatus('alice', id, 'INACTIVE')]));
  await put(world, id, { name: 'new' });
  expect(await whoIs(world, { as: pair })).toBe('401 key-disabled');
});

it('a key is not made for a user who goes in the same moment, nor changed when it goes', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openWorld('fetch', { database });
  await prepare(world, people);
  const { id } = await newKey(world, 'alice');
  database.beforeNextWrite(() => prepare(world, [{ as: admin, request: `DELETE /API/user/alice/key/${id}` }]));
  expect((await world.send(setStatus('alice', id, 'ACTIVE'))).status).toBe(404);
  database.beforeNextWrite(() => removeUser(world, 'bob'));
  expect((await world.send({ as: admin, request: 'POST /API/user/bob/key' })).status).toBe(404);
});
