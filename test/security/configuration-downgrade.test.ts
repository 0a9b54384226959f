import { describe, expect, it } from 'vitest';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { base, errorsOf, ini, make, read } from './ini/try.ts';

const told = (text: string) => read(text).findings.map(({ severity, line, code }) => `${line} ${severity} ${code}`);
const [realm, token] = base.main as [string, string];
const without = (line: string) => defaultIni.replace(line, '').replaceAll(', tokenAuth[permissive]', '');

describe('effects that a few added or missing lines must not have', () => {
  it('starts as it is', () => {
    expect(told(defaultIni)).toEqual([]);
  });

  it.each([
    ['a second [main]', `${defaultIni}\n[main]\nx = com.service.security.auth.DenyFilter\n`],
    ['a second [urls]', `${defaultIni}\n[urls]\n/** = anon\n`],
    ['a second [urls] of which the first is commented out by half', `${ini()}\n[urls]\n/** = anon`],
    ['a second line for /**', `${defaultIni}\n/** = anon\n`],
    ['a second line for /** in another spelling', `${defaultIni}\n/*\\*\\ = anon\n`],
    ['the service realm defined again', ini(['serviceRealm = portico.StaticRealm', 'serviceRealm.users = a:b'])],
    ['the token filter defined again', ini(['tokenAuth = com.service.security.auth.DenyFilter'])],
    [
      'the token filter made again as another class',
      ini(['tokenAuth.class = org.apache.shiro.web.filter.authc.AnonymousFilter']),
    ],
    ['the token filter switched off', ini(['tokenAuth.enabled = false'])],
    ['a list of realms without the service realm', ini(['s = portico.StaticRealm', 'securityManager.realms = $s'])],
    ['no realms', ini(['securityManager.realms = null'])],
    ['a single other realm', ini(['s = portico.StaticRealm', 'securityManager.realm = $s'])],
    ['access by default', ini(['filterChainResolver.allowAccessByDefault = true'])],
    ['a misspelt section', ini().replace('[urls]', '[url]')],
    ['a header with a comment', ini().replace('[urls]', '[urls] # rules')],
    ['an open continuation before the rules', ini(['authcBasic.applicationName = x\\'])],
    ['a misspelt boolean', ini(['invalidRequest.blockSemicolon = ture'])],
    ['unbalanced brackets', ini([], ['/** = tokenAuth[permissive, authcBasic'])],
    ['an empty file', ''],
    ['only comments', '# nothing\n'],
    ['only rules', '[urls]\n/** = anon'],
  ])('%s: it does not start', async (_what, text) => {
    const { parts, findings } = await make(text);
    expect(parts).toBeUndefined();
    expect(findings.some(({ severity }) => severity === 'error')).toBe(true);
  });

  it('names the line to mend', () => {
    const line = (needle: string, text: string) => text.split('\n').findIndex((each) => each.startsWith(needle)) + 1;
    const noRealm = ini(['securityManager.realms = null']);
    expect(errorsOf(noRealm)).toEqual(['4:1 service-realm']);
    expect(errorsOf(`[main]\n${token}\n[urls]\n${base.urls}`)).toEqual(['1:1 service-realm']);
    expect(errorsOf(`[main]\n${realm}\n[urls]\n/** = authcBasic`)).toEqual(['1:1 token-filter']);
    const text = without('tokenAuth = com.service.security.auth.TokenAuthenticationFilter');
    expect(errorsOf(text)).toEqual([`${line('[main]', text)}:1 token-filter`]);
    const other = ini().replace(token, 'tokenAuth = com.service.security.auth.DenyFilter');
    expect(errorsOf(other)).toEqual(['3:1 token-filter']);
  });

  it('says which chain lacks the token filter, and starts: files of the original do so', () => {
    expect(told(ini([], ['/a = anon', '/** = authcBasic']))).toEqual(['6 warning token-filter-unreached']);
  });

  it('takes the parts under other names', () => {
    const renamed = ini().replaceAll('serviceRealm', 'users').replaceAll('tokenAuth', 'tokens');
    expect(told(renamed)).toEqual([]);
  });

  it('allows changes of the bearer configuration only as the file says', () => {
    const allowed = (...lines: string[]) => read(ini(lines)).blueprint!.allowConfigUpdate;
    const bearer = 'oauth2Auth = com.service.security.auth.BearerAuthenticationFilter';
    expect(allowed(bearer, 'oauth2Auth.allowConfigUpdate = true')).toBe(true);
    expect(allowed(bearer, 'oauth2Auth.allowConfigUpdate = false')).toBe(false);
    expect(allowed(bearer, bearer.replace('oauth2Auth', 'other'), 'other.allowConfigUpdate = no')).toBe(false);
    expect(allowed()).toBe(false);
  });

  it('warns of a property that is set twice', () => {
    expect(told(ini(['authcBasic.applicationName = a', 'authcBasic.applicationName = b']))).toEqual([
      '5 warning repeated-key',
    ]);
  });
});

describe('tokens of any issuer with the same keys', () => {
  const filter = 'oauth2Auth = com.service.security.auth.BearerAuthenticationFilter';
  const of = (...lines: string[]) =>
    told(ini([filter, ...lines.map((line) => `oauth2Auth.${line}`)])).map((line) => line.replace(/^\d+ /, ''));

  it('are warned of where neither the file nor discovery names the issuer', () => {
    expect(of('publicKey = AAAA', 'expectedAudience = a')).toEqual(['warning any-issuer']);
    expect(of('x509Certificate = AAAA')).toEqual(['warning any-issuer']);
    expect(of('federationMetadataURI = https://idp.example/federation.xml')).toEqual(['warning any-issuer']);
    expect(of('federationMetadataURI = https://idp.example/keys', 'issuer = https://idp.example')).toEqual([]);
    expect(of('federationMetadataURI = https://idp.example/.well-known/openid-configuration')).toEqual([]);
    expect(of('validationEndpoint = https://idp.example/introspect')).toEqual([]);
  });
});

describe('bearer logins create no users', () => {
  const listener = [
    'info = portico.AttributeUserInfoProvider',
    'creation = com.service.security.auth.UserCreationListener',
    'creation.infoProvider = $info',
    'securityManager.authenticator.authenticationListeners = $creation',
  ];
  const bearer = [
    'oauth2Auth = com.service.security.auth.BearerAuthenticationFilter',
    'oauth2Auth.allowConfigUpdate = true',
  ];

  it('is told at start where a file configures both', () => {
    expect(told(ini([...bearer, ...listener]))).toEqual([]);
    expect(told(ini([...bearer, 'oauth2Auth.clockSkew = 30s', ...listener]))).toEqual([]);
    expect(told(ini([...bearer, 'oauth2Auth.tokenUser = sub']))).toEqual([]);
    expect(told(ini([...bearer, 'oauth2Auth.tokenUser = sub', ...listener]))).toEqual(['6 warning bearer-creation']);
    const text = ini([...bearer, 'oauth2Auth.tokenUser = sub', ...listener]);
    expect(read(text).findings[0]!.message).toBe(
      'Expected either creation or a configured oauth2Auth, because bearer logins create no users: "oauth2Auth.tokenUser" besides line 8',
    );
  });
});
