import { describe, expect, it } from 'vitest';
import { basicFilter } from '../../filters/basic.ts';
import { serviceRealm } from '../../realms/index.ts';
import { withOpenRoots } from '../../src/composition/security.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { createAuthenticator } from '../../src/security/authenticator.ts';
import type { ChainParts } from '../../src/security/ini/security-parts.ts';
import { createPipeline, type Decision } from '../../src/security/pipeline.ts';
import type { Directory } from '../../src/security/subject.ts';
import type { Filter, Realm, RealmAnswer, Verdict } from '../../src/spi/index.ts';
import { settle, testClock } from '../support/clock.ts';
import { basic } from '../support/matrix.ts';

/** Alice may come in, Bob is disabled; her password is `p`. */
const directory: Pick<Directory, 'open'> = {
  open: () => ({
    find: async (name) =>
      ['alice', 'bob'].includes(name)
        ? { id: name, name, enabled: name === 'alice', mayRunAs: false, passwordVersion: 1, revocations: 0, factors: 0 }
        : undefined,
    rolesOf: async () => new Set(['_import']),
    lackOf: () => undefined,
    resume: async () => ({ ended: 'Expected nobody' }),
    writer: { createOrUpdate: async () => 'ready' },
    proof: undefined,
    attempt: (_credentials, _configuration, make) => make(),
    verifyToken: () => ({ verified: false, reason: 'unknown-token' }),
    verifyPassword: async (name, password) =>
      password.reveal() === 'p' ? { verified: true, name } : { verified: false, reason: 'wrong-password' },
  }),
};

const noOAuth2 = () => ({ revision: 0, configuration: undefined });

const names = new Map<Realm, string>();
function realm(name: string, authenticate: Realm['authenticate']): Realm {
  const made = { supports: () => true, authenticate };
  names.set(made, name);
  return made;
}
const byBasic: readonly ChainParts[] = [
  { pattern: '/**', line: 1, steps: [{ name: 'authcBasic', filter: basicFilter('app'), options: undefined }] },
];
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

function pipelineOf(realms: readonly Realm[], chains: readonly ChainParts[] = withOpenRoots(byBasic)) {
  const lines: { event: string; realm?: string }[] = [];
  const clock = testClock();
  const log = createLog((line) => lines.push(JSON.parse(line)), clock, 'debug');
  const login = createAuthenticator({
    realms: realms.map((each) => ({ name: names.get(each) ?? 'realm', realm: each })),
    strategy: { kind: 'at-least-one' },
    listeners: [],
    clock,
    log,
    timeLimit: 1000,
    configuration: 1,
    rememberFor: 60_000,
    digest: (text) => text,
  });
  const { decide } = createPipeline({
    chains,
    caseInsensitive: false,
    allowConfigUpdate: true,
    directory,
    login,
    oauth2: noOAuth2,
    ...{ clock, log, timeLimit: 1000 },
  });
  const ask = async (
    path = '/x',
    authorization: string | undefined = basic(['alice', 'p']),
    more = {},
  ): Promise<Decision> =>
    decide({
      method: 'GET',
      path,
      rawPath: path,
      query: undefined,
      headers: new Headers({ ...(authorization && { authorization }), ...more }),
      authorization: authorization || null,
      arrival: {},
    });
  return { ask, lines, clock };
}

const reasonOf = (decision: Decision) => (decision.granted ? `granted to ${decision.subject?.name}` : decision.reason);

