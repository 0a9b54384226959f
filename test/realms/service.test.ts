import { describe, expect, it } from 'vitest';
import { realmComponents, serviceRealm } from '../../realms/index.ts';
import type { PasswordAnswer, TokenAnswer } from '../../src/spi/index.ts';
import { loginHost, secret, withPassword } from './support.ts';

const hostWith = (answer: PasswordAnswer | Promise<PasswordAnswer>) => ({
  ...loginHost(),
  users: { verifyPassword: () => answer, verifyToken: () => answer as TokenAnswer },
});

describe('the realm of the service', () => {
  it('answers at once when the password is remembered', () => {
    const host = hostWith({ verified: true, name: 'alice' });
    expect(serviceRealm().authenticate(withPassword('ally', 'x'), host)).toEqual({
      answer: 'account',
      account: { name: 'alice' },
    });
  });

  it.each(['unknown-user', 'wrong-password', 'user-disabled'] as const)('refuses: %s', async (reason) => {
    const host = hostWith(Promise.resolve({ verified: false, reason }));
    expect(await serviceRealm().authenticate(withPassword('alice', 'x'), host)).toEqual({ answer: 'refused', reason });
  });

  it('knows the tokens of the service', async () => {
    const token = { kind: 'token', token: secret('x') } as const;
    expect(serviceRealm().supports(token)).toBe(true);
    expect(serviceRealm().authenticate(token, hostWith({ verified: true, name: 'a' }))).toEqual({
      answer: 'account',
      account: { name: 'a' },
    });
  });

  it('leaves bearer tokens to others', async () => {
    const bearer = { kind: 'bearer', token: secret('x') } as const;
    expect(serviceRealm().supports(bearer)).toBe(false);
    expect(await serviceRealm().authenticate(bearer, hostWith({ verified: true, name: 'a' }))).toEqual({
      answer: 'not-mine',
    });
  });
});

it('has each realm under the names that files use', () => {
  expect(realmComponents['org.apache.shiro.realm.text.IniRealm']).toBe(realmComponents['portico.StaticRealm']);
  expect(realmComponents['com.service.security.auth.DefaultServiceRealm']).toBe(
    realmComponents['portico.ServiceRealm'],
  );
  expect(realmComponents['org.apache.shiro.realm.ldap.DefaultLdapRealm']).toBe(realmComponents['portico.LdapRealm']);
});
