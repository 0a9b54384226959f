import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/lib/log.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { createAuthenticator } from '../../src/security/authenticator.ts';
import type { RealmStrategy } from '../../src/security/ini/security-parts.ts';
import type { RequestUsers } from '../../src/security/subject.ts';
import type { Account, AuthenticationListener, Credentials, Realm, RealmAnswer } from '../../src/spi/index.ts';
import { settle, testClock } from '../support/clock.ts';

const users = {
  find: () => undefined,
  writer: { createOrUpdate: async () => 'ready' },
  attempt: (_credentials: Credentials, _configuration: number, make: () => unknown) => make(),
} as unknown as RequestUsers;
const credentials: Credentials = { kind: 'password', user: 'ann', password: new Secret('a pass phrase') };

type Behaviour =
  | 'accepts'
  | 'refuses'
  | 'not-mine'
  | 'unsupported'
  | 'throws'
  | 'hangs'
  | 'busy'
  | 'nameless'
  | 'silent';

const answers: Readonly<Record<Behaviour, (account: Account) => RealmAnswer | Promise<RealmAnswer>>> = {
  accepts: (account) => ({ answer: 'account', account }),
  refuses: async () => ({ answer: 'refused', reason: 'wrong-password' }),
  'not-mine': () => ({ answer: 'not-mine' }),
  unsupported: () => ({ answer: 'not-mine' }),
  throws: () => Promise.reject(new Error('broken')),
  hangs: () => new Promise(() => undefined),
  nameless: () => ({ answer: 'account', account: { name: '' } }),
  silent: () => undefined as unknown as RealmAnswer,
  busy: () => Promise.reject(Object.assign(new Error('later'), { kind: 'busy' })),
};

function setUp(
  behaviours: readonly Behaviour[],
  strategy: RealmStrategy,
  listeners: readonly AuthenticationListener[] = [],
) {
  const clock = testClock();
  const asked: number[] = [];
  const lines: { event: string }[] = [];
  const realm = (behaviour: Behaviour, index: number): Realm => ({
    supports: () => behaviour !== 'unsupported',
    authenticate() {
      asked.push(index);
      return answers[behaviour]({ name: `ann${index}`, roles: [`r${index}`], attributes: { from: String(index) } });
    },
  });
  const login = createAuthenticator({
    realms: behaviours.map((behaviour, index) => ({ name: `realm${index}`, realm: realm(behaviour, index) })),
    strategy,
    listeners: listeners.map((listener, index) => ({ name: `listener${index}`, asks: ['people'], listener })),
    clock,
    log: createLog((line) => lines.push(JSON.parse(line)), clock, 'debug'),
    timeLimit: 1000,
    configuration: 1,
    rememberFor: 60_000,
    digest: (text) => text,
  });
  return { login: async () => login(credentials, users), clock, asked, lines };
}

const atLeastOne: RealmStrategy = { kind: 'at-least-one' };
const first: RealmStrategy = { kind: 'first', stop: false };
const all: RealmStrategy = { kind: 'all' };

const unavailable = 'provider-unavailable';

