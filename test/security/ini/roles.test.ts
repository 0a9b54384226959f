import { describe, expect, it } from 'vitest';
import { base, ini, read } from './try.ts';

const users = (line: string, roles = 'desk = item:read') => `[users]\n${line}\n[roles]\n${roles}`;
const told = (text: string) =>
  read(text)
    .findings.filter(({ code }) => ['unknown-role', 'no-login'].includes(code))
    .map(({ severity, line, code, nearest }) => `${line} ${severity} ${code}${nearest ? ` ${nearest}` : ''}`);
const last = '/** = tokenAuth[permissive], authcBasic';

describe('roles that [users] names', () => {
  it.each<[string, string, readonly string[]]>([
    ['a misspelt one', ini([], base.urls, users('gina = secret, deskk')), ['7 warning unknown-role desk']],
    ['one of [roles]', ini([], base.urls, users('gina = secret, desk')), []],
    ['one that a chain asks for', ini([], ['/a/** = authcBasic, roles[floor]', last], users('gina = s, floor')), []],
    ['a role of the service', ini([], base.urls, users('gina = secret, _import')), []],
    ['any, where the file has no roles', ini([], base.urls, '[users]\ngina = secret, desk'), []],
  ])('%s', (_what, text, expected) => {
    expect(told(text)).toEqual(expected);
  });

  it('are told without the password', () => {
    const { findings } = read(ini([], base.urls, users('gina = "very, secret", deskk')));
    expect(findings.map(({ message }) => message).join()).not.toContain('secret');
  });
});

describe('a chain that asks for rights', () => {
  it.each<[string, string, readonly string[]]>([
    ['without a login', '/a/** = noSessionCreation, roles[desk]', ['5 warning no-login']],
    ['with the login behind it', '/a/** = perms["item:read"], authcBasic', ['5 warning no-login']],
    ['behind a login', '/a/** = authcBasic, rest[item]', []],
    ['behind a token', '/a/** = tokenAuth, user', []],
    ['behind a filter that may log in', '/a/** = mine, roles[desk]', []],
  ])('%s', (_what, chain, expected) => {
    const main = chain.includes('mine') ? ['mine = portico.OAuth2Filter'] : [];
    expect(told(ini(main, [chain, last])).map((line) => line.replace(/^6/, '5'))).toEqual(expected);
  });
});

it('several realms in the property for one are told the property for several', () => {
  const text = ini(['securityManager.realm = $serviceRealm, $iniRealm'], base.urls, '[users]\ngina = secret');
  const [finding] = read(text).findings.filter(({ severity }) => severity === 'error');
  expect(finding?.message).toContain('Several go into the property for a list, such as realms');
});

describe('a chain for all other paths in which nobody can log in with a password', () => {
  const warned = (chain: string, main: readonly string[] = []) =>
    read(ini([...main], [chain])).findings.filter(({ code }) => code === 'no-password').length;

  it.each<[string, string, readonly string[], number]>([
    ['tokens alone', '/** = sessionAuth[permissive], tokenAuth', [], 1],
    ['tokens of a provider without its keys', '/** = tokenAuth[permissive], mine', ['mine = portico.OAuth2Filter'], 1],
    [
      'tokens of a provider with its keys',
      '/** = tokenAuth[permissive], mine',
      ['mine = portico.OAuth2Filter', 'mine.expectedAudience = portico'],
      0,
    ],
    ['passwords at the end', '/** = tokenAuth[permissive], authcBasic', [], 0],
    ['another filter that logs in', '/** = tokenAuth[permissive], authcBearer', [], 0],
    ['no login at all', '/** = anon', [], 0],
  ])('%s', (_what, chain, main, count) => {
    expect(warned(chain, main)).toBe(count);
  });
});
