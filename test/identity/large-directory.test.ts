import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRole } from '../../src/administration/operations/store.ts';
import { type Database, systemActor } from '../../src/core/store/contract.ts';
import type { Store } from '../../src/core/store/store.ts';
import { createUserDirectory, type DirectoryParts } from '../../src/identity/directory.ts';
import { effectiveRoles, listGroups } from '../../src/identity/groups/store.ts';
import { groupsOf, usersOf } from '../../src/identity/memberships/store.ts';
import { privilegesOf } from '../../src/identity/privileges.ts';
import { userSearchFrom } from '../../src/identity/search/rules.ts';
import { searchedGroups, searchedUsers, searchIn } from '../../src/identity/search/store.ts';
import { findLogin, findUser, listUsers, relationsOfUser } from '../../src/identity/users/store.ts';
import { keyValuesOf } from '../../src/room/entities/key-values/store.ts';
import { fillDirectory, largeDirectory } from '../support/many-rows.ts';
import { memoryStore } from '../support/store.ts';

const page = { offset: 0, limit: 10 };
const work = { values: 200_000, steps: 200_000_000, text: 1000, pattern: 255 };
const field = (name: string, value: string) => userSearchFrom({ field: [{ name, value }] }, false, work.pattern);

/** The store, and what it was asked. */
function watched(store: Store): Store & { asked: Parameters<Database['read']>[] } {
  const asked: Parameters<Database['read']>[] = [];
  const read: Database['read'] = (...given) => {
    asked.push(given);
    return store.read(...given);
  };
  return { ...store, read, asked, reader: () => ({ isLimited: true, read }) };
}

describe('with 100,000 users and 10,000 nested groups', () => {
  let store: Store;
  beforeAll(async () => {
    store = await memoryStore();
    const role = insertRole({ id: 'R-1', name: '_user_read', createdAt: 0 });
    await store.commit({ changes: [role], events: [] }, systemActor);
    await fillDirectory(store);
  });
  afterAll(() => store.close());

  async function plansOf(call: (store: Store) => Promise<unknown>): Promise<string[]> {
    const watching = watched(store);
    await call(watching);
    const plans = await Promise.all(
      watching.asked.map(async ([sql, args]) => store.read(`EXPLAIN QUERY PLAN ${sql}`, args)),
    );
    return plans.flat().map((row) => String(row[3]));
  }

  /** Whole tables that a request must never walk through. */
  const walks = /SCAN (?:user|group|login|key_value|group_user|group_group)\b(?! USING (?:COVERING )?INDEX)/;

  it('the roles of a request are one query, which uses indexes only', async () => {
    const watching = watched(store);
    const directory = createUserDirectory({ store: watching } as unknown as DirectoryParts);
    const ask = async () => {
      watching.asked.length = 0;
      const users = directory.open({});
      const user = (await users.find('user-050000'))!;
      const roles = await users.rolesOf(user);
      return [[...roles], watching.asked.length];
    };
    expect(await ask(), 'the user and its roles').toEqual([['_user_read'], 2]);
    expect(await ask(), 'the user, and what is remembered').toEqual([['_user_read'], 1]);
    const plans = await plansOf((asked) => effectiveRoles(asked, 'L-50000'));
    expect(plans.filter((plan) => plan.startsWith('SCAN') && !plan.includes('found'))).toEqual([]);
  });

  it.each<readonly [string, (store: Store) => Promise<unknown>]>([
    ['a login', async (asked) => findLogin(asked, { name: 'user-000001' })],
    ['a user', async (asked) => findUser(asked, { name: 'user-000001' })],
    ['what hangs on users', (asked) => relationsOfUser(asked, ['L-1', 'L-2'])],
    ['metadata', (asked) => keyValuesOf(asked, 'user', ['L-1'])],
    ['named users', (asked) => listUsers(asked, { ...page, names: ['user-000001', 'user-000002'] })],
    ['a page of disabled users', (asked) => listUsers(asked, { ...page, enabled: false })],
    ['a page of roles', (asked) => listGroups(asked, { ...page, role: true })],
    ['who may be anybody', (asked) => privilegesOf(asked, ['group-00001'])],
    ['the groups of a user', (asked) => groupsOf(asked, 'groupsOfUser', 'L-1', undefined, page)],
    ['all groups of a user', (asked) => groupsOf(asked, 'allGroupsOfUser', 'L-1', undefined, page)],
    ['ancestors', (asked) => groupsOf(asked, 'ancestors', 'L-1', undefined, page)],
    ['descendants', (asked) => groupsOf(asked, 'descendants', 'L-10', undefined, page)],
    ['members below', (asked) => usersOf(asked, 'membersBelow', 'L-10', page)],
    [
      'users by a prefix',
      (asked) => searchIn(asked.reader('test'), searchedUsers, field('username', 'user-0500*'), undefined, work, page),
    ],
    [
      'groups by a prefix',
      (asked) => searchIn(asked.reader('test'), searchedGroups, field('groupname', 'group-05*'), false, work, page),
    ],
  ])('%s: no query walks through a table', async (_what, call) => {
    expect((await plansOf(call)).filter((plan) => walks.test(plan))).toEqual([]);
  });

  it.each([
    ['a page of users', (asked: Store) => listUsers(asked, { ...page, offset: 500 })],
    ['a page of groups', (asked: Store) => listGroups(asked, { ...page, role: false })],
  ])('%s is walked through in the order of an index, and stops at the end of the page', async (_what, call) => {
    const plans = await plansOf(call);
    expect(plans.filter((plan) => walks.test(plan))).toEqual([]);
    expect(plans.join('\n')).not.toContain('TEMP B-TREE');
  });

  it('a search by prefix looks at nothing but what begins so', async () => {
    const plans = await plansOf((asked) =>
      searchIn(asked.reader('test'), searchedUsers, field('username', 'user-0500*'), true, work, page),
    );
    expect(plans.join('\n')).toMatch(/SEARCH user USING (?:COVERING )?INDEX \S+ \(name>\? AND name<\?\)/);
    const { hits, ids } = await searchIn(
      store.reader('test'),
      searchedUsers,
      field('username', 'user-0500*'),
      undefined,
      work,
      page,
    );
    expect([hits, ids.length, ids[0]]).toEqual([100, 10, 'L-50000']);
  });

  it('counts are told without counting', async () => {
    const plans = await plansOf((asked) => listUsers(asked, page));
    expect(plans.join('\n')).not.toMatch(/COUNT|SCAN user$/);
    expect((await listUsers(store, page)).hits).toBe(largeDirectory.users);
    expect((await listGroups(store, { ...page, role: false })).hits).toBe(largeDirectory.groups);
  });
});