describe('realms', () => {
  const cases: readonly (readonly [string, readonly Realm[], string])[] = [
    ['one that accepts', [accepts], 'granted to alice'],
    ['one that refuses', [refuses], 'wrong-password'],
    ['none at all', [], 'no-realm'],
    ['one that is asked for another kind', [{ ...accepts, supports: () => false }], 'no-realm'],
    ['a refusal, then one that accepts', [refuses, accepts], 'granted to alice'],
    ['one that accepts, then a refusal', [accepts, refuses], 'granted to alice'],
    ['one that throws', [throws], 'provider-unavailable'],
    ['one that throws at once', [throwsAtOnce], 'provider-unavailable'],
    ['one that throws, then one that accepts', [throws, accepts], 'granted to alice'],
    ['one that throws, then one that refuses', [throws, refuses], 'provider-unavailable'],
    ['nothing', [saysJunk(undefined)], 'realm-failed'],
    ['null', [saysJunk(null)], 'realm-failed'],
    ['true', [saysJunk(true)], 'realm-failed'],
    ['an account that is missing', [saysJunk({ answer: 'account' })], 'realm-failed'],
    ['an account that is nobody', [saysJunk({ answer: 'account', account: {} })], 'realm-failed'],
    ['an account whose name is no text', [saysJunk({ answer: 'account', account: { name: 7 } })], 'realm-failed'],
    ['a word that is none of ours', [saysJunk({ answer: 'yes', account: { name: 'alice' } })], 'realm-failed'],
    ['an account without a user', [saysJunk({ answer: 'account', account: { name: 'ghost' } })], 'granted to ghost'],
    ['the account of a disabled user', [saysJunk({ answer: 'account', account: { name: 'bob' } })], 'user-disabled'],
    ['the shipped realm', [serviceRealm()], 'granted to alice'],
  ];

  it.each(cases)('%s', async (_what, realms, expected) => {
    const decided = pipelineOf(realms).ask();
    expect(await decided.then(reasonOf, ({ code }) => code)).toBe(expected);
  });

  it('that fail are named in the log', async () => {
    const { ask, lines } = pipelineOf([throws, accepts]);
    await ask();
    expect(lines).toMatchObject([{ level: 'error', event: 'realm-failed', realm: 'throws', error: 'broken' }]);
  });

  it('that hang let nobody in, and hold up nobody else', async () => {
    let decided: Decision | undefined;
    const { ask, clock } = pipelineOf([hangs]);
    const asked = ask().then(
      (decision) => {
        decided = decision;
      },
      ({ status, headers }) => [status, headers],
    );
    await settle();
    expect(decided).toBeUndefined();
    expect((await ask('/health/live')).granted).toBe(true);
    expect(reasonOf(await ask('/x', 'Bearer x'))).toBe('scheme-unknown');
    clock.advance(1000);
    expect(await asked).toEqual([503, { 'retry-after': '5' }]);
    expect(decided).toBeUndefined();
  });

  it('that are busy are no verdict on the credentials', async () => {
    const busy = realm('busy', async () => {
      throw new ServiceError('busy');
    });
    await expect(pipelineOf([busy, refuses]).ask()).rejects.toMatchObject({ code: 'busy' });
  });
});

const filter = (verdict: unknown): Filter => ({ authenticates: true, check: async () => verdict as Verdict });
const pass = filter({ verdict: 'pass' });
const accept = filter({ verdict: 'accept', account: { name: 'alice' } });
const refuse: Filter = {
  ...filter({ verdict: 'refuse', reason: 'denied', response: { status: 403, headers: { 'x-a': 'b' } } }),
  authenticates: false,
};
const parts = (pattern: string, ...filters: Filter[]): ChainParts => ({
  pattern,
  line: 1,
  steps: filters.map((each) => ({ name: 'test', filter: each, options: undefined })),
});
const chain = (...filters: Filter[]): ChainParts[] => [parts('/**', ...filters)];

