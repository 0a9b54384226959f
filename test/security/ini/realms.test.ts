import { describe, expect, it } from 'vitest';
import type { Plugin } from '../../../src/spi/index.ts';
import { errorsOf, ini, messagesOf, read } from './try.ts';

describe('realms', () => {
  const realms = (main: string[], more = '') =>
    read(ini(main, undefined, more)).blueprint?.realms.map(({ name }) => name);

  it('are those of the list, else all in the order of the file, an implied iniRealm first', () => {
    const http = ['h = portico.HttpRealm', 'h.url = https://x.example'];
    expect(realms(http)).toEqual(['serviceRealm', 'h']);
    expect(realms(http, '[users]\na = b')).toEqual(['iniRealm', 'serviceRealm', 'h']);
    expect(realms([...http, 'securityManager.realms = $h, $serviceRealm'])).toEqual(['h', 'serviceRealm']);
    expect(realms([...http, 'securityManager.realm = $serviceRealm'])).toEqual(['serviceRealm']);
  });

  it('warns of users that nobody asks for', () => {
    const { blueprint, findings } = read(ini(['securityManager.realms = $serviceRealm'], undefined, '[users]\na = b'));
    expect(findings.map(({ severity, line, code }) => `${line} ${severity} ${code}`)).toEqual([
      '7 warning unused-users',
    ]);
    expect(blueprint).toBeDefined();
  });

  it('warns of a realm that the list leaves out, because a login there never succeeds', () => {
    const http = ['h = portico.HttpRealm', 'h.url = https://x.example'];
    const told = (main: string[], more = '') => messagesOf(ini(main, undefined, more));
    for (const setting of ['realms', 'realm']) {
      expect(told([...http, `securityManager.${setting} = $serviceRealm`])).toEqual([
        `Expected $h in securityManager.${setting}, because no login asks the realm otherwise: line 6 is without it`,
      ]);
    }
    // A list with a fault, and one that is not there, have no such warning.
    expect(told([...http, 'securityManager.realms = serviceRealm']).join()).not.toContain('no login asks');
    expect(told(http).join()).not.toContain('no login asks');
    expect(told(['securityManager.realms = $serviceRealm'], '[users]\na = b').join()).not.toContain('no login asks');
  });

  it('warns of a login by a provider without a listener that lets new people in', () => {
    const login = ['company = test.Login'];
    const creation = [
      'p = portico.AttributeUserInfoProvider',
      'c = portico.UserCreationListener',
      'c.infoProvider = $p',
    ];
    const listed = 'securityManager.authenticator.authenticationListeners = $c';
    const plugin: Plugin = {
      ...{ name: 'test', version: '1.0.0', contract: 1 },
      logins: {
        'test.Login': {
          says: 'A login of a test.',
          properties: { joinsUsers: { type: 'string', says: 'Who is let in.' } },
          create: () => ({ title: 'Company', begin: () => Promise.reject(), finish: () => Promise.reject() }),
        },
      },
    };
    const codes = (...main: string[]) => read(ini(main), [plugin]).findings.map(({ line, code }) => `${line} ${code}`);
    expect(codes(...login)).toEqual(['4 no-new-users']);
    // A listener that nobody tells of logins lets nobody in.
    expect(codes(...login, ...creation)).toEqual(['4 no-new-users']);
    expect(codes(...login, ...creation, listed)).toEqual([]);
    expect(codes(...login, 'company.joinsUsers = provisioned')).toEqual([]);
  });

  it('warns where a realm outside is sent the passwords of all others, and says what to add', () => {
    const http = ['h = portico.HttpRealm', 'h.url = https://x.example'];
    const both = [...http, 'securityManager.realms = $serviceRealm, $h'];
    const pam = 'org.apache.shiro.authc.pam';
    const set = 'securityManager.authenticator.authenticationStrategy = $s';
    const added = [`s = ${pam}.FirstSuccessfulStrategy`, set];
    const codes = (main: string[], more = '') => read(ini(main, undefined, more)).findings.map(({ code }) => code);
    expect(codes(both)).toEqual(['passwords-told']);
    expect(codes(http)).toEqual(['passwords-told']);
    expect(messagesOf(ini(both)).join()).toContain(added.join(' / '));
    expect(codes([...both, ...added])).toEqual([]);
    expect(codes([...http, 'securityManager.realms = $serviceRealm'])).toEqual(['unused-realm']);
    // The users of the file are inside.
    expect(codes([], '[users]\na = b')).toEqual([]);
  });

  it('may not be given twice', () => {
    expect(errorsOf(ini(['securityManager.realm = $serviceRealm', 'securityManager.realms = $serviceRealm']))).toEqual([
      '4:1 realms',
    ]);
  });

  it('take the strategy and the listeners', () => {
    const strategy = (...lines: string[]) => read(ini(lines)).blueprint?.strategy;
    const set = 'securityManager.authenticator.authenticationStrategy = $s';
    const pam = 'org.apache.shiro.authc.pam';
    expect(strategy()).toEqual({ kind: 'at-least-one' });
    expect(strategy(`s = ${pam}.AllSuccessfulStrategy`, set)).toEqual({ kind: 'all' });
    expect(strategy(`s = ${pam}.FirstSuccessfulStrategy`, set)).toEqual({ kind: 'first', stop: false });
    expect(strategy(`s = ${pam}.FirstSuccessfulStrategy`, 's.stopAfterFirstSuccess = true', set)).toEqual({
      kind: 'first',
      stop: true,
    });
    const own = [
      `a = ${pam}.ModularRealmAuthenticator`,
      `s = ${pam}.AllSuccessfulStrategy`,
      'a.authenticationStrategy = $s',
    ];
    expect(strategy(...own, 'securityManager.authenticator = $a')).toEqual({ kind: 'all' });
    expect(errorsOf(ini(['securityManager.authenticator.authenticationStrategy = $serviceRealm']))).toEqual([
      '4:56 wrong-kind',
    ]);
  });
});

