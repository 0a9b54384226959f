import { describe, expect, it } from 'vitest';
import { listenFor, openWorld } from '../support/matrix.ts';
import { admin, type Credentials } from '../support/service.ts';

/** A client of this API as others use it, unchanged: each of its calls about users and groups, as it sends them. */

/** Properties that the tests read in answers; the client brings no types. */
interface Body {
  readonly hits: number;
  readonly user?: readonly { readonly userName: string }[];
  readonly group?: readonly { readonly groupName: string }[];
  readonly disabled?: boolean;
  readonly alias?: readonly string[];
  readonly byteLength: number;
}

interface Answer {
  readonly status: number;
  readonly data: Body;
}
type Call = (given?: Record<string, unknown>) => Promise<Answer>;
interface Client {
  login(given: { baseURL: string; username: string; password: string }): void;
  readonly user: Readonly<Record<string, Call>>;
  readonly group: Readonly<Record<string, Call>>;
  readonly metadata: Readonly<Record<string, Call>>;
}

// By a name that the compiler does not look up: there is nothing for it to find.
const packageName = '@vidispine/vdt-api';
const client = (await import(packageName)) as Client;

async function open() {
  const world = await openWorld('fetch');
  const baseURL = `http://127.0.0.1:${await listenFor(world)}`;
  const login = ([username, password]: Credentials) => client.login({ baseURL, username, password });
  login(admin);
  return { ...client, world, loginAs: login };
}

/** The client throws whatever is no success. */
const statusOf = (asked: Promise<Answer>): Promise<number> =>
  asked.then(
    ({ status }) => status,
    (error: { response: Answer }) => error.response.status,
  );

const acceptJson = { accept: 'application/json' };
const named = (...names: string[]) => ({ group: names.map((groupName) => ({ groupName })) });
const namesOf = ({ data: { user, group = [] } }: Answer): string[] =>
  user ? user.map(({ userName }) => userName) : group.map(({ groupName }) => groupName);

