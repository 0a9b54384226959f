import { describe, expect, it } from 'vitest';
import { checkListener, checkMatcher, checkPlugin, checkUserInfoProvider } from '../../../src/kit/testing/index.ts';
import type {
  AuthenticationListener,
  CredentialsMatcher,
  Host,
  Plugin,
  ServiceUserInfoProvider,
} from '../../../src/spi/index.ts';
import { broken, explained } from './failing.ts';

describe('checkMatcher', () => {
  const knows = { password: 'Sesame-open-77', stored: '77-nepo-emaseS' };
  const turned = (text: string): string => [...text].reverse().join('');
  const good: CredentialsMatcher['matches'] = (given, stored) =>
    stored.reveal().length > 12 && turned(given.reveal()) === stored.reveal();
  const tryMatcher = (matches: CredentialsMatcher['matches'], host?: (host: Host) => void) =>
    checkMatcher({
      make: (lent) => {
        host?.(lent);
        return { matches };
      },
      knows,
    });

  it('finds nothing wrong with a good one', async () => {
    expect(explained(await tryMatcher(good))).toEqual([]);
  });

  it('needs a password and what is stored of it', async () => {
    expect(broken(await checkMatcher({ make: () => ({ matches: good }) }))).toEqual([
      'matches a password with what is stored of it',
    ]);
  });

  const bad: readonly (readonly [string, CredentialsMatcher['matches']])[] = [
    ['matches a password with what is stored of it', () => false],
    [
      'matches nothing for a wrong password',
      (given, stored, account) => good(given, stored, account) || given.reveal() === '*',
    ],
    [
      'matches nothing for an empty password',
      (given, stored, account) =>
        good(given, stored, account) || (given.reveal() === '' && stored.reveal().length > 12),
    ],
    [
      'matches nothing for a truncated password',
      (given, stored, account) =>
        good(given, stored, account) ||
        (given.reveal().length === 13 && stored.reveal().startsWith(turned(given.reveal()))),
    ],
    [
      'matches nothing for a password in other case',
      (given, stored) =>
        stored.reveal().length > 12 && turned(given.reveal()).toLowerCase() === stored.reveal().toLowerCase(),
    ],
    [
      'matches nothing for a password that a NUL follows',
      (given, stored) => stored.reveal().length > 12 && turned(given.reveal().split('\0')[0]!) === stored.reveal(),
    ],
    [
      'matches nothing for a very long password',
      (given, stored, account) =>
        good(given, stored, account) || (given.reveal().length > 9_999 && stored.reveal().length > 12),
    ],
    [
      'matches nothing when nothing is stored',
      (given, stored, account) => good(given, stored, account) || stored.reveal() === '',
    ],
    [
      'matches nothing with a stored text that it cannot read',
      (given, stored, account) => good(given, stored, account) || stored.reveal() === '$$$$',
    ],
    [
      'does not take what is stored for the password',
      (given, stored, account) =>
        good(given, stored, account) || (given.reveal() === stored.reveal() && stored.reveal().length > 12),
    ],
    [
      'answers true or false, and does not throw',
      (given, stored, account) => (good(given, stored, account) ? (1 as never) : false),
    ],
    [
      'answers true or false, and does not throw',
      (given, stored, account) => {
        if (stored.reveal() === '') throw new Error('Expected something to compare with');
        return good(given, stored, account);
      },
    ],
  ];
  it.each(bad.map(([promise, matches], index) => [promise, index + 1, matches] as const))(
    '%s (%i)',
    async (promise, _index, matches) => {
      expect(broken(await tryMatcher(matches))).toEqual([promise]);
    },
  );

  it('tells no secret to logs and errors', async () => {
    let log: Host['log'] = () => undefined;
    const chatty: CredentialsMatcher['matches'] = (given, stored, account) => {
      log('debug', 'compared', { given: given.reveal() });
      return good(given, stored, account);
    };
    const results = await tryMatcher(chatty, (host) => {
      log = host.log;
    });
    expect(broken(results)).toEqual(['tells no secret to logs and errors']);
  });
});