describe('users and roles', () => {
  const users = (line: string) => {
    const { blueprint, findings } = read(ini([], undefined, `[users]\n${line}`));
    expect(findings).toEqual([]);
    return [...(blueprint!.realms[0]!.given.get('users') as Map<string, string[]>)];
  };

  it.each([
    ['ann = pw, a, b', 'ann', ['pw', 'a', 'b']],
    ['ann = "p, w", a', 'ann', ['p, w', 'a']],
    ['ann = p"w"x', 'ann', ['pwx']],
    ['ann = $shiro1$SHA-256$1$x$y', 'ann', ['$shiro1$SHA-256$1$x$y']],
    ['ann smith = c', 'ann', ['smith = c']],
    ['a\\:b = c', 'a:b', ['c']],
    ['__proto__ = c', '__proto__', ['c']],
  ])('reads %s', (line, name, parts) => {
    expect(users(line)).toEqual([[name, parts]]);
  });

  it.each([
    ['[users]\nann = ""', '7:1 user'],
    ['[users]\nann = ,a', '7:1 user'],
    ['[users]\nann = pw,', '7:1 user'],
    ['[users]\nann = "pw, a', '7:1 user'],
    ['[roles]\neditor = item:*,', '7:1 role'],
    ['[roles]\neditor = "::"', '7:1 role'],
    ['[roles]\neditor = a, ""', '7:1 role'],
  ])('refuses %j', (more, error) => {
    const text = ini([], undefined, more);
    expect(errorsOf(text)).toEqual([error]);
    expect(messagesOf(text).join()).not.toContain('pw');
  });

  it('takes a matcher for the implied realm', () => {
    const lines = [
      'm = org.apache.shiro.authc.credential.Sha256CredentialsMatcher',
      'iniRealm.credentialsMatcher = $m',
    ];
    expect(errorsOf(ini(lines, undefined, '[users]\na = b'))).toEqual([]);
    expect(errorsOf(ini(['iniRealm.credentialsMatcher = $serviceRealm'], undefined, '[users]\na = b'))).toEqual([
      '4:31 wrong-kind',
    ]);
  });
});

describe('sessions, cookies, remember-me and form login', () => {
  it.each([
    'securityManager.sessionManager.globalSessionTimeout = 5000',
    'securityManager.rememberMeManager = null',
    'cacheManager = org.apache.shiro.cache.MemoryConstrainedCacheManager',
    'sessions = org.apache.shiro.web.session.mgt.DefaultWebSessionManager',
    'cookie = org.apache.shiro.web.servlet.SimpleCookie',
    'authc.loginUrl = /login',
    'shiroFilter.filterOncePerRequest = true',
    'shiro.usernameParam = u',
    'serviceRealm.authenticationCachingEnabled = true',
  ])('%s is left aside with a warning', (line) => {
    const { blueprint, findings } = read(ini([line]));
    expect(findings.map(({ severity, line: at, code }) => `${at} ${severity} ${code}`)).toEqual([
      '4 warning stateless',
    ]);
    expect(blueprint).toBeDefined();
  });

  it('lets objects of theirs be configured and passed on, told once each', () => {
    const lines = [
      'c = org.apache.shiro.cache.MemoryConstrainedCacheManager',
      'c.x.y = 1',
      'securityManager.cacheManager = $c',
    ];
    expect(read(ini(lines)).findings.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '4 stateless',
      '6 stateless',
    ]);
  });

  it('refuses form login in a chain', () => {
    expect(errorsOf(ini([], ['/** = tokenAuth, authc']))).toEqual(['5:18 stateless']);
  });
});