describe('the vdt client', () => {
  it('creates, lists, reads and changes users', async () => {
    const { user } = await open();
    const userDocument = { userName: 'alice', realName: 'Alice A', password: 'secret', groupList: named('_user_read') };
    const created = await user['createUser']!({ userDocument, queryParams: { passwordType: 'raw' } });
    expect([created.status, created.data]).toEqual([200, '']);
    const list = await user['listUser']!({ queryParams: { first: 1, number: 10, disabled: 'false' } });
    expect([list.data.hits, namesOf(list)]).toEqual([2, ['admin', 'alice']]);
    expect(namesOf(await user['listUser']!({ queryParams: { name: ['alice', 'bob'] } }))).toEqual(['alice']);

    const changed = await user['updateUser']!({
      userName: 'alice',
      userDocument: { userName: 'alicia', realName: 'Alice B', metadata: { field: [{ key: 'city', value: 'Rome' }] } },
    });
    expect(changed.data).toMatchObject({ userName: 'alicia', realName: 'Alice B' });
    expect((await user['getUser']!({ userName: 'alicia' })).data).toMatchObject({
      groupList: { group: [{ groupName: '_user_read', role: true }] },
      metadata: { field: [{ key: 'city', value: 'Rome' }] },
    });
    expect(await statusOf(user['getUser']!({ userName: 'alice' }))).toBe(404);

    await user['updateUserRealName']!({ userName: 'alicia', realName: 'Älice' });
    expect((await user['getUserRealName']!({ userName: 'alicia' })).data).toBe('Älice');
    expect((await user['createAlias']!({ userName: 'alicia', alias: 'al' })).status).toBe(200);
    expect((await user['getUser']!({ userName: 'al' })).data.alias).toEqual(['al']);
    expect((await user['removeAlias']!({ userName: 'alicia', alias: 'al' })).status).toBe(200);
    expect((await user['getAccess']!({ userName: 'alicia' })).data).toEqual({ access: [] });
  });

  it('sets passwords, and reads and makes salts', async () => {
    const { user, loginAs } = await open();
    await user['createUser']!({
      userDocument: { userName: 'alice', password: 'one' },
      queryParams: { passwordType: 'raw' },
    });
    const change = { userName: 'alice', password: 'two' };
    expect(await statusOf(user['updateUserPassword']!({ ...change, queryParams: { type: 'md5' } }))).toBe(400);
    expect((await user['updateUserPassword']!({ ...change, queryParams: { type: 'raw' } })).status).toBe(200);
    const salt = await user['getUserSalt']!({ userName: 'alice', responseType: 'arraybuffer' });
    expect(salt.data.byteLength).toBe(16);
    loginAs(['alice', 'two']);
    expect((await user['whoAmI']!()).data).toBe('alice');
    loginAs(admin);
    expect((await user['createUserSalt']!({ userName: 'alice', responseType: 'arraybuffer' })).data.byteLength).toBe(
      16,
    );
    loginAs(['alice', 'two']);
    expect(await statusOf(user['whoAmI']!())).toBe(401);
  });

  it('searches users', async () => {
    const { user } = await open();
    for (const userName of ['alan', 'alice', 'bob']) {
      await user['createUser']!({ userDocument: { userName, realName: `${userName.toUpperCase()} X` } });
    }
    const search = (userSearchDocument: object, queryParams: object = {}) =>
      user['searchUser']!({ userSearchDocument, queryParams });
    const byName = { operator: { operation: 'AND', field: [{ name: 'username', value: 'AL*' }] } };
    expect(namesOf(await search(byName, { ignoreCase: true, disabled: 'all', first: 1, number: 25 }))).toEqual([
      'alan',
      'alice',
    ]);
    expect(
      namesOf(
        await search({
          field: [{ name: 'realname', value: '*X' }],
          sort: [{ field: 'username', order: 'descending' }],
        }),
      ),
    ).toEqual(['bob', 'alice', 'alan']);
    expect((await search({})).data.hits).toBe(4);
    expect((await search(byName, { ignoreCase: true, number: 1 })).data).toMatchObject({ hits: 2 });
  });

  it('disables, enables and deletes users', async () => {
    const { user } = await open();
    for (const userName of ['alice', 'bob smith']) await user['createUser']!({ userDocument: { userName } });
    expect((await user['disableUser']!({ userName: 'alice' })).status).toBe(200);
    expect((await user['getUser']!({ userName: 'alice' })).data.disabled).toBe(true);
    expect((await user['enableUser']!({ userName: 'alice' })).status).toBe(200);
    expect((await user['getUser']!({ userName: 'alice' })).data.disabled).toBeUndefined();
    const removed = await user['disableUser']!({
      userName: 'bob smith',
      queryParams: {
        hard: true,
        transferAccess: 'alice',
        priority: 'LOW',
        jobmetadata: [{ key: 'why', value: 'a=b c' }],
      },
    });
    expect(removed.data).toMatchObject({
      type: 'DELETE_USER',
      status: 'FINISHED',
      priority: 'LOW',
      data: [{ key: 'why', value: 'a=b c' }],
    });
    expect(namesOf(await user['listUser']!())).toEqual(['admin', 'alice']);
    expect(await statusOf(user['disableUser']!({ userName: 'admin' }))).toBe(403);
  });

  it('creates, lists, searches, changes and deletes groups', async () => {
    const { group } = await open();
    expect((await group['updateGroup']!({ groupName: 'crew' })).status).toBe(200);
    expect(await statusOf(group['updateGroup']!({ groupName: 'crew' }))).toBe(200);
    const groupDocument = { groupName: 'crew', description: 'The crew', parentGroupList: named('_import') };
    expect(
      (await group['updateGroup']!({ groupName: 'crew', groupDocument, queryParams: { clear: true } })).status,
    ).toBe(200);
    for (const groupName of ['cast', 'extras']) await group['updateGroup']!({ groupName, groupDocument: {} });
    expect(namesOf(await group['listGroup']!({ queryParams: { role: false } }))).toEqual(['cast', 'crew', 'extras']);
    expect((await group['listGroup']!({ queryParams: { role: true, number: 1 } })).data.hits).toBeGreaterThan(50);
    const found = await group['searchGroup']!({ groupSearchDocument: { field: [{ name: 'groupname', value: 'c*' }] } });
    expect([found.data.hits, namesOf(found)]).toEqual([2, ['cast', 'crew']]);
    expect((await group['getGroup']!({ groupName: 'crew' })).data).toMatchObject({
      groupName: 'crew',
      description: 'The crew',
      parentGroupList: { group: [{ groupName: '_import', role: true }] },
    });
    await group['updateGroupDescription']!({ groupName: 'crew', description: 'Another' });
    expect((await group['getGroupDescription']!({ groupName: 'crew' })).data).toBe('Another');
    // The client reads a text that looks like a number as one.
    expect((await group['getGroupRoleStatus']!({ groupName: 'crew' })).data).toBe(0);
    expect((await group['getGroupRoleStatus']!({ groupName: '_import' })).data).toBe(1);
    expect((await group['removeGroup']!({ groupName: 'crew' })).status).toBe(200);
    expect((await group['removeGroupList']!({ queryParams: { name: ['cast', 'extras', 'ghost'] } })).status).toBe(200);
    expect((await group['listGroup']!({ queryParams: { role: false } })).data).toEqual({ hits: 0, group: [] });
  });

  it('changes and reads who is in what, from both sides', async () => {
    const { user, group } = await open();
    await user['createUser']!({ userDocument: { userName: 'alice', realName: 'Alice A' } });
    for (const groupName of ['crew', 'cast', 'staff']) await group['updateGroup']!({ groupName });
    for (const [groupName, childGroupName] of [
      ['staff', 'crew'],
      ['_import', 'staff'],
    ]) {
      expect((await group['addGroupChildren']!({ groupName, childGroupName })).status).toBe(200);
    }
    expect((await group['addGroupUser']!({ groupName: 'crew', userName: 'alice' })).status).toBe(200);
    expect((await group['getGroupUser']!({ groupName: 'crew' })).data).toBe('alice\tAlice A\r\n');
    const all = await group['getGroupUser']!({
      groupName: '_import',
      headers: acceptJson,
      queryParams: { traverse: true },
    });
    expect(namesOf(all)).toEqual(['alice']);
    expect((await group['getGroupParents']!({ groupName: 'crew' })).data).toBe('staff\r\n');
    expect(namesOf(await group['getGroupChildren']!({ groupName: 'staff', headers: acceptJson }))).toEqual(['crew']);
    expect(namesOf(await user['getUserGroup']!({ userName: 'alice' }))).toEqual(['crew']);
    expect(namesOf(await user['getUserRole']!({ userName: 'alice' }))).toEqual(['_import']);
    expect(namesOf(await user['getUserGroupRole']!({ userName: 'alice' }))).toEqual(['_import', 'crew', 'staff']);
    await user['updateUserGroup']!({
      userName: 'alice',
      groupListDocument: named('cast'),
      queryParams: { move: true },
    });
    expect(namesOf(await user['getUserGroup']!({ userName: 'alice' }))).toEqual(['cast']);
    expect((await group['removeGroupUser']!({ groupName: 'cast', userName: 'alice' })).status).toBe(200);
    expect((await group['removeGroupChildren']!({ groupName: 'staff', childGroupName: 'crew' })).status).toBe(200);
    expect(namesOf(await user['getUserGroup']!({ userName: 'alice' }))).toEqual([]);
    expect(await statusOf(user['getUserGraph']!({ userName: 'alice' }))).toBe(406);
    const drawn = await user['getUserGraph']!({ userName: 'alice', headers: { accept: 'text/vnd.graphviz' } });
    expect(drawn.data).toContain('label="alice"');
  });

  it.each(['user', 'group'])('changes and reads metadata of a %s', async (entityType) => {
    const { user, group, metadata } = await open();
    await user['createUser']!({ userDocument: { userName: 'crew' } });
    await group['updateGroup']!({ groupName: 'crew' });
    const of = { entityType, entityId: 'crew' };
    const call = (name: string, more: object = {}) => metadata[name]!({ ...of, ...more });
    const pairs = (...fields: readonly (readonly [string, string])[]) => ({
      field: fields.map(([key, value]) => ({ key, value })),
    });
    await call('updateSimpleMetadata', { simpleMetadataDocument: pairs(['a/b', '1'], ['c', '2']) });
    await call('updateSimpleMetadataSubpath', { subpath: 'a', simpleMetadataDocument: pairs(['d', '3']) });
    await call('updateSimpleMetadataKey', { key: 'c', value: 'four' });
    expect((await call('getSimpleMetadata')).data).toEqual(pairs(['a/b', '1'], ['c', 'four'], ['a/d', '3']));
    expect((await call('getSimpleMetadataSubpath', { subpath: 'a' })).data).toEqual(pairs(['a/b', '1'], ['a/d', '3']));
    expect((await call('getSimpleMetadataKey', { key: 'c' })).data).toBe('four');
    expect((await call('removeSimpleMetadataKey', { key: 'a/b' })).status).toBe(200);
    expect(await statusOf(call('getSimpleMetadataKey', { key: 'a/b' }))).toBe(404);
    expect((await call('removeSimpleMetadata')).status).toBe(200);
    expect((await call('getSimpleMetadata')).data).toEqual({ field: [] });
  });
});
