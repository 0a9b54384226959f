import { expect, it } from 'vitest';
import { editor, newGroup, people } from '../support/cast.ts';
import { faultyDatabase } from '../support/databases.ts';
import { describeMatrix } from '../support/matrix.ts';
import { migratedDatabase } from '../support/migrated.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/**
 * Callers who may write groups may hand out any role but one: else `_group_write` would be `_administrator`
 * for all who think of it.
 */

const group = (groupName: string, remove = false) => ({ group: [{ groupName, ...(remove ? { remove } : {}) }] });
const user = (userName: string, remove = false) => ({ user: [{ userName, ...(remove ? { remove } : {}) }] });
const put = (name: string, body: object) => ({ as: editor, request: `PUT /API/group/${name}`, body });

const chiefs = [
  newGroup('chiefs', { parentGroupList: group('_administrator') }),
  newGroup('deputies', { parentGroupList: group('chiefs') }),
  newGroup('crew', { userList: user('alice') }),
];

const attempts: readonly (readonly [string, ReturnType<typeof put>])[] = [
  ['putting itself into the role', put('_administrator', { userList: user('editor') })],
  ['putting another into the role', put('_administrator', { userList: user('alice') })],
  ['putting itself into a group below the role', put('chiefs', { userList: user('editor') })],
  ['putting itself into a group further below', put('deputies', { userList: user('editor') })],
  ['putting its own group below the role', put('crew', { parentGroupList: group('_administrator') })],
  ['putting its own group below such a group', put('crew', { parentGroupList: group('deputies') })],
  ['putting its own group into the role as a child', put('_administrator', { childGroupList: group('crew') })],
  ['putting its own group into such a group as a child', put('deputies', { childGroupList: group('crew') })],
  ['a new group below the role', put('fresh', { parentGroupList: group('chiefs'), userList: user('editor') })],
  [
    'a new group with such a parent among harmless ones',
    put('fresh', {
      parentGroupList: { group: [{ groupName: 'crew' }, { groupName: 'deputies' }] },
    }),
  ],
  ['taking an administrator out', put('_administrator', { userList: user('admin', true) })],
  ['taking a group out from below the role', put('chiefs', { parentGroupList: group('_administrator', true) })],
  ['taking a group out of the role', put('_administrator', { childGroupList: group('chiefs', true) })],
  ['clearing the role', put('_administrator?clear=true', {})],
  ['clearing a group below the role', put('chiefs?clear=true', {})],
];

const refused: readonly Scenario[] = attempts.map(([what, attempt]) => ({
  name: `refuses ${what} to a caller who is not an administrator`,
  ...attempt,
  status: 403,
  answers: { 'portico-error': 'not-allowed' },
}));

const allowed: readonly Scenario[] = [
  {
    name: 'lets an administrator make another one',
    ...put('_administrator', { userList: user('alice') }),
    as: admin,
    status: 200,
    events: [['group/modify', '_administrator', { mode: 'ADD', affectedUser: 'alice' }]],
  },
  {
    name: 'lets a caller with _group_write give any other role',
    ...put('_import', { userList: user('alice') }),
    status: 200,
    events: [['group/modify', '_import', { mode: 'ADD', affectedUser: 'alice' }]],
  },
  {
    name: 'lets a caller with _group_write describe the group of the administrators',
    ...put('chiefs', { description: 'Those who know' }),
    status: 200,
    events: [['group/modify', 'chiefs', { group: 'chiefs' }]],
  },
];

const kept: readonly Scenario[] = [
  ['removing admin', 'PUT /API/group/_administrator', { userList: user('admin', true) }],
  ['clearing the role', 'PUT /API/group/_administrator?clear=true', {}],
  ['clearing the role for another', 'PUT /API/group/_administrator?clear=true', { userList: user('alice') }],
].map(([what, request, body]) => ({
  name: `refuses ${what} even to admin: somebody must be left`,
  as: admin,
  request: request as string,
  body: body as object,
  status: 403,
  answers: { 'portico-error': 'not-allowed' },
}));

describeMatrix('administrators', (entry) => {
  itHolds(entry, [...refused, ...allowed, ...kept], { given: [...people, ...chiefs] });

  /** The graph changes after the editor's request has read it, and before it commits. */
  const raised = { parentGroupList: group('_administrator') };
  it.each([
    ['the group itself', 'crew', 'crew'],
    ['a group above it', 'crew', 'above'],
  ])('decides again when %s comes below the role meanwhile', async (_what, joined, lifted) => {
    const database = faultyDatabase(await migratedDatabase());
    const world = await entry.open({ database });
    await prepare(world, [...people, newGroup('above'), newGroup('crew', { parentGroupList: group('above') })]);
    const before = (await world.events()).length;
    database.beforeNextWrite(() => prepare(world, [newGroup(lifted, raised)]));
    const answer = await world.send(put(joined, { userList: user('editor') }));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([403, 'not-allowed']);
    expect((await world.events()).slice(before)).toMatchObject([
      { entity: '_administrator', payload: { affectedGroup: lifted } },
    ]);
  });

  it('tries again when somebody else changed the group meanwhile, and gives up when that never ends', async () => {
    const database = faultyDatabase(await migratedDatabase());
    const world = await entry.open({ database });
    await prepare(world, [...people, newGroup('crew')]);
    const describe = (description: string) => newGroup('crew', { description });
    database.beforeNextWrite(() => prepare(world, [describe('meanwhile')]));
    const joined = await world.send(put('crew?clear=true', { userList: user('alice') }));
    expect(joined.status).toBe(200);
    let round = 0;
    const always = (): Promise<unknown> =>
      prepare(world, [describe(`round ${round++}`)]).then(() => database.beforeNextWrite(always));
    database.beforeNextWrite(always);
    const givenUp = await world.send(put('crew?clear=true', { userList: user('reader') }));
    expect([givenUp.status, givenUp.headers.get('portico-error'), round]).toEqual([409, 'changed-meanwhile', 8]);
    database.mend();
  });
});
