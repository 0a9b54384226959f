import { beforeAll, expect, it } from 'vitest';
import { item, openSharedAssets } from '../../support/assets.ts';
import { by, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, cat, givenTo } from '../../support/world.ts';
import { ask, gives } from '../access/support.ts';

/**
 * ann reads VX-1 and VX-2, and has ALL on VX-2 and VX-3. ben writes VX-1 and VX-2, by the group desk also VX-3. cat reads
 * all, and has ALL on VX-3, without the role to read users.
 */
const world = openSharedAssets();
beforeAll(async () => {
  for (const sent of [
    ...givenTo('access'),
    ...['ann', 'ben', 'cat'].map((name) => by(`PUT /API/group/_item_search/user/${name}`)),
    ...['_user_read', '_accesscontrol_read'].map((role) => by(`PUT /API/group/${role}/user/ann`)),
    by('DELETE /API/group/_user_read/user/cat'),
    by('PUT /API/group/desk'),
    by('PUT /API/group/desk/user/ben'),
    ...['Harbour', 'Regatta', 'Harbour'].map((title) => item({ title })),
    gives(admin, 'item/VX-1', { permission: 'READ', user: 'ann' }),
    gives(admin, 'item/VX-2', { permission: 'ALL', user: 'ann' }),
    gives(admin, 'item/VX-3', { permission: 'ALL', user: 'ann' }),
    gives(admin, 'item/VX-1', { permission: 'WRITE', user: 'ben' }),
    gives(admin, 'item/VX-2', { permission: 'WRITE', user: 'ben' }),
    gives(admin, 'item/VX-3', { permission: 'WRITE', group: 'desk' }),
    ...[1, 2].map((id) => gives(admin, `item/VX-${id}`, { permission: 'READ', user: 'cat' })),
    gives(admin, 'item/VX-3', { permission: 'ALL', user: 'cat' }),
  ])
    await send(world(), sent);
});

const search = async (as: Credentials, document: object) =>
  JSON.parse((await send(world(), ask(as, 'PUT /API/item', document))).body) as {
    hits: number;
    item?: { id: string }[];
    facet?: { count: { fieldValue: string; count: number }[] }[];
  };
const found = async (as: Credentials, acl: object, more: object = {}) => {
  const { hits, item: items = [] } = await search(as, { acl, ...more });
  expect(hits).toBe(items.length);
  return items.map(({ id }) => id).sort();
};
const text = { text: [{ value: 'harbour' }] };

it('finds what the caller may write, in lists and beside words', async () => {
  expect(await found(ben, { permission: 'WRITE' })).toEqual(['VX-1', 'VX-2', 'VX-3']);
  expect(await found(ben, { username: 'ben', permission: 'WRITE' }, text)).toEqual(['VX-1', 'VX-3']);
  expect(await found(ann, { permission: 'WRITE' })).toEqual(['VX-2', 'VX-3']);
  expect(await found(cat, { username: 'cat', permission: 'WRITE' })).toEqual(['VX-3']);
});

it('finds for an administrator what a user and a group may do', async () => {
  expect(await found(admin, { username: 'ann', permission: 'READ' })).toEqual(['VX-1', 'VX-2', 'VX-3']);
  expect(await found(admin, { username: 'ann', permission: 'ALL' }, text)).toEqual(['VX-3']);
  expect(await found(admin, { groupname: 'desk', permission: 'WRITE' })).toEqual(['VX-3']);
  expect(await found(admin, { username: 'ann', groupname: 'desk', permission: 'WRITE' })).toEqual(['VX-3']);
});

it('counts in facets what it finds', async () => {
  const { facet } = await search(ann, { acl: { permission: 'ALL' }, facet: [{ field: 'title' }] });
  expect(facet![0]!.count.map(({ fieldValue, count }) => `${fieldValue} ${count}`).sort()).toEqual([
    'Harbour 1',
    'Regatta 1',
  ]);
});

it('tells of another user only where the caller has ALL, as merged-access does', async () => {
  expect(await found(ann, { username: 'ben', permission: 'WRITE' })).toEqual(['VX-2', 'VX-3']);
  expect(await found(ann, { groupname: 'desk', permission: 'WRITE' })).toEqual(['VX-3']);
});

it.each([{ username: 'ben' }, { username: 'nobody' }, { groupname: 'desk' }, { username: 'cat', groupname: 'desk' }])(
  'does not tell a caller without the roles who exists or has access: %j',
  async (who) => {
    expect(await found(cat, { ...who, permission: 'READ' })).toEqual([]);
  },
);

it.each([
  ['an unknown permission', { acl: { permission: 'SOME' } }],
  ['a criterion inside another one', { operator: [{ operation: 'NOT', acl: { permission: 'READ' } }] }],
  ['a filter', { filter: [{ acl: { permission: 'READ' } }] }],
])('refuses %s', async (_, document) => {
  expect((await world().send(ask(ann, 'PUT /API/item', document))).status).toBe(400);
});
