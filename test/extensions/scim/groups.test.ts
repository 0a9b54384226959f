import { expect, it } from 'vitest';
import { together } from '../../../src/core/store/commit-plan.ts';
import { systemActor } from '../../../src/core/store/contract.ts';
import { createUser } from '../../../src/identity/public.ts';
import { noKeyValues } from '../../../src/room/entities/key-values/store.ts';
import { newGroup, newUser } from '../../support/cast.ts';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { eventsSince, group, openProvider, type Provider, patch, type Read, user } from './support.ts';

async function people({ ask }: Provider, ...names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await ask('POST /Users', user(name))).json.id);
  return ids;
}

const namesIn = ({ json }: Read): string[] => (json.members ?? []).map(({ display }: Read) => display);
const values = (...ids: readonly string[]) => ids.map((value) => ({ value }));

describeMatrix('groups of a provider', ({ open }) => {
  it('are created with users, found by name, and show their users to one who asks for one', async () => {
    const at = await openProvider(open);
    const [ann, bob] = (await people(at, 'ann', 'bob')) as [string, string];
    const before = await at.world.sequence();
    const made = await at.ask('POST /Groups', group('editors', { externalId: 'g-1', members: values(ann, bob) }));
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ displayName: 'editors', externalId: 'g-1' });
    expect(made.json.members).toEqual([
      { value: ann, display: 'ann', type: 'User' },
      { value: bob, display: 'bob', type: 'User' },
    ]);
    expect(await eventsSince(at, before)).toEqual([
      'group/create editors',
      'group/modify editors ADD ann',
      'group/modify editors ADD bob',
    ]);
    const { id } = made.json;
    const request = 'GET /API/security/explain?user=ann';
    const explained = await at.world.send({ as: admin, request, headers: { accept: 'application/json' } });
    expect(JSON.parse(explained.body).group).toMatchObject([{ name: 'editors', source: 'scim' }]);
    for (const filter of ['displayName eq "editors"', 'externalId eq "g-1"', `id eq "${id}"`]) {
      const { json } = await at.ask(`GET /Groups?filter=${encodeURIComponent(filter)}`);
      expect([filter, json.totalResults, json.Resources[0].id, json.Resources[0].members]).toEqual([
        filter,
        1,
        id,
        undefined,
      ]);
    }
    expect((await at.ask(`GET /Groups/${id}?excludedAttributes=members`)).json).not.toHaveProperty('members');
    expect((await at.ask(`GET /Users/${ann}`)).json.groups).toMatchObject([{ value: id, display: 'editors' }]);
    expect((await at.ask('POST /Groups', group('editors'))).json).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
    expect((await at.ask(`GET /Groups?filter=${encodeURIComponent('members eq "x"')}`)).json.scimType).toBe(
      'invalidFilter',
    );
  });

  it('gain and lose users in each of the ways that providers send', async () => {
    const at = await openProvider(open);
    const [a, b, c] = (await people(at, 'a', 'b', 'c')) as [string, string, string];
    const { id } = (await at.ask('POST /Groups', group('g'))).json;
    for (const [operations, names] of [
      [[{ op: 'Add', path: 'members', value: values(a, b) }], ['a', 'b']],
      [[{ op: 'add', path: 'members', value: values(b) }], ['a', 'b']],
      [[{ op: 'Remove', path: 'members', value: values(a) }], ['b']],
      [
        [
          { op: 'remove', path: `members[value eq "${b}"]` },
          { op: 'add', value: { members: values(c) } },
        ],
        ['c'],
      ],
      [[{ op: 'replace', value: { id, displayName: 'g' } }], ['c']],
      [[{ op: 'replace', path: 'members', value: values(a, b) }], ['a', 'b']],
      [[{ op: 'remove', path: 'members' }], []],
      [[{ op: 'remove', path: 'members', value: values('VX-404') }], []],
    ] as const) {
      const told = await at.ask(`PATCH /Groups/${id}`, patch(...operations));
      const members = namesIn(await at.ask(`GET /Groups/${id}`));
      expect([operations, told.status, members]).toEqual([operations, 204, names]);
    }
    const whole = await at.ask(`PUT /Groups/${id}`, group('g', { members: values(c), externalId: 'e' }));
    expect([namesIn(whole), whole.json.externalId]).toEqual([['c'], 'e']);
    const before = await at.world.sequence();
    expect((await at.ask(`PUT /Groups/${id}`, group('g', { members: values(c), externalId: 'e' }))).json).toEqual(
      whole.json,
    );
    expect(await eventsSince(at, before)).toEqual([]);
    expect((await at.ask(`PUT /Groups/${id}`, group('g'))).json).not.toHaveProperty('externalId');
  });

  it('refuse users who are none', async () => {
    const at = await openProvider(open);
    const { id } = (await at.ask('POST /Groups', group('g'))).json;
    const before = await at.world.sequence();
    for (const value of [values('VX-404'), [{ display: 'x' }], 'VX-404'])
      expect((await at.ask(`PATCH /Groups/${id}`, patch({ op: 'add', path: 'members', value }))).json.scimType).toBe(
        'invalidValue',
      );
    expect(await eventsSince(at, before)).toEqual([]);
  });

  it('are deleted in the state that is known, and their users stay', async () => {
    const at = await openProvider(open);
    const [ann] = (await people(at, 'ann')) as [string];
    const made = await at.ask('POST /Groups', group('g', { members: values(ann), externalId: 'e' }));
    const place = `/Groups/${made.json.id}`;
    const etag = made.headers.get('etag')!;
    await at.ask(`PATCH ${place}`, patch({ op: 'remove', path: 'members' }));
    const stale = { 'if-match': etag };
    expect((await at.ask(`DELETE ${place}`, undefined, stale)).status).toBe(412);
    expect(
      (await at.ask(`PATCH ${place}`, patch({ op: 'add', path: 'members', value: values(ann) }), stale)).status,
    ).toBe(412);
    expect((await at.ask(`DELETE ${place}`)).status).toBe(204);
    expect((await at.ask(`GET ${place}`)).json).toMatchObject({ status: '404' });
    expect((await at.ask(`GET /Users/${ann}`)).status).toBe(200);
    expect(await at.world.service.store.read('SELECT * FROM scim_group')).toEqual([]);
  });
});

