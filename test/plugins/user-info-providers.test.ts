import { describe, expect, it } from 'vitest';
import { userInfoProviderComponents } from '../../plugins/index.ts';
import type { Account } from '../../src/spi/index.ts';
import { make } from '../realms/support.ts';

const signal = new AbortController().signal;
const whole = async (className: string, given: Record<string, unknown>, account: Account) =>
  (await make(userInfoProviderComponents[className]!, given)).userInfo(account, signal);

/** Without the sources of groups, which have a test of their own. */
async function infoOf(...args: Parameters<typeof whole>) {
  const info = await whole(...args);
  if (!info) return info;
  const { groupSources: _sources, ...rest } = info;
  return rest;
}

describe('the attribute provider', () => {
  const account: Account = {
    name: 'alice',
    attributes: { realName: 'Alice', groups: ['editors', '_administrator'], mail: ['a@x', 'b@x'], title: '' },
  };
  const copied = (given: Record<string, unknown>, of = account) =>
    infoOf('portico.AttributeUserInfoProvider', given, of);

  it.each<[string, Record<string, unknown>, unknown]>([
    ['nothing said', {}, { userName: 'alice', realName: 'Alice', groups: ['editors'] }],
    ['another user name', { userName: 'mail' }, { userName: 'a@x', realName: 'Alice', groups: ['editors'] }],
    ['no such user name', { userName: 'constructor' }, undefined],
    ['an empty user name', { userName: 'title' }, undefined],
    ['another real name', { realName: 'mail' }, { userName: 'alice', realName: 'a@x', groups: ['editors'] }],
    ['no such real name', { realName: 'toString' }, { userName: 'alice', groups: ['editors'] }],
    ['no such groups', { groups: 'none' }, { userName: 'alice', realName: 'Alice' }],
    ['roles', { copyRoles: true }, { userName: 'alice', realName: 'Alice', groups: ['editors', '_administrator'] }],
    [
      'groups by a table',
      { groupNames: new Map([['editors', '_metadata_write']]), defaultGroups: ['_user'] },
      { userName: 'alice', realName: 'Alice', groups: ['_user', '_metadata_write'] },
    ],
    [
      'roles beside a table of groups',
      { copyRoles: true, groupNames: new Map([['editors', 'redaktion']]) },
      { userName: 'alice', realName: 'Alice', groups: ['redaktion', '_administrator'] },
    ],
    [
      'a role with a mapping, once',
      { copyRoles: true, groupNames: new Map([['_administrator', 'operators']]) },
      { userName: 'alice', realName: 'Alice', groups: ['operators'] },
    ],
    [
      'groups by patterns of a table, each that fits, and a role only by a name for it',
      {
        groupNames: new Map([
          ['edit*', 'press'],
          ['*tor*s', 'makers'],
          ['editors*editors', 'never'],
          ['*s', '_item_read'],
        ]),
      },
      { userName: 'alice', realName: 'Alice', groups: ['press', 'makers', '_item_read'] },
    ],
    [
      'metadata',
      {
        metadata: new Map([
          ['email', 'mail'],
          ['missing', 'none'],
        ]),
      },
      { userName: 'alice', realName: 'Alice', groups: ['editors'], metadata: { email: 'a@x' } },
    ],
  ])('%s', async (_what, given, expected) => {
    expect(await copied(given)).toEqual(expected);
  });

  it('tells which value of which claim gave each group, in whatever order they come', async () => {
    const given = {
      groupNames: new Map([
        ['edit*', 'press'],
        ['*s', 'press'],
      ]),
      defaultGroups: ['_user', 'press'],
    };
    const sourcesOf = async (groups: readonly string[], more: object = {}) =>
      (await whole('portico.AttributeUserInfoProvider', given, { name: 'alice', attributes: { groups }, ...more }))
        ?.groupSources;
    const expected = { _user: 'defaultGroups', press: 'groups: editors' };
    expect(await sourcesOf(['writers', 'editors'])).toEqual(expected);
    expect(await sourcesOf(['editors', 'writers'])).toEqual(expected);
    const attributeSources = { groups: 'realm_access.roles' };
    expect(await sourcesOf(['editors'], { attributeSources })).toMatchObject({ press: 'realm_access.roles: editors' });
  });

  it('says nothing of what an account does not tell', async () => {
    expect(await copied({}, { name: 'bob' })).toEqual({ userName: 'bob' });
  });
});

describe('the LDAP provider', () => {
  const account: Account = {
    name: 'alice',
    attributes: { cn: ['Alice Liddell'], mail: ['a@x'], groups: ['editors', '_administrator'] },
  };

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'nothing said',
      {},
      { userName: 'alice', realName: 'Alice Liddell', groups: ['_user'], metadata: { email: 'a@x' } },
    ],
    [
      'groups and metadata',
      { groupNames: new Map([['editors', 'redaktion']]), metadata: new Map(), realName: 'mail' },
      { userName: 'alice', realName: 'a@x', groups: ['_user', 'redaktion'] },
    ],
  ])('%s', async (_what, given, expected) => {
    expect(await infoOf('portico.LdapUserInfoProvider', given, account)).toEqual(expected);
  });
});