describe('checkUserInfoProvider', () => {
  type UserInfoOf = ServiceUserInfoProvider['userInfo'];
  const accounts = [{ name: 'zoe', attributes: { realName: 'Zoe', groups: ['editors'] } }];
  const good: UserInfoOf = ({ name, attributes = {} }) => {
    const realName = Object.hasOwn(attributes, 'realName') ? String(attributes['realName']) : undefined;
    return { userName: name, groups: ['_user'], ...(realName === undefined ? {} : { realName }) };
  };
  const tryProvider = (userInfo: (...given: [...Parameters<UserInfoOf>, Host]) => ReturnType<UserInfoOf>) =>
    checkUserInfoProvider({
      make: (host) => ({ userInfo: (...given) => userInfo(...given, host) }),
      patience: 300,
      accounts,
    });

  it('finds nothing wrong with a good one', async () => {
    expect(explained(await tryProvider(good))).toEqual([]);
  });

  let calls = 0;
  const bad: readonly (readonly [string, Parameters<typeof tryProvider>[0]])[] = [
    [
      'makes a user of the accounts that it is for',
      (account, signal) => (account.name === 'zoe' ? undefined : good(account, signal)),
    ],
    [
      'says the same of the same account, after any other account',
      ({ name }) => ({ userName: name, realName: `Visitor ${calls++}` }),
    ],
    [
      'leaves the account as it is',
      (account, signal) => {
        const { attributes = {} } = account;
        if (Object.hasOwn(attributes, 'realName'))
          Object.assign(attributes, { realName: String(attributes['realName']).trim().toUpperCase() });
        return good(account, signal);
      },
    ],
    [
      'copes with an account that says little',
      ({ name, attributes }) => ({ userName: name, groups: [...(attributes!['groups'] ?? [])] }),
    ],
    [
      'answers with a user name in texts, or with nobody',
      (account, signal) => ({ ...good(account, signal), userName: '' }),
    ],
    [
      'answers with a user name in texts, or with nobody',
      ({ name }) => ({ userName: name, metadata: { logins: 1 } as never }),
    ],
    [
      'makes no administrator of whom nobody calls one',
      ({ name }) => ({ userName: name, groups: name === 'admin' ? ['_administrator'] : [] }),
    ],
    [
      'ends when its signal is aborted',
      async (account, signal, host) => {
        const response = await host.fetch('https://people.example/').catch(() => undefined);
        await response?.text();
        return good(account, signal);
      },
    ],
    [
      'leaves the prototypes of the language alone',
      (account, signal) => {
        const { attributes = {} } = account;
        if (Object.hasOwn(attributes, '__proto__')) Object.assign(Object.prototype, { seen: true });
        const info = good(account, signal);
        return info;
      },
    ],
  ];
  it.each(bad.map(([promise, userInfo], index) => [promise, index + 1, userInfo] as const))(
    '%s (%i)',
    async (promise, _index, userInfo) => {
      expect(broken(await tryProvider(userInfo))).toEqual([promise]);
    },
  );
});

describe('checkListener', () => {
  type Made = Required<AuthenticationListener>;
  const good: Made = {
    async onSuccess({ name }, { credentials }, { users }) {
      if (credentials.kind !== 'password') return;
      if ((await users.createOrUpdate({ userName: name }, { enable: false })) !== 'ready')
        throw new Error('The user is disabled');
    },
    onFailure: () => undefined,
  };
  const tryListener = (make: (host: Host) => AuthenticationListener) => checkListener({ make, patience: 300 });

  it('finds nothing wrong with good ones', async () => {
    expect(explained(await tryListener(() => good))).toEqual([]);
    expect(
      explained(
        await tryListener((host) => ({
          onFailure: ({ kind }, reason) => host.log('warn', 'login-failed', { kind, reason }),
        })),
      ),
    ).toEqual([]);
  });

  const bad: readonly (readonly [string, (host: Host) => AuthenticationListener])[] = [
    [
      'lets an ordinary login go through',
      () => ({
        ...good,
        async onSuccess(...given) {
          await good.onSuccess(...given);
          throw new Error('Expected more');
        },
      }),
    ],
    [
      'fails the login of a user who is disabled',
      () => ({
        ...good,
        onSuccess: (account, login, host) =>
          login.credentials.kind === 'password'
            ? void host.users.createOrUpdate({ userName: account.name }, { enable: false })
            : undefined,
      }),
    ],
    [
      'makes no administrator of whom nobody calls one',
      () => ({
        async onSuccess({ name }, { credentials }, { users }) {
          if (credentials.kind !== 'password') return;
          const outcome = await users.createOrUpdate({ userName: name, groups: ['_administrator'] }, { enable: false });
          if (outcome !== 'ready') throw new Error('The user is disabled');
        },
      }),
    ],
    [
      'creates nobody after a login by bearer token',
      () => ({
        ...good,
        onSuccess: (account, login, host) =>
          good.onSuccess(account, { ...login, credentials: { kind: 'password' } as never }, host),
      }),
    ],
    [
      'ends when its signal is aborted',
      (host) => ({
        async onSuccess(...given) {
          await host.fetch('https://audit.example/', { method: 'POST', body: 'login' }).catch(() => undefined);
          await good.onSuccess(...given);
        },
      }),
    ],
    [
      'does not throw when it hears of a failure',
      (host) => ({ onFailure: async () => void (await host.fetch('https://audit.example/')) }),
    ],
    [
      'leaves the account as it is',
      () => ({
        ...good,
        onSuccess(account, ...more) {
          Object.assign(account, { roles: ['seen'] });
          return good.onSuccess(account, ...more);
        },
      }),
    ],
    [
      'tells no secret to logs, errors, users and the endpoint that it asks',
      (host) => ({
        async onFailure(credentials) {
          const body = credentials.kind === 'password' ? `${credentials.user}:${credentials.password.reveal()}` : '';
          await host.fetch('https://audit.example/', { method: 'POST', body }).catch(() => undefined);
        },
      }),
    ],
    [
      'leaves the prototypes of the language alone',
      () => ({ onFailure: () => void Object.assign(Array.prototype, { last: 1 }) }),
    ],
  ];
  it.each(bad.map(([promise, make], index) => [promise, index + 1, make] as const))(
    '%s (%i)',
    async (promise, _index, make) => {
      expect(broken(await tryListener(make))).toEqual([promise]);
    },
  );
});

