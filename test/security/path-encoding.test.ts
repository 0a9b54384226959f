import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalTarget } from '../../src/security/path.ts';
import { shareOfTries } from '../support/long.ts';
import { basic, openWorld } from '../support/matrix.ts';
import { filterPath, modelPath, opaqueRoutes, pathWatcher, targetPieces } from '../support/paths.ts';
import { seedOfRun } from '../support/random.ts';
import { sendRaw } from '../support/raw.ts';
import { admin } from '../support/service.ts';
import { describeStarted } from '../support/started.ts';

/** Meaning of a form of a path, as the statuses that an anonymous caller and an administrator get. */
const outcomes = {
  /** A protected resource, behind its chain. */
  protected: [401, 200],
  /** Could mean two things, or nothing: refused before anything else is looked at. */
  refused: [400, 400],
  /** Another path, protected, that nothing is at. */
  elsewhere: [401, 404],
  /** A resource that is open to everybody. */
  open: [200, 200],
  /** Below an open root, where nothing is. */
  openNowhere: [404, 404],
} as const;

type Outcome = keyof typeof outcomes;

/** The same for both entries, or: what the raw target is, and what is left of it once a URL parser had it. */
type Row = readonly [outcome: Outcome | readonly [socket: Outcome, fetch: Outcome | 'not sent'], ...targets: string[]];

const groups: Readonly<Record<string, readonly Row[]>> = {
  'spellings of one resource': [
    ['protected', '/whoami', '/API/whoami', '/API/whoami/', '/whoami/', '//API/whoami', '/API//whoami', '///whoami'],
    [
      'protected',
      '/API/./whoami',
      '/API/whoami/.',
      '/./API/whoami',
      '/API/x/../whoami',
      '/API/whoami/x/..',
      '/API/../whoami',
    ],
    ['protected', '/API/%77hoami', '/API/%77%68%6f%61%6d%69', '/%41PI/whoami', '/API/whoam%69/'],
    ['protected', '/API/whoami?', '/API/whoami??', '/API/whoami?x=/../y', '/API/whoami?x=%2e%2e%2f', '/API/whoami?;'],
    [
      ['protected', 'not sent'],
      'http://portico.test/API/whoami',
      'http://elsewhere/API/whoami',
      'https://elsewhere:1/whoami',
      'HTTP://PORTICO.test/whoami',
    ],
    [
      ['refused', 'not sent'],
      'http://a@portico.test/whoami',
      'http://elsewhere:/whoami',
      'http://elsewhere:1:1/whoami',
    ],
    [['elsewhere', 'not sent'], 'http://portico.test', 'http://portico.test?/API/whoami'],
    [['refused', 'not sent'], 'ftp://elsewhere/API/whoami', 'http://', 'API/whoami'],
  ],
  'matrix parameters are never path (CVE-2020-11989, CVE-2020-13933)': [
    [
      'protected',
      '/API/whoami;a=b',
      '/API;a=b/whoami',
      '/;a=b/API/whoami',
      '/;/API/whoami',
      '/API/;/whoami',
      '/API/whoami;',
    ],
    ['protected', '/API/whoami;a=b;c=d/', '/API/x;a=b/../whoami', '/API/whoami;/', '/API/whoami;a=%3b'],
    ['refused', '/API/whoami%3b', '/API/whoami%3ba=b', '/API/%3bx/whoami', '/API/whoami;a=%ff'],
  ],
  'dot segments with parameters (CVE-2020-1957, CVE-2023-46749)': [
    ['refused', '/API/x/..;/whoami', '/API/x/..;a=b/whoami', '/API/.;/whoami', '/APInoauth/..;/user', '/;/..;/whoami'],
    ['refused', '/APInoauth/..%3b/user', '/API/%2e%2e;/whoami', '/API/%2e%2e%3b/whoami'],
  ],
  'encoded dot segments (CVE-2020-17510, CVE-2023-22602)': [
    [['refused', 'protected'], '/API/%2e/whoami', '/API/%2e%2e/whoami', '/API/x/%2E%2e/whoami', '/API/x/.%2e/whoami'],
    [['refused', 'protected'], '/health/%2e%2e/whoami', '/API/whoami/%2e'],
  ],
  'above the root': [
    [['refused', 'protected'], '/../API/whoami', '/API/../../whoami', '/API/x/../../../whoami'],
    [['refused', 'elsewhere'], '/..', '/API/../..'],
    [['refused', 'elsewhere'], '/x//../API/whoami', '/API//../x'],
  ],
  'encoded and reversed slashes (CVE-2023-34478)': [
    [
      'refused',
      '/API%2fwhoami',
      '/API%2Fwhoami',
      '/API/whoami%2f',
      '/%2fAPI/whoami',
      '/API/x%2f..%2fwhoami',
      '/%2f%2fwhoami',
    ],
    ['refused', '/API%5cwhoami', '/API/whoami%5c', '/API/x/..%5cwhoami', '/APInoauth/..%2fuser'],
    [['refused', 'protected'], '/API\\whoami', '/API/x\\..\\whoami'],
  ],
  'what is encoded twice (CVE-2020-11989)': [
    ['refused', '/API/%2577hoami', '/API/x/%252e%252e/whoami', '/API%252fwhoami', '/API/whoami%253b', '/API/100%25'],
  ],
  'control characters': [
    ['refused', '/API/whoami%00', '/API/whoami%0a', '/API/whoami%0d%0aX:1', '/API/%09whoami', '/API/whoami%7f', '/%1f'],
  ],
  'what is no UTF-8, or no escape at all': [
    [
      'refused',
      '/API/whoami%',
      '/API/whoami%4',
      '/API/whoami%zz',
      '/API/%u0077hoami',
      '/API/whoami?x=%',
      '/API/whoami?%ff',
    ],
    [
      'refused',
      '/API/%c0%afwhoami',
      '/API/%c0%ae%c0%ae/whoami',
      '/API/whoami%ff',
      '/API/%ed%a0%80',
      '/API/%f4%90%80%80',
    ],
    ['refused', '/API/whoami#', '/API/whoami#x'],
    [['refused', 'elsewhere'], '/API/whoam\xed', '/API/whoam\xc3\xad'],
  ],
  'other paths that look alike: harmless, because a chain of their own protects them': [
    ['elsewhere', '/', '/API', '/API/', '/API/API/whoami', '/APIx/whoami', '/APInoauthx/is-online', '/healthx'],
    ['elsewhere', '/api/whoami', '/API/WHOAMI', '/API/Whoami', '/apinoauth/is-online', '/Health/live', '/API/%57hoami'],
    [
      'elsewhere',
      '/API/whoami%20',
      '/API/%20whoami',
      '/API%20/whoami',
      '/API/whoami.',
      '/API/.../whoami',
      '/API/whoami...',
    ],
    ['elsewhere', '/API/whoami%ef%bc%8f', '/API%ef%bc%8fwhoami', '/API/w%e2%80%8bhoami', '/API/whoami%e2%80%ae'],
    [
      'elsewhere',
      '/API/whoami.json',
      '/API/whoami/x',
      '/API/whoami&a=b',
      '/API/whoami,',
      '/API/whoami+',
      '/API/whoami%3fx',
    ],
  ],
  'ways out of an open root': [
    ['protected', '/APInoauth/../user', '/health/../user', '/APIinit/../whoami', '/health/live/../../whoami'],
    ['protected', '/APInoauth/is-online/../../API/user', '/health;/../user'],
    [
      'open',
      '/APInoauth/is-online',
      '/APInoauth/is-online/',
      '/APInoauth;x=1/is-online',
      '/API/APInoauth/is-online',
      '/health/live',
    ],
    ['openNowhere', '/APInoauth', '/APInoauth/user', '/health/user', '/APInoauth/API/user'],
    ['elsewhere', '/APIinit/x'],
  ],
};

