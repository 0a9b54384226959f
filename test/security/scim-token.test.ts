import { expect, it } from 'vitest';
import { eventsSince, group, openProvider, patch, provider, user } from '../extensions/scim/support.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { openWorld } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type ServiceOptions } from '../support/service.ts';
import { newKey } from '../support/ways.ts';

const open = (options?: ServiceOptions) => openProvider((given) => openWorld('fetch', given), options);
const idOf = (name: string) => `filter=${encodeURIComponent(`userName eq "${name}"`)}`;

it('a stolen SCIM token opens nothing but SCIM', async () => {
  const { world, token } = await open();
  const requests = [
    'GET /API/whoami',
    'GET /API/user/provider',
    'PUT /API/user/provider/password',
    'GET /API/token',
    'GET /API/item',
  ];
  for (const request of [
    ...requests,
    'POST /API/user/provider/key',
    'GET /API/version',
    'GET /API/user',
    'PUT /API/group/x',
  ]) {
    const asToken = await world.send({ request, headers: { authorization: `token ${token}` } });
    const asBearer = await world.send({ request, headers: { authorization: `Bearer ${token}` } });
    const byPassword = await world.send({ as: provider, request });
    expect([request, asToken.status, asBearer.status, byPassword.status]).toEqual([request, 403, 401, 403]);
  }
  const key = await newKey(world, 'provider');
  expect((await world.send({ as: key.pair, request: 'GET /API/scim/v2/Users' })).status).toBe(200);
  expect((await world.send({ as: key.pair, request: 'GET /API/whoami' })).status).toBe(403);
});

it('a SCIM token opens nothing else for one who acts for the provider, or for whom the provider acts', async () => {
  const { world } = await open();
  await prepare(world, [newUser(['ann', 'p'])]);
  const runAs = (as: readonly [string, string], name: string) =>
    world.send({ as, request: 'GET /API/whoami', headers: { runas: name } });
  expect((await runAs(admin, 'provider')).status).toBe(403);
  expect((await runAs(provider, 'ann')).status).toBe(403);
});

it('a session of the web page, or a token of another user, is no SCIM token', async () => {
  const { world } = await open();
  await prepare(world, [newUser(['ann', 'p'])]);
  const { body } = await world.send({ as: ['ann', 'p'], request: 'GET /API/token', headers: { accept: 'text/plain' } });
  const answer = await world.send({ request: 'GET /API/scim/v2/Users', headers: { authorization: `Bearer ${body}` } });
  expect(answer.status).toBe(403);
  expect((await world.send({ request: 'GET /API/scim/v2/Users' })).status).toBe(401);
});

it('a SCIM token ends with its revocation and with the account', async () => {
  const { world, ask } = await open();
  expect((await ask('GET /Users')).status).toBe(200);
  await prepare(world, [{ as: admin, request: 'DELETE /API/user/provider/tokens' }]);
  expect((await world.send({ request: 'GET /API/scim/v2/Users', headers: { authorization: 'Bearer x' } })).status).toBe(
    401,
  );
  await expect(ask('GET /Users')).resolves.toMatchObject({ status: 401 });
});

it('a provider makes nobody an administrator', async () => {
  const at = await open();
  await prepare(at.world, [
    newGroup('bosses', { parentGroupList: { group: [{ groupName: '_administrator' }] } }),
    newGroup('actors', { parentGroupList: { group: [{ groupName: '_runas' }] } }),
    newGroup('providers', { parentGroupList: { group: [{ groupName: '_scim' }] } }),
  ]);
  const { id: value } = (await at.ask('POST /Users', user('ann'))).json;
  const before = await at.world.sequence();
  for (const name of ['bosses', 'actors', 'providers']) {
    const filter = encodeURIComponent(`displayName eq "${name}"`);
    const { id } = (await at.ask(`GET /Groups?filter=${filter}`)).json.Resources[0];
    const told = [
      await at.ask(`PATCH /Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value }] })),
      await at.ask(`PUT /Groups/${id}`, group(name, { members: [{ value }] })),
      await at.ask(`DELETE /Groups/${id}`),
    ];
    expect([name, ...told.map(({ status }) => status)]).toEqual([name, 403, 403, 403]);
  }
  const roles = (await at.world.service.store.read(
    `SELECT id FROM "group" WHERE name = '_administrator'`,
  )) as string[][];
  expect(
    (await at.ask(`PATCH /Groups/${roles[0]![0]}`, patch({ op: 'add', path: 'members', value: [{ value }] }))).status,
  ).toBe(404);
  expect(await eventsSince(at, before)).toEqual([]);
});

it('a provider neither shuts out, renames nor deletes administrators and providers', async () => {
  const at = await open();
  await prepare(at.world, [newUser(['boss', 'p'], ['_administrator'])]);
  const before = await at.world.sequence();
  for (const name of ['admin', 'boss', 'provider']) {
    const { id } = (await at.ask(`GET /Users?${idOf(name)}`)).json.Resources[0];
    const told = [
      await at.ask(`PATCH /Users/${id}`, patch({ op: 'replace', path: 'active', value: false })),
      await at.ask(`PATCH /Users/${id}`, patch({ op: 'replace', path: 'externalId', value: 'x' })),
      await at.ask(`PUT /Users/${id}`, user('renamed')),
      await at.ask(`DELETE /Users/${id}`),
    ];
    expect([name, ...told.map(({ status }) => status)]).toEqual([name, 403, 403, 403, 403]);
  }
  expect(await eventsSince(at, before)).toEqual([]);
});

it('with scimAdministrators a provider changes administrators, and never takes admin away', async () => {
  const at = await open({ settings: { scimAdministrators: true } });
  await prepare(at.world, [newUser(['boss', 'p'], ['_administrator'])]);
  const { id } = (await at.ask(`GET /Users?${idOf('boss')}`)).json.Resources[0];
  expect((await at.ask(`PATCH /Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))).json.active).toBe(
    false,
  );
  const { id: first } = (await at.ask(`GET /Users?${idOf('admin')}`)).json.Resources[0];
  for (const told of [
    await at.ask(`PATCH /Users/${first}`, patch({ op: 'replace', path: 'active', value: false })),
    await at.ask(`PUT /Users/${first}`, user('renamed')),
    await at.ask(`DELETE /Users/${first}`),
  ])
    expect(told.status).toBe(403);
});

it('a writer of groups gives nobody the role of a provider', async () => {
  const { world } = await open();
  await prepare(world, [newUser(['writer', 'p'], ['_group_write'])]);
  expect((await world.send({ as: ['writer', 'p'], request: 'PUT /API/group/_scim/user/writer' })).status).toBe(403);
});
