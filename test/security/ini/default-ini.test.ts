import { describe, expect, it } from 'vitest';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { make, read } from './try.ts';

describe('the built-in security.ini', () => {
  it('loads without a finding', async () => {
    const { parts, findings } = await make(defaultIni);
    expect(findings).toEqual([]);
    expect(parts?.realms.map(({ name }) => name)).toEqual(['serviceRealm']);
    expect(parts?.strategy).toEqual({ kind: 'at-least-one' });
    expect(parts?.allowConfigUpdate).toBe(true);
    expect(parts?.chains.map(({ pattern, steps }) => [pattern, steps.map(({ name }) => name)])).toEqual([
      ['/ui/**', ['invalidRequest', 'anon']],
      ['/scim/**', ['invalidRequest', 'noSessionCreation', 'scimAuth', 'tokenAuth', 'authcBasic']],
      ['/**', ['invalidRequest', 'noSessionCreation', 'sessionAuth', 'tokenAuth', 'oauth2Auth', 'authcBasic']],
    ]);
  });

  it('makes the objects of the description', () => {
    const { blueprint } = read(defaultIni);
    const made = blueprint!.objects.filter(({ implicit }) => !implicit);
    expect(made.map(({ name, entry }) => [name, entry.className])).toEqual([
      ['serviceRealm', 'com.service.security.auth.DefaultServiceRealm'],
      ['tokenAuth', 'com.service.security.auth.TokenAuthenticationFilter'],
      ['scimAuth', 'com.service.security.auth.TokenAuthenticationFilter'],
      ['deny', 'com.service.security.auth.DenyFilter'],
      ['oauth2Auth', 'com.service.security.auth.BearerAuthenticationFilter'],
    ]);
  });

  it('sets the three options of invalidRequest to false, and the application name', () => {
    const { blueprint } = read(defaultIni);
    const valuesOf = (name: string) => {
      const { values } = blueprint!.objects.find((plan) => plan.name === name)!;
      return Object.fromEntries([...values].map(([property, { value }]) => [property, value]));
    };
    expect(valuesOf('invalidRequest')).toEqual({ blockSemicolon: false, blockBackslash: false, blockNonAscii: false });
    expect(valuesOf('authcBasic')).toEqual({ applicationName: 'serviceRealm' });
  });

  it('shows statements that work once their # is taken away', async () => {
    const on = defaultIni
      .replace(/^#(?=\S)/gm, '')
      // Statements that the lines switched on replace; and plain passwords are no hashes.
      .replace('securityManager.realms = $serviceRealm\n', '')
      .replace('iniRealm.credentialsMatcher = $passwordMatcher\n', '')
      // Left to the tests below: only one of three ways works at a time, and none beside the creation of users.
      .replace(/^oauth2Auth\.(?!allow|clock|tokenTypes).*\n/gm, '');
    const { parts, findings } = await make(on);
    expect(findings).toEqual([]);
    expect(parts?.realms.map(({ name }) => name)).toEqual(['serviceRealm', 'httpRealm', 'ldapRealm', 'iniRealm']);
    expect([parts?.listeners.length, parts?.logins.length]).toEqual([1, 1]);
    expect(parts?.chains).toHaveLength(5);
  });

  it.each(['publicKey', 'federationMetadata', 'validationEndpoint|client'])(
    'shows a way to validate bearer tokens that works: %s',
    async (way) => {
      const wanted = new RegExp(`^#(?=oauth2Auth\\.(?:${way}|expectedAudience|issuer|tokenUser))`, 'gm');
      const on = defaultIni.replace(wanted, '');
      expect(on.length).toBeLessThan(defaultIni.length - 2);
      expect((await make(on)).findings).toEqual([]);
    },
  );

  it('has no line that is hard to read in a terminal', () => {
    expect(defaultIni.split('\n').filter((line) => line.length > 120 || /[^\x20-\x7e]/.test(line))).toEqual([]);
  });
});
