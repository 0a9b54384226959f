import { describe, expect, it } from 'vitest';
import { basicFilter } from '../../filters/basic.ts';
import { serviceRealm } from '../../realms/service.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { createLog } from '../../src/lib/log.ts';
import { createAuthenticator } from '../../src/security/authenticator.ts';
import { defaultChains } from '../../src/security/default-chains.ts';
import { type Chain, createPipeline, type Decision } from '../../src/security/pipeline.ts';
import type { Directory } from '../../src/security/subject.ts';
import type { Filter, Realm, RealmAnswer, Verdict } from '../../src/spi/index.ts';
import { settle, testClock } from '../support/clock.ts';
import { basic } from '../support/matrix.ts';

/** Alice may come in, Bob is disabled; her password is `p`. */
const directory: Directory = {
  open: () => ({
    find: async (name) => (['alice', 'bob'].includes(name) ? { id: name, name, enabled: name === 'alice' } : undefined),
    rolesOf: async () => new Set(['_import']),
    verifyPassword: async (name, password) =>
      password.reveal() === 'p' ? { verified: true, name } : { verified: false, reason: 'wrong-password' },
  }),
};

const realm = (name: string, authenticate: Realm['authenticate']): Realm => ({
  name,
  supports: () => true,
  authenticate,
});
const accepts = realm('accepts', async () => ({ answer: 'account', account: { name: 'alice' } }));
const refuses = realm('refuses', async () => ({ answer: 'refused', reason: 'wrong-password' }));
const throws = realm('throws', async () => {
  throw new Error('broken');
});
const throwsAtOnce = realm('throws at once', () => {
  throw new TypeError('broken');
});
const hangs = realm('hangs', () => new Promise(() => {}));
const saysJunk = (junk: unknown) => realm('junk', async () => junk as RealmAnswer);

function pipelineOf(realms: readonly Realm[], chains: readonly Chain[] = defaultChains(basicFilter('app'))) {
  const lines: { event: string; realm?: string }[] = [];
  const log = createLog((line) => lines.push(JSON.parse(line)), testClock(), 'debug');
  const decide = createPipeline({ chains, directory, login: createAuthenticator(realms, log) });
  const ask = (path = '/x', authorization: string | undefined = basic(['alice', 'p'])): Promise<Decision> =>
    decide({ method: 'GET', path, headers: new Headers(authorization ? { authorization } : {}) });
  return { ask, lines };
}

const reasonOf = (decision: Decision) => (decision.granted ? `granted to ${decision.subject?.name}` : decision.reason);

describe('realms', () => {
  const cases: readonly (readonly [string, readonly Realm[], string])[] = [
    ['one that accepts', [accepts], 'granted to alice'],
    ['one that refuses', [refuses], 'wrong-password'],
    ['none at all', [], 'no-realm'],
    ['one that is asked for another kind', [{ ...accepts, supports: () => false }], 'no-realm'],
    ['S7 a refusal, then one that accepts', [refuses, accepts], 'granted to alice'],
    ['S7 one that accepts, then a refusal', [accepts, refuses], 'granted to alice'],
    ['one that throws', [throws], 'realm-failed'],
    ['one that throws at once', [throwsAtOnce], 'realm-failed'],
    ['one that throws, then one that accepts', [throws, accepts], 'granted to alice'],
    ['one that throws, then one that refuses', [throws, refuses], 'wrong-password'],
    ['nothing', [saysJunk(undefined)], 'realm-failed'],
    ['null', [saysJunk(null)], 'realm-failed'],
    ['true', [saysJunk(true)], 'no-realm'],
    ['an account that is missing', [saysJunk({ answer: 'account' })], 'nobody-authenticated'],
    ['an account that is nobody', [saysJunk({ answer: 'account', account: {} })], 'account-without-user'],
    ['a word that is none of ours', [saysJunk({ answer: 'yes', account: { name: 'alice' } })], 'no-realm'],
    [
      'an account without a user',
      [saysJunk({ answer: 'account', account: { name: 'ghost' } })],
      'account-without-user',
    ],
    [
      'the account of a disabled user',
      [saysJunk({ answer: 'account', account: { name: 'bob' } })],
      'account-without-user',
    ],
    ['the shipped realm', [serviceRealm()], 'granted to alice'],
  ];

  it.each(cases)('%s', async (_what, realms, expected) => {
    expect(reasonOf(await pipelineOf(realms).ask())).toBe(expected);
  });

  it('that fail are named in the log', async () => {
    const { ask, lines } = pipelineOf([throws, accepts]);
    await ask();
    expect(lines).toMatchObject([{ level: 'error', event: 'realm-failed', realm: 'throws', error: 'broken' }]);
  });

  it('that hang let nobody in, and hold up nobody else', async () => {
    let decided: Decision | undefined;
    const { ask } = pipelineOf([hangs]);
    void ask().then((decision) => {
      decided = decision;
    });
    await settle();
    expect(decided).toBeUndefined();
    expect((await ask('/health/live')).granted).toBe(true);
    expect(reasonOf(await ask('/x', 'Bearer x'))).toBe('scheme-unknown');
  });

  it('that are busy are no verdict on the credentials', async () => {
    const busy = realm('busy', async () => {
      throw new ServiceError('busy');
    });
    await expect(pipelineOf([busy, refuses]).ask()).rejects.toMatchObject({ code: 'busy' });
  });
});