describe('checkPlugin', () => {
  const realm = {
    says: 'Knows nobody.',
    create: () => ({ supports: () => false, authenticate: () => ({ answer: 'not-mine' }) }),
  };
  const good = { name: 'good', version: '1', contract: 1, realms: { 'good.Realm': realm } };
  const tryPlugin = (changes: object) => checkPlugin({ ...good, ...changes } as unknown as Plugin);
  const withProperty = (property: unknown) => ({
    realms: { 'good.Realm': { ...realm, properties: { size: property } } },
  });

  it('finds nothing wrong with a good one', async () => {
    expect(explained(await tryPlugin({}))).toEqual([]);
    const properties = [
      { type: 'duration', says: 'How long.', fallback: 5_000, check: () => undefined },
      { type: 'url', says: 'Where.', required: true },
      { type: 'map', says: 'Who.', fallback: {} },
      { type: { choice: ['a', 'b'] }, says: 'Which.', fallback: 'a' },
      { type: { nested: { inner: { type: 'list', says: 'All.', fallback: ['x'] } } }, says: 'More.' },
      { type: { reference: 'matchers' }, says: 'What compares.' },
    ];
    for (const property of properties) expect(explained(await tryPlugin(withProperty(property)))).toEqual([]);
  });

  it.each<[promise: string, explanation: string, changes: object]>([
    ['is one plain object with a name and a version', 'Expected a text as name: 7', { name: 7 }],
    ['is written against version 1 of the contract', 'Expected contract: 1: 2', { contract: 2 }],
    [
      'brings components of known kinds only',
      'Expected one of realms, filters, logins, listeners, userInfoProviders, matchers, actions, storages, searchEngines, probers, transcoders: "realm" (did you mean "realms"?)',
      { realm: {} },
    ],
    ['brings components of known kinds only', 'Expected at least one component: none', { realms: {} }],
    [
      'has class names that security.ini can write',
      'Expected a class name without blanks, quotes and dollar signs: "My Realm"',
      { realms: { 'My Realm': realm } },
    ],
    [
      'has components that say what they do and can be made',
      'Expected a function "create" of good.Realm: undefined',
      { realms: { 'good.Realm': { says: 'Nothing.' } } },
    ],
    [
      'has properties of known types, each with a sentence',
      'Expected good.Realm.size to be described by a sentence (says): undefined',
      withProperty({ type: 'integer' }),
    ],
    [
      'has properties of known types, each with a sentence',
      'Expected good.Realm.size to be of one of the types string, secret, boolean, integer, duration, url, list, map, { reference }, { references }, { choice }, { nested }: "number"',
      withProperty({ type: 'number', says: 'How many.' }),
    ],
    [
      'has defaults that fit their properties',
      'Expected good.Realm.size to be by default a whole number: "5"',
      withProperty({ type: 'integer', says: 'How many.', fallback: '5' }),
    ],
    [
      'has defaults that fit their properties',
      'Expected good.Realm.size to be by default nothing, because a secret that everybody knows is none: "x"',
      withProperty({ type: 'secret', says: 'Shared.', fallback: 'x' }),
    ],
    [
      'has defaults that fit their properties',
      'Expected good.Realm.size to be by default what its own check allows: "Expected more"',
      withProperty({ type: 'integer', says: 'How many.', fallback: 0, check: () => 'Expected more' }),
    ],
    [
      'has defaults that fit their properties',
      'Expected good.Realm.size to be either required or with a default: both',
      withProperty({ type: 'integer', says: 'How many.', fallback: 0, required: true }),
    ],
  ])('%s: %s', async (promise, explanation, changes) => {
    const results = await tryPlugin(changes);
    expect(explained(results)).toEqual([`${promise}. ${explanation}`]);
  });

  it('survives what is no plugin at all', async () => {
    for (const junk of [undefined, null, 7, 'x', [], () => 1]) {
      expect(broken(await checkPlugin(junk as never))).toContain('is one plain object with a name and a version');
    }
  });
});