describe('chains', () => {
  const cases: readonly (readonly [string, readonly ChainParts[], string])[] = [
    ['no chain at all', [], 'no-chain'],
    ['a chain for another path', [parts('/y/**')], 'no-chain'],
    ['a pattern that is a beginning only', [parts('/x/y')], 'no-chain'],
    ['a chain without filters', chain(), 'granted to undefined'],
    ['a filter that passes', chain(pass), 'nobody-authenticated'],
    ['filters that all pass', chain(pass, pass), 'nobody-authenticated'],
    ['a filter that passes, then one that accepts', chain(pass, accept), 'granted to alice'],
    ['a filter that accepts, then one that refuses', chain(accept, refuse), 'denied'],
    ['a filter that refuses, then one that accepts', chain(refuse, accept), 'denied'],
    ['an account without a user', chain(filter({ verdict: 'accept', account: { name: 'x' } })), 'granted to x'],
  ];

  it.each(cases)('%s', async (_what, chains, expected) => {
    expect(reasonOf(await pipelineOf([accepts], chains).ask())).toBe(expected);
  });

  it.each([
    undefined,
    null,
    {},
    { verdict: 'ok', account: { name: 'alice' } },
    { verdict: 'accept' },
    { verdict: 'accept', account: { name: '' } },
  ])('a filter that says %j lets nobody in', async (junk) => {
    await expect(pipelineOf([accepts], chain(filter(junk))).ask()).rejects.toThrow(TypeError);
  });

  it('a filter that throws lets nobody in', async () => {
    const broken: Filter = { check: () => Promise.reject(new Error('broken')) };
    await expect(pipelineOf([accepts], chain(broken, accept)).ask()).rejects.toThrow('broken');
  });

  it('a filter that hangs is cut off after the time limit of realms, and the log names it', async () => {
    const hangs: Filter = { check: () => new Promise<never>(() => undefined) };
    const { ask, clock, lines } = pipelineOf([accepts], chain(hangs, accept));
    const asked = ask();
    await settle();
    clock.advance(1000);
    expect(await asked).toMatchObject({ granted: false, reason: 'filter-late', response: { status: 503 } });
    expect(lines).toMatchObject([
      {
        level: 'error',
        event: 'filter-late',
        filter: 'test',
        error: 'Expected an answer of the filter test within 1000 ms (setting realmTimeout)',
      },
    ]);
    expect(clock.sleepers).toBe(0);
  });

  it('time in which a filter waits for the realms is no time of the filter', async () => {
    const slow = realm('slow', async () => {
      await clock.sleep(900);
      return { answer: 'account', account: { name: 'alice' } };
    });
    const asks: Filter = {
      authenticates: true,
      async check(request) {
        await clock.sleep(900);
        const answer = await request.login({ kind: 'password', user: 'alice', password: request.secret('p') });
        return answer.accepted ? { verdict: 'accept', account: answer.account } : { verdict: 'pass' };
      },
    };
    const { ask, clock } = pipelineOf([slow], chain(asks));
    const asked = ask();
    for (const _turn of [1, 2]) {
      await settle();
      await clock.advance(900);
    }
    expect(reasonOf(await asked)).toBe('granted to alice');
  });

  it('the end of an authenticating chain without a decision is a 401', async () => {
    const decision = await pipelineOf([accepts], chain(pass)).ask();
    expect(decision).toMatchObject({ granted: false, response: { status: 401 } });
  });

  it('a path that no chain matches is refused', async () => {
    expect(await pipelineOf([accepts], []).ask()).toMatchObject({ granted: false, response: { status: 403 } });
  });

  it('the first that matches is the only one', async () => {
    const chains = [parts('/x'), ...chain(refuse)];
    expect(reasonOf(await pipelineOf([accepts], chains).ask('/x'))).toBe('granted to undefined');
    expect(reasonOf(await pipelineOf([accepts], chains).ask('/x/y'))).toBe('denied');
    expect(reasonOf(await pipelineOf([accepts], [...chain(refuse), parts('/x')]).ask('/x'))).toBe('denied');
  });

  it('a filter that authenticates is not asked once somebody is known', async () => {
    let asked = 0;
    const counts: Filter = {
      authenticates: true,
      check: () => {
        asked++;
        return { verdict: 'pass' };
      },
    };
    expect(reasonOf(await pipelineOf([accepts], chain(accept, counts)).ask())).toBe('granted to alice');
    expect(asked).toBe(0);
  });

  it('a filter of a plugin that reads basic credentials itself lets no page of another site in', async () => {
    const { ask } = pipelineOf([], chain(accept));
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    expect(reasonOf(await ask('/x', 'basic x', elsewhere))).toBe('credentials-elsewhere');
    expect(reasonOf(await ask('/x', 'Key x', elsewhere))).toBe('granted to alice');
    expect(reasonOf(await ask('/x', 'basic x', { 'sec-fetch-site': 'same-origin' }))).toBe('granted to alice');
  });

  it.each([
    ['/health/**', '/health', true],
    ['/health/**', '/health/live', true],
    ['/health/**', '/healthy', false],
    ['/health/**', '/Health', false],
    ['/health', '/health/live', false],
    ['/**', '/', true],
  ])('%s and %s: %s', async (pattern, path, covered) => {
    expect((await pipelineOf([], [parts(pattern)]).ask(path)).granted).toBe(covered);
  });
});

it('a challenge of an earlier filter stays where a later one has none for the request', async () => {
  const passing = (challenge: string | (() => string | undefined)): Filter => ({
    check: () => ({ verdict: 'pass', challenge }),
  });
  const challengeOf = async (...filters: readonly Filter[]) => {
    const last: Filter = { authenticates: true, check: () => ({ verdict: 'pass' }) };
    const steps = [...filters, last].map((filter) => ({ name: 'f', filter, options: undefined }));
    const decision = await pipelineOf([accepts], [{ pattern: '/**', line: 1, steps }]).ask();
    return decision.granted ? 'granted' : decision.response.headers['www-authenticate'];
  };
  expect(
    await challengeOf(
      passing('First'),
      passing(() => undefined),
    ),
  ).toBe('First');
  expect(
    await challengeOf(
      passing('First'),
      passing(() => 'Second'),
    ),
  ).toBe('Second');
  expect(
    await challengeOf(
      passing(() => 'First'),
      passing('Second'),
    ),
  ).toBe('Second');
});