const rows = Object.values(groups).flat();

function statusesFor(outcome: Row[0], entry: 'socket' | 'fetch'): readonly [number, number] | undefined {
  const chosen = typeof outcome === 'string' ? outcome : outcome[entry === 'socket' ? 0 : 1];
  return chosen === 'not sent' ? undefined : outcomes[chosen as Outcome];
}

describe('path encoding bypass', () => {
  it('is tried in more than sixty forms', () => {
    expect(rows.flatMap(([, ...targets]) => targets).length).toBeGreaterThan(60);
  });

  for (const [title, table] of Object.entries(groups)) {
    it(`${title} (fetch)`, async () => {
      const world = await openWorld('fetch');
      for (const [outcome, ...targets] of table) {
        const expected = statusesFor(outcome, 'fetch');
        for (const target of expected ? targets : []) {
          const nobody = await world.send({ request: `GET ${target}` });
          const administrator = await world.send({ request: `GET ${target}`, as: admin });
          expect([target, nobody.status, administrator.status]).toEqual([target, ...expected!]);
        }
      }
    });
  }
});

describeStarted('path encoding bypass, as raw bytes', (server) => {
  it.each(Object.entries(groups))('%s', async (_title, table) => {
    const port = await server.open();
    for (const [outcome, ...targets] of table) {
      for (const target of targets) {
        const nobody = await sendRaw(port, { target });
        const administrator = await sendRaw(port, { target, headers: [`Authorization: ${basic(admin)}`] });
        expect([target, nobody.status, administrator.status]).toEqual([target, ...statusesFor(outcome, 'socket')!]);
      }
    }
  });
});

describe('any target', () => {
  const target = fc.array(fc.oneof(fc.constantFrom(...targetPieces), fc.string({ maxLength: 3 })), { maxLength: 9 });
  const latin1 = target.map((pieces) => `/${pieces.join('')}`.replace(/[^\0-\xff]/g, 'x'));

  it('is one path to filters and routes, and the one that the model says', async () => {
    const watch = pathWatcher();
    await fc.assert(
      fc.asyncProperty(latin1, async (raw) => {
        const { filtered, route, status, refusal } = await watch(raw);
        const model = modelPath(raw, opaqueRoutes);
        if (model === 'refused') {
          expect({ filtered, route, status, refusal }).toEqual({
            filtered: undefined,
            route: undefined,
            status: 400,
            refusal: 'bad-target',
          });
        } else {
          expect(filtered).toBe(filterPath(model));
          if (status === 200) expect(route).toEqual(model);
          else expect([status, model.length > 12]).toEqual([404, true]);
        }
      }),
      { numRuns: shareOfTries(15, 30_000), seed: seedOfRun },
    );
  });

  it('that is a path already stays the path that it is', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_~@+=,:$!*'()&-][A-Za-z0-9._~@+=,:$!*'()&-]{0,8}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).filter(([first]) => first !== 'API');
    fc.assert(
      fc.property(path, (names) => {
        const plain = `/${names.join('/')}`;
        // The slow way, by an empty parameter, and the quick one.
        expect([canonicalTarget(plain).path, canonicalTarget(`${plain};`).path]).toEqual([plain, plain]);
      }),
      { seed: seedOfRun },
    );
  });
});
