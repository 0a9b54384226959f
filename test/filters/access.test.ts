import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import { type Asked, ask, headersOf, make, told } from './support.ts';

const filterOf = (name: string, given = {}) => make(filterComponents[`portico.${name}Filter`]!, given);

/** Filter, brackets, what the caller has (undefined: not known), method, and what comes of it. */
const cases: readonly (readonly [
  string,
  readonly string[] | undefined,
  readonly string[] | undefined,
  string,
  string,
])[] = [
  ['User', undefined, undefined, 'GET', '401 caller-unknown'],
  ['User', undefined, [], 'GET', 'pass'],
  ['Roles', undefined, undefined, 'GET', 'pass'],
  ['Roles', [], undefined, 'GET', 'pass'],
  ['Roles', ['a'], undefined, 'GET', '401 caller-unknown'],
  ['Roles', ['a'], [], 'GET', '403 role-missing'],
  ['Roles', ['a'], ['a'], 'GET', 'pass'],
  ['Roles', ['a'], ['A'], 'GET', '403 role-missing'],
  ['Roles', ['a', 'b'], ['a'], 'GET', '403 role-missing'],
  ['Roles', ['a', 'b'], ['b', 'a'], 'GET', 'pass'],
  ['Permissions', ['item:read'], undefined, 'GET', '401 caller-unknown'],
  ['Permissions', ['item:read'], ['item:write'], 'GET', '403 permission-missing'],
  ['Permissions', ['item:read'], ['item:read'], 'DELETE', 'pass'],
  ['Permissions', ['item:read', 'item:write'], ['item:read'], 'GET', '403 permission-missing'],
  ['Permissions', undefined, undefined, 'GET', 'pass'],
  ['Rest', ['item'], undefined, 'GET', '401 caller-unknown'],
  ['Rest', ['item'], ['item:read'], 'GET', 'pass'],
  ['Rest', ['item'], ['item:read'], 'HEAD', 'pass'],
  ['Rest', ['item'], ['item:read'], 'OPTIONS', 'pass'],
  ['Rest', ['item'], ['item:read'], 'TRACE', 'pass'],
  ['Rest', ['item'], ['item:read'], 'POST', '403 permission-missing'],
  ['Rest', ['item'], ['item:create'], 'POST', 'pass'],
  ['Rest', ['item'], ['item:create'], 'MKCOL', 'pass'],
  ['Rest', ['item'], ['item:update'], 'PUT', 'pass'],
  ['Rest', ['item'], ['item:delete'], 'DELETE', 'pass'],
  ['Rest', ['item'], ['item:update'], 'PATCH', '403 permission-missing'],
  ['Rest', ['item'], ['item:patch'], 'PATCH', 'pass'],
  ['Rest', ['item'], ['item:constructor'], 'constructor', 'pass'],
  ['Rest', ['item', 'file'], ['item:read'], 'GET', '403 permission-missing'],
  ['Deny', undefined, undefined, 'GET', '403 denied'],
  ['Deny', undefined, ['_administrator'], 'GET', '403 denied'],
  ['Anonymous', undefined, undefined, 'GET', 'pass'],
  ['Anonymous', undefined, [], 'GET', 'pass'],
  ['NoSessionCreation', undefined, undefined, 'GET', 'pass'],
];

describe('who may', () => {
  it.each(cases)('%s %j, who has %j, %s', async (name, words, caller, method, expected) => {
    const verdict = await ask(await filterOf(name), words, { method, caller });
    expect(told(verdict)).toBe(expected);
    expect(headersOf(verdict)).toEqual({});
  });

  it('deny refuses every request', async () => {
    const filter = await make(filterComponents['com.service.security.auth.DenyFilter']!);
    for (const asked of [{}, { method: 'OPTIONS' }, { caller: ['_administrator'] }, { path: '/health/live' }]) {
      expect(told(await ask(filter, undefined, asked))).toBe('403 denied');
    }
  });

  it('a directory that breaks lets nobody pass', async () => {
    const filter = await filterOf('Roles');
    const broken = { name: 'alice', hasRole: () => Promise.reject(new Error('broken')), permissions: [] };
    const request = { method: 'GET', options: filter.options?.(['a']), caller: broken };
    await expect(filter.check(request as never)).rejects.toThrow('broken');
  });
});

const elsewhere: readonly (readonly [string, object, Asked, string])[] = [
  ['User', { loginUrl: '/login' }, {}, '/login'],
  ['Roles', { loginUrl: 'login.html' }, {}, '/login.html'],
  ['Roles', { unauthorizedUrl: '/no' }, { caller: [] }, '/no'],
  ['Permissions', { unauthorizedUrl: 'https://portal.test/no' }, { caller: [] }, 'https://portal.test/no'],
];

describe('places to go instead', () => {
  it.each(elsewhere)('%s %j', async (name, given, asked, location) => {
    const verdict = await ask(await filterOf(name, given), name === 'User' ? undefined : ['a'], asked);
    expect(verdict).toMatchObject({ verdict: 'refuse', response: { status: 302, headers: { location } } });
  });

  it('the page to log in at is open itself', async () => {
    expect(told(await ask(await filterOf('User', { loginUrl: '/login' }), undefined, { path: '/login' }))).toBe('pass');
  });

  it.each(['a b', '/a\r\nx: y', '/\u00e9', ''])('%j is no such place', async (loginUrl) => {
    await expect(filterOf('Roles', { loginUrl })).rejects.toThrow('Expected a path or an address');
  });
});

describe('brackets are read at start', () => {
  it.each([
    ['Roles', [''], 'Expected the name of a role'],
    ['Permissions', ['::'], 'found a part that has only dividers in "::"'],
    ['Permissions', ['a', ''], 'found an empty one'],
    ['Permissions', ['item:,,'], 'found a part that has only dividers in "item:,,"'],
    ['Rest', [' '], 'found an empty one'],
  ])('%s %j', async (name, words, sentence) => {
    const filter = await filterOf(name);
    expect(() => filter.options?.(words)).toThrow(sentence);
  });

  it.each(['Anonymous', 'Deny', 'InvalidRequest', 'Ip', 'Logout', 'NoSessionCreation', 'RateLimit', 'User'])(
    '%s takes none',
    async (name) => {
      expect((await filterOf(name)).options).toBeUndefined();
    },
  );
});

describe('logout', () => {
  it.each([
    [{}, 'GET', { location: '/' }, '302 logout'],
    [{ redirectUrl: '/bye' }, 'DELETE', { location: '/bye' }, '302 logout'],
    [{ postOnlyLogout: true }, 'GET', { allow: 'POST' }, '405 logout-by-post-only'],
    [{ postOnlyLogout: true }, 'POST', { location: '/' }, '302 logout'],
  ])('%j %s', async (given, method, headers, expected) => {
    const verdict = await ask(await filterOf('Logout', given), undefined, { method });
    expect([told(verdict), headersOf(verdict)]).toEqual([expected, headers]);
  });
});