describe('strategies', () => {
  /** Realms, then who is let in (or the reason) by each strategy: at least one, first, all. */
  const cases: readonly (readonly [readonly Behaviour[], string, string, string])[] = [
    [['accepts'], 'ann0', 'ann0', 'ann0'],
    [[], 'no-realm', 'no-realm', 'no-realm'],
    [['unsupported'], 'no-realm', 'no-realm', 'no-realm'],
    [['refuses'], 'wrong-password', 'wrong-password', 'wrong-password'],
    [['throws'], unavailable, unavailable, unavailable],
    [['refuses', 'throws'], unavailable, unavailable, 'wrong-password'],
    [['throws', 'refuses'], unavailable, unavailable, unavailable],
    [['refuses', 'accepts'], 'ann1', 'ann1', 'wrong-password'],
    [['accepts', 'refuses'], 'ann0', 'ann0', 'wrong-password'],
    [['accepts', 'accepts'], 'ann0', 'ann0', 'ann0'],
    [['throws', 'accepts'], 'ann1', 'ann1', unavailable],
    [['accepts', 'throws'], 'ann0', 'ann0', unavailable],
    [['unsupported', 'accepts'], 'ann1', 'ann1', 'no-realm'],
    [['accepts', 'unsupported'], 'ann0', 'ann0', 'no-realm'],
    [['accepts', 'not-mine'], 'ann0', 'ann0', 'no-realm'],
  ];

  it.each(cases)('%j: at least one %s, first %s, all %s', async (behaviours, ...expected) => {
    const found = await Promise.all(
      [atLeastOne, first, all].map(async (strategy) => {
        const answer = await setUp(behaviours, strategy)
          .login()
          .catch(({ code }) => ({ accepted: false, reason: code }) as const);
        return answer.accepted ? answer.account.name : answer.reason;
      }),
    );
    expect(found).toEqual(expected);
  });

  it('at least one adds what the others grant; first takes the one account and asks no further', async () => {
    const both = setUp(['accepts', 'accepts'], atLeastOne);
    expect(await both.login()).toMatchObject({ account: { roles: ['r0', 'r1'], attributes: { from: '0' } } });
    const one = setUp(['accepts', 'accepts'], first);
    expect(await one.login()).toMatchObject({ account: { roles: ['r0'] } });
    expect([both.asked, one.asked]).toEqual([[0, 1], [0]]);
  });

  it('an error that says busy is told as 503, whichever realm throws it', async () => {
    const { login } = setUp(['busy', 'accepts'], atLeastOne);
    await expect(login()).rejects.toMatchObject({ status: 503, code: 'busy' });
  });

  it('the log says what a realm should have answered: another name, or anything at all', async () => {
    const { login, lines } = setUp(['nameless', 'silent', 'accepts'], atLeastOne);
    expect(await login()).toMatchObject({ accepted: true, account: { name: 'ann2' } });
    expect(lines).toMatchObject([
      {
        error:
          'Expected an account whose name is a text without control characters, and whose end is a number: the realm answered another',
      },
      { error: 'Expected an answer that is "account", "not-mine" or "refused": the realm gave another' },
    ]);
  });

  it('a realm that hangs past its time counts as failed, and the next one is asked', async () => {
    const { login, clock, lines } = setUp(['hangs', 'accepts'], atLeastOne);
    const answer = login();
    await settle();
    clock.advance(1000);
    expect(await answer).toMatchObject({ accepted: true, account: { name: 'ann1' } });
    expect(lines).toMatchObject([{ event: 'realm-failed', realm: 'realm0' }]);
  });
});

