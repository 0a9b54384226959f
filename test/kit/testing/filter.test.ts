import { describe, expect, it } from 'vitest';
import { checkFilter, type FilterCase, filterRequest } from '../../../src/kit/testing/index.ts';
import type { Filter, FilterRequest, Host, Verdict } from '../../../src/spi/index.ts';
import { broken, explained } from './failing.ts';

const pass: Verdict = { verdict: 'pass' };
const refuse = (reason: string, status = 403, headers = {}): Verdict => ({
  verdict: 'refuse',
  reason,
  response: { status, headers },
});

/** Asks the realms about a bearer token, or for a key in a header of its own. */
async function good(request: FilterRequest): Promise<Verdict> {
  if (request.headers.get('x-key') === 'Key-of-robots') return { verdict: 'accept', account: { name: 'robot' } };
  const token = /^Bearer (\S+)$/.exec(request.authorization ?? '')?.[1];
  if (token === undefined) return refuse('credentials-missing', 401, { 'www-authenticate': 'Bearer' });
  const answer = await request.login({ kind: 'bearer', token: request.secret(token) });
  return answer.accepted ? { verdict: 'accept', account: answer.account } : refuse(answer.reason, 401);
}

const options: Filter['options'] = (words) => {
  for (const word of words)
    if (word !== 'strict') throw new Error(`Expected "strict" in the brackets: ${word.slice(0, 20)}`);
  return words;
};

const cases: readonly FilterCase[] = [
  { request: { headers: { 'x-key': 'Key-of-robots' } }, verdict: 'accept', words: ['strict'] },
  { request: {}, verdict: 'refuse' },
];

type Check = (request: FilterRequest, host: Host) => Promise<Verdict> | Verdict;
const tryFilter = (check: Check, more: Partial<Filter> = {}) =>
  checkFilter({
    make: (host) => ({ authenticates: true, options, check: (request) => check(request, host), ...more }),
    cases,
  });

it('a good filter keeps every promise', async () => {
  expect(explained(await tryFilter(good))).toEqual([]);
  expect(explained(await checkFilter({ make: () => ({ check: () => pass }) }))).toEqual([]);
});

it('words may be free', async () => {
  const make = (): Filter => ({ options: (words) => words, check: () => pass });
  expect(explained(await checkFilter({ make, freeWords: true }))).toEqual([]);
  expect(broken(await checkFilter({ make }))).toEqual(['refuses junk in its brackets with a sentence']);
});

let chance = 0;
const bad: readonly (readonly [promise: string, check: Check, more?: Partial<Filter>])[] = [
  [
    'answers its own cases as they say',
    (request) => (request.headers.has('x-key') ? refuse('no-robots') : good(request)),
  ],
  [
    'accepts nobody without credentials',
    (request) =>
      request.headers.get('x-forwarded-user') ? { verdict: 'accept', account: { name: 'admin' } } : good(request),
  ],
  [
    'accepts nobody whom the realms refuse',
    async (request) => {
      const verdict = await good(request);
      const refused = verdict.verdict === 'refuse' && verdict.reason === 'unknown-user';
      return refused ? { verdict: 'accept', account: { name: 'guest' } } : verdict;
    },
  ],
  [
    'accepts nobody whom the realms refuse',
    (request) => good(request).catch((): Verdict => ({ verdict: 'accept', account: { name: 'guest' } })),
  ],
  [
    'survives odd requests',
    (request) => {
      if (request.authorization?.startsWith('Basic !')) atob('!');
      return good(request);
    },
  ],
  [
    'says the same to the same request',
    (request) => (request.authorization?.startsWith('token') ? refuse(`turn-${chance++}`) : good(request)),
  ],
  [
    'leaves the request as it is',
    (request) => {
      if (request.method === 'POST') request.headers.set('x-seen', 'yes');
      return good(request);
    },
  ],
  [
    'tells no secret to logs, errors, reasons, accounts and headers',
    (request, host) => {
      host.log('info', 'asked', { header: request.authorization });
      return good(request);
    },
  ],
  [
    'tells no secret to logs, errors, reasons, accounts and headers',
    (request) =>
      request.authorization?.startsWith('Odd ')
        ? refuse('odd', 401, { 'x-was': request.authorization })
        : good(request),
  ],
  [
    'answers pass, accept with an account, or refuse with a response',
    (request) => (request.method === 'DELETE' ? (true as never) : good(request)),
  ],
  [
    'refuses with a status of 300 to 499, headers that can be sent, and no body',
    (request) => (request.method === 'DELETE' ? refuse('method', 500) : good(request)),
  ],
  [
    'refuses with a status of 300 to 499, headers that can be sent, and no body',
    (request) => (request.method === 'DELETE' ? refuse('method', 403, { 'not a header': 'x' }) : good(request)),
  ],
  [
    'refuses with a status of 300 to 499, headers that can be sent, and no body',
    (request) =>
      request.method === 'DELETE'
        ? ({ verdict: 'refuse', reason: 'method', response: { status: 403, headers: {}, body: 'no' } } as never)
        : good(request),
  ],
  [
    'gives each refusal a reason of lower-case letters, digits and hyphens',
    (request) => (request.method === 'DELETE' ? refuse('Not allowed') : good(request)),
  ],
  [
    'refuses junk in its brackets with a sentence',
    good,
    {
      options: (words) => {
        if (words.some((word) => word !== 'strict')) throw new Error('bad');
        return words;
      },
    },
  ],
  [
    'refuses junk in its brackets with a sentence',
    good,
    { options: (words) => (words[0] === '__proto__' ? words : options(words)) },
  ],
  [
    'leaves the prototypes of the language alone',
    (request) => {
      if (request.method === 'DELETE') Object.assign(Object.prototype, { isAdmin: false });
      return good(request);
    },
  ],
];

describe('a bad filter is caught by the promise that it breaks, and by no other', () => {
  it.each(bad.map(([promise, ...more], index) => [promise, index + 1, more] as const))(
    '%s (%i)',
    async (promise, _index, [check, more]) => {
      expect(broken(await tryFilter(check, more))).toEqual([promise]);
    },
  );
});

describe('filterRequest', () => {
  it('is a plain request unless told otherwise', async () => {
    const request = filterRequest();
    expect(request).toMatchObject({ method: 'GET', path: '/item', rawPath: '/API/item', port: 80, caller: undefined });
    expect(await request.login({ kind: 'token', token: request.secret('x') })).toMatchObject({ accepted: false });
  });

  it('has what it is told', async () => {
    const { caller, port, authorization } = filterRequest({
      secure: true,
      headers: { Authorization: 'token x' },
      caller: { roles: ['editor'], permissions: ['item:*'] },
    });
    expect([port, authorization, caller?.name, caller?.permissions]).toEqual([443, 'token x', 'alice', ['item:*']]);
    expect([await caller?.hasRole('editor'), await caller?.hasRole('admin')]).toEqual([true, false]);
  });
});