it('a group gains more than a thousand users by one request, in commits that let others in between', async () => {
  const at = await openProvider((options) => openWorld('fetch', options));
  const { store } = at.world.service;
  const ids: string[] = [];
  await prepare(at.world, [newGroup('crowd')]);
  for (let at = 0; at < 1200; at++) ids.push(`T-${at}`);
  const command = { realName: null, password: null, aliases: [], groups: [], metadata: noKeyValues };
  await store.commit(together(...ids.map((id) => createUser({ ...command, name: id }, id, 1))), systemActor);
  const [found] = (await at.ask(`GET /Groups?filter=${encodeURIComponent('displayName eq "crowd"')}`)).json.Resources;
  const told = await at.ask(
    `PATCH /Groups/${found.id}?attributes=members`,
    patch({ op: 'add', path: 'members', value: values(...ids) }),
  );
  expect([told.status, told.json.members.length]).toEqual([200, 1200]);
  const fewer = await at.ask(`PUT /Groups/${found.id}`, group('crowd', { members: values(...ids.slice(0, 3)) }));
  expect(namesIn(fewer)).toHaveLength(3);
});

it('a provider sees no roles, and callers without its role see nothing', async () => {
  const at = await openProvider((options) => openWorld('fetch', options));
  const roles = (await at.ask('GET /Groups?count=1000')).json.Resources.filter(({ displayName }: Read) =>
    displayName.startsWith('_'),
  );
  expect(roles).toEqual([]);
  const filter = encodeURIComponent('displayName eq "_administrator"');
  expect((await at.ask(`GET /Groups?filter=${filter}`)).json.totalResults).toBe(0);
  expect((await at.ask('POST /Groups', group('_mine'))).status).toBe(403);
  expect((await at.world.send({ as: admin, request: 'GET /API/scim/v2/Groups' })).status).toBe(200);
  await prepare(at.world, [newUser(['plain', 'p'])]);
  expect((await at.world.send({ as: ['plain', 'p'], request: 'GET /API/scim/v2/Groups' })).status).toBe(403);
});