describe('listeners', () => {
  it('hear of a login once, with the realms that accepted', async () => {
    const heard: unknown[] = [];
    const listener: AuthenticationListener = {
      onSuccess: (account, { realms }) => void heard.push([account.name, realms]),
      onFailure: (_given, reason) => void heard.push(reason),
    };
    await setUp(['accepts', 'refuses', 'accepts'], atLeastOne, [listener]).login();
    await setUp(['refuses', 'refuses'], atLeastOne, [listener]).login();
    expect(heard).toEqual([['ann0', ['realm0', 'realm2']], 'wrong-password']);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    [
      'throws at once',
      () => {
        throw new Error('broken');
      },
    ],
  ])('one that %s on success undoes the login; on failure it changes nothing', async (_how, breaks) => {
    const broken: AuthenticationListener = { onSuccess: breaks, onFailure: breaks };
    const success = setUp(['accepts'], atLeastOne, [broken]);
    expect(await success.login()).toEqual({ accepted: false, reason: 'listener-failed' });
    expect(success.lines).toMatchObject([{ event: 'listener-failed' }]);
    expect(await setUp(['refuses'], atLeastOne, [broken]).login()).toEqual({
      accepted: false,
      reason: 'wrong-password',
    });
  });

  it('one that hangs on success undoes the login when its time is up', async () => {
    const { login, clock, lines } = setUp(['accepts'], atLeastOne, [{ onSuccess: () => new Promise(() => undefined) }]);
    const answer = login();
    await settle();
    clock.advance(1000);
    expect(await answer).toEqual({ accepted: false, reason: 'listener-failed' });
    expect(lines).toMatchObject([
      {
        event: 'listener-failed',
        listener: 'listener0',
        error:
          'Expected an answer of the listener listener0, or of people, which it asks, within 1000 ms (setting realmTimeout)',
      },
    ]);
  });

  it.each(['berit', '', 7, undefined])(
    'one that answers the user %j for another one lets nobody in',
    async (userName) => {
      const listener: AuthenticationListener = {
        onSuccess: async (_account, _login, host) => {
          await host.users.createOrUpdate({ userName: userName as string }, { enable: false });
        },
      };
      const { login, lines } = setUp(['accepts'], atLeastOne, [listener]);
      expect(await login()).toEqual({ accepted: false, reason: 'user-of-another' });
      expect(lines).toMatchObject([
        {
          event: 'listener-failed',
          error: `Expected the user "ann0", whose login it is, from the provider: "${userName}"`,
        },
      ]);
    },
  );
});

describe('a realm that may be remembered', () => {
  function remembering(answer: () => RealmAnswer, properties: Partial<Realm> = {}) {
    const clock = testClock();
    let asked = 0;
    const realm: Realm = {
      rememberFor: 60_000,
      supports: () => true,
      authenticate() {
        asked++;
        return answer();
      },
      ...properties,
    };
    const login = createAuthenticator({
      realms: [{ name: 'far', realm }],
      strategy: atLeastOne,
      listeners: [],
      clock,
      log: createLog(() => undefined, clock, 'error'),
      timeLimit: 1000,
      configuration: 1,
      rememberFor: 60_000,
      digest: (text) => text,
    });
    return { clock, asked: () => asked, login: (given: Credentials = credentials) => login(given, users) };
  }

  it('is asked once for the same credentials, until the time is up', async () => {
    const { login, clock, asked } = remembering(() => ({ answer: 'account', account: { name: 'ann' } }));
    for (let turn = 0; turn < 3; turn++) expect((await login()).accepted).toBe(true);
    expect(asked()).toBe(1);
    await login({ ...credentials, password: new Secret('q') } as Credentials);
    await login({ kind: 'bearer', token: new Secret('p') });
    expect(asked()).toBe(3);
    clock.advance(60_000);
    await login();
    expect(asked()).toBe(4);
  });

  it.each([{}, { loginFor: 7_200_000 }])(
    'is asked again after that time also if the login is used all the time: it may have removed the user %j',
    async (more) => {
      const { login, clock, asked } = remembering(() => ({ answer: 'account', account: { name: 'ann' } }), more);
      for (let turn = 0; turn < 4; turn++) {
        await login();
        clock.advance(20_000);
      }
      expect(asked()).toBe(2);
    },
  );

  it('is asked again when the login ends that it accepted, and one that has ended is refused', async () => {
    const ends = testClock().now() + 20_000;
    const { login, clock, asked } = remembering(() => ({ answer: 'account', account: { name: 'ann', ends } }));
    for (let turn = 0; turn < 2; turn++) expect(await login()).toMatchObject({ account: { ends } });
    clock.advance(20_000);
    expect([await login(), asked()]).toEqual([{ accepted: false, reason: 'login-ended' }, 2]);
  });

  it('is asked every time for credentials that it refuses', async () => {
    const { login, asked } = remembering(() => ({ answer: 'refused', reason: 'wrong-password' }));
    for (let turn = 0; turn < 3; turn++) expect((await login()).accepted).toBe(false);
    expect(asked()).toBe(3);
  });
});
