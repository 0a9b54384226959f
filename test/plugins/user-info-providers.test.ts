import { describe, expect, it } from 'vitest';
import { userInfoProviderComponents } from '../../plugins/index.ts';
import type { Account } from '../../src/spi/index.ts';
import { make } from '../realms/support.ts';

const signal = new AbortController().signal;
const infoOf = async (className: string, given: Record<string, unknown>, account: Account) =>
  (await make(userInfoProviderComponents[className]!, given)).userInfo(account, signal);

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
