import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/security/ini/assemble.ts';
import { answerOf, testHost } from '../realms/support.ts';
import { ini, messagesOf, read } from '../security/ini/try.ts';

/** Assembles a security.ini of shipped components, written the way files write it. */
async function made(main: readonly string[], more = '') {
  const { blueprint, findings } = read(ini(main, undefined, more));
  if (!blueprint) throw new Error(findings.map(({ message }) => message).join('\n'));
  const assembled = await assemble(blueprint, () => testHost());
  return { ...assembled, sentences: assembled.findings.map(({ message }) => message) };
}

const original = 'org.apache.shiro.authc.credential';
const bcrypt = '$2y$10$7rOjsAf2U/AKKqpMpCIn6etuOXyQ86tp2Tn9xv6FyXl2T0QYc3.G.';

describe('a security.ini', () => {
  it('with [users] whose passwords are hashes', async () => {
    const main = [
      `passwordService = ${original}.DefaultPasswordService`,
      `passwordMatcher = ${original}.PasswordMatcher`,
      'passwordMatcher.passwordService = $passwordService',
      'iniRealm.credentialsMatcher = $passwordMatcher',
    ];
    const { parts } = await made(main, `[users]\nalice = ${bcrypt}, writer\n[roles]\nwriter = item:*`);
    const { realm } = parts!.realms.find(({ name }) => name === 'iniRealm')!;
    expect(await answerOf(realm, 'alice', 'secret#shiro,password;Jo8opech')).toBe('account alice');
    expect(await answerOf(realm, 'alice', bcrypt)).toBe('wrong-password');
  });

  it('with a damaged hash is not used, and says whose it is', async () => {
    const main = [`m = ${original}.PasswordMatcher`, 'iniRealm.credentialsMatcher = $m'];
    const { parts, sentences } = await made(main, '[users]\nalice = $2y$77$nothing');
    expect(parts).toBeUndefined();
    expect(sentences).toEqual([expect.stringContaining('The stored password of "alice" cannot be used')]);
    expect(sentences.join()).not.toContain('nothing');
  });

  it('with users in [main]', async () => {
    const { parts } = await made(['static = portico.StaticRealm', 'static.users = alice:secret, bob:"x,y"']);
    const { realm } = parts!.realms.find(({ name }) => name === 'static')!;
    expect(await answerOf(realm, 'bob', 'x,y')).toBe('account bob');
  });

  it('with every other realm, provider and listener', async () => {
    const { parts, findings } = await made([
      'web = portico.HttpRealm',
      'web.url = https://users.example.org/login',
      'web.timeout = 2s',
      'web.sharedSecret = s3cret',
      'ldap = portico.LdapRealm',
      'ldap.url = ldaps://one.example.org, ldaps://two.example.org',
      'ldap.userBase = ou=people,dc=example,dc=org',
      'ldap.groupRoles = editors:writer',
      'old = org.apache.shiro.realm.ldap.JndiLdapRealm',
      'old.userDnTemplate = uid={0},ou=people,dc=example,dc=org',
      'old.contextFactory.url = ldap://localhost:389',
      'provider = portico.LdapUserInfoProvider',
      'provider.groupNames = editors:writers',
      'provider.metadata[phone] = telephoneNumber',
      'creation = com.service.security.auth.UserCreationListener',
      'creation.infoProvider = $provider',
      'creation.enableUserOnLogin = true',
      'securityManager.authenticator.authenticationListeners = $creation',
    ]);
    expect(findings).toEqual([]);
    expect(parts!.realms.map(({ name }) => name)).toEqual(['serviceRealm', 'web', 'ldap', 'old']);
    expect(parts!.listeners).toHaveLength(1);
  });

  it('that would let anybody in is not used', async () => {
    const { parts, sentences } = await made([`all = ${original}.AllowAllCredentialsMatcher`]);
    expect(parts).toBeUndefined();
    expect(sentences.join()).toContain('accepts every password');
  });

  it.each([
    ['sha = org.apache.shiro.authc.credential.HashedCredentialsMatcher', 'hashAlgorithmName'],
    ['creation = com.service.security.auth.UserCreationListener', 'infoProvider'],
    ['web = portico.HttpRealm', 'url'],
  ])('lacks what must be said: %s', (line, property) => {
    expect(messagesOf(ini([line])).join()).toContain(property);
  });
});