const filter = (verdict: unknown): Filter => ({ name: 'test', check: async () => verdict as Verdict });
const pass = filter({ verdict: 'pass' });
const accept = filter({ verdict: 'accept', account: { name: 'alice' } });
const refuse = filter({ verdict: 'refuse', reason: 'denied', response: { status: 403, headers: { 'x-a': 'b' } } });
const chain = (...filters: Filter[]): Chain[] => [
  { pattern: '/**', steps: filters.map((each) => ({ filter: each, authenticates: each !== refuse })) },
];

describe('chains', () => {
  const cases: readonly (readonly [string, readonly Chain[], string])[] = [
    ['no chain at all', [], 'no-chain'],
    ['a chain for another path', [{ pattern: '/y/**', steps: [] }], 'no-chain'],
    ['a pattern that is a beginning only', [{ pattern: '/x/y', steps: [] }], 'no-chain'],
    ['a chain without filters', chain(), 'granted to undefined'],
    ['a filter that passes', chain(pass), 'nobody-authenticated'],
    ['filters that all pass', chain(pass, pass), 'nobody-authenticated'],
    ['a filter that passes, then one that accepts', chain(pass, accept), 'granted to alice'],
    ['a filter that accepts, then one that refuses', chain(accept, refuse), 'denied'],
    ['a filter that refuses, then one that accepts', chain(refuse, accept), 'denied'],
    ['nothing', chain(filter({})), 'nobody-authenticated'],
    [
      'a word that is none of ours',
      chain(filter({ verdict: 'ok', account: { name: 'alice' } })),
      'nobody-authenticated',
    ],
    ['an account that is missing', chain(filter({ verdict: 'accept' })), 'nobody-authenticated'],
    ['an account without a user', chain(filter({ verdict: 'accept', account: { name: 'x' } })), 'account-without-user'],
  ];

  it.each(cases)('%s', async (_what, chains, expected) => {
    expect(reasonOf(await pipelineOf([accepts], chains).ask())).toBe(expected);
  });

  it.each([undefined, null])('a filter that says %s lets nobody in', async (junk) => {
    await expect(pipelineOf([accepts], chain(filter(junk))).ask()).rejects.toThrow(TypeError);
  });

  it('a filter that throws lets nobody in', async () => {
    const broken: Filter = { name: 'broken', check: () => Promise.reject(new Error('broken')) };
    await expect(pipelineOf([accepts], chain(broken, accept)).ask()).rejects.toThrow('broken');
  });

  it('the end of an authenticating chain without a decision is a 401', async () => {
    const decision = await pipelineOf([accepts], chain(pass)).ask();
    expect(decision).toMatchObject({ granted: false, response: { status: 401 } });
  });

  it('a path that no chain matches is refused', async () => {
    expect(await pipelineOf([accepts], []).ask()).toMatchObject({ granted: false, response: { status: 403 } });
  });

  it('S4 the first that matches is the only one', async () => {
    const chains = [{ pattern: '/x', steps: [] }, ...chain(refuse)];
    expect(reasonOf(await pipelineOf([accepts], chains).ask('/x'))).toBe('granted to undefined');
    expect(reasonOf(await pipelineOf([accepts], chains).ask('/x/y'))).toBe('denied');
    expect(reasonOf(await pipelineOf([accepts], [...chain(refuse), { pattern: '/x', steps: [] }]).ask('/x'))).toBe(
      'denied',
    );
  });

  it('a filter that authenticates is not asked once somebody is known', async () => {
    let asked = 0;
    const counts: Filter = {
      name: 'counts',
      check: () => {
        asked++;
        return { verdict: 'pass' };
      },
    };
    expect(reasonOf(await pipelineOf([accepts], chain(accept, counts)).ask())).toBe('granted to alice');
    expect(asked).toBe(0);
  });

  it.each([
    ['/health/**', '/health', true],
    ['/health/**', '/health/live', true],
    ['/health/**', '/healthy', false],
    ['/health/**', '/Health', false],
    ['/health', '/health/live', false],
    ['/**', '/', true],
  ])('%s and %s: %s', async (pattern, path, covered) => {
    expect((await pipelineOf([], [{ pattern, steps: [] }]).ask(path)).granted).toBe(covered);
  });
});

describe('a permissive filter', () => {
  const permissive: Chain[] = [
    { pattern: '/**', steps: [{ filter: basicFilter('app'), permissive: true, authenticates: true }] },
  ];

  it.each([
    ['without credentials', undefined, 'nobody-authenticated'],
    ['with those of another scheme', 'Bearer x', 'nobody-authenticated'],
    ['with good ones of its own', basic(['alice', 'p']), 'granted to alice'],
    ['with bad ones of its own', basic(['alice', 'x']), 'wrong-password'],
    ['with malformed ones of its own', 'Basic !', 'credentials-malformed'],
  ])('S5 %s', async (_what, authorization, expected) => {
    const { ask } = pipelineOf([serviceRealm()], permissive);
    expect(reasonOf(await ask('/x', authorization ?? ''))).toBe(expected);
  });
});
