import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { canonicalPattern, canonicalTarget } from '../../src/security/path.ts';
import { compilePatterns } from '../../src/security/patterns.ts';
import { newNotification, onCreate } from '../administration/notifications/support.ts';
import { shareOfTries } from '../support/long.ts';
import { basic, describeMatrix, openWorld } from '../support/matrix.ts';
import { filterPath, modelPath, opaqueRoutes, pathWatcher, targetPieces } from '../support/paths.ts';
import { seedOfRun } from '../support/random.ts';
import { sendRaw } from '../support/raw.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { describeStarted } from '../support/started.ts';

const base = '/API/group/notification/VX-1/external-id';

/** Status and code, for nobody and for an administrator who asks with PUT. */
const outcomes = {
  /** The route is there: what it misses is the notification. */
  routed: ['401 -', '404 no-such-entity'],
  refused: ['400 bad-target', '400 bad-target'],
  elsewhere: ['401 -', '404 no-such-path'],
} as const;

type Outcome = keyof typeof outcomes;

/** Below `base`, unless a target says otherwise. The same for both entries, or what it is once a URL parser had it. */
type Row = readonly [outcome: Outcome | readonly [socket: Outcome, fetch: Outcome | 'not sent'], ...targets: string[]];

const groups: Readonly<Record<string, readonly Row[]>> = {
  'separators are data in the segment that the route declares': [
    ['routed', 'a', 'a%2Fb', 'a%2fb', '%2F', '%2Fa', 'a%2F', 'a%2F%2Fb', 'a%5Cb', 'a%3Bb=c', '100%25', 'a%3ab'],
    ['routed', 'file%3A%2F%2F%2Fsrv%2Fmy%20film.mov', 'a%2Fb%3Fc%23d', '%e2%82%ac%2F%e2%82%ac', 'a%2Fb%26c%3Dd'],
    ['routed', '..a%2Fb..', 'a%2F...', '.a%2F.b', '%2541%2F', '%252F', '%2525', 'a%252Fb'],
    ['routed', 'a%2Fb/', 'a%2Fb//', 'a%2Fb/.', './a%2Fb', 'x/../a%2Fb', '/a%2Fb', 'a%2Fb?x=%2F..%2F', 'a%2Fb/x/..'],
    ['routed', '//API/group/notification/VX-1/external-id/a%2Fb', '/group/notification/VX-1/external-id/a%2Fb'],
    [
      'routed',
      '/API/group/notification/my%2Fname/external-id/a%2Fb',
      '/API/group/notification/my%2Fname/external-id/a',
    ],
    ['routed', '/API/group/%6eotification/VX-1/external%2Did/a%2Fb'],
  ],
  'a raw semicolon begins a parameter, an encoded one does not': [
    ['routed', 'a%2Fb;x=1', 'a%2Fb;x=%2F', 'a%3Bb;c=d', ';a=b/a%2Fb', 'a%2Fb;', 'a%2Fb;x=1/'],
    ['refused', '..;/a%2Fb', 'a%2Fb;x=%ff', 'a%2Fb/..;'],
  ],
  'dot segments stay refused, wherever a reader could find them': [
    [['refused', 'not sent'], '%2e%2e', '%2e', '.%2e', '%2E.', '%2e%2e/'],
    [
      'refused',
      '..%2Fa',
      'a%2F..',
      'a%2F..%2Fb',
      '%2e%2e%2fa',
      'a%2f%2e%2e%2fb',
      'a%5C..%5Cb',
      '..%5Ca',
      '.%2Fa',
      'a%2F.',
    ],
    ['refused', '..%3B', '..%3Ba%2Fb', 'a%2F..%3Bx%2Fb', '%2e%2e%3b%2fb', 'a%2F..%3B'],
    [
      'refused',
      '%252e%252e',
      '%252e%252e%252fa',
      'a%252F..%252Fb',
      '%25252e%25252e%25252fa',
      'a%2F%252e%2E%2Fb',
      '..%253Ba',
    ],
    ['refused', 'a%255c..%255cb', '%2Fa%2F%2e%2E'],
  ],
  'raw dot segments do not eat a part of a segment': [
    [['refused', 'not sent'], 'a%2Fb/..', 'a%2Fb/../a', 'a%2Fb/x/../..', 'a%2Fb/../../../../user/admin'],
    ['refused', 'a%2Fb/..;x/a'],
  ],
  'no control characters, escaped or escaped on the way': [
    ['refused', '%00', 'a%2Fb%00', '%00a%2Fb', 'a%0d%0aX:1%2F', '%7f%2F', '%2F%1f', 'a%09'],
  ],
  'no backslash but an encoded one': [
    [['refused', 'elsewhere'], 'a\\b'],
    ['refused', 'a%2Fb\\c'],
    [['refused', 'not sent'], 'a\\..\\b', 'a%2Fb\\..'],
  ],
  'no other UTF-8 than UTF-8': [
    [
      'refused',
      '%2F%ff',
      '%c0%af',
      '%c0%ae%c0%ae%2f',
      '%e0%80%af',
      'a%2F%',
      'a%2F%2',
      'a%2F%zz',
      '%2F%ed%a0%80',
      '%u002f',
    ],
  ],
  'no other segment takes what the route declares for one': [
    ['refused', 'a%2Fb/c', 'a/b%2Fc', 'a%2Fb/a%2Fb', '/API/group/a%2Fb', '/API/user/a%2Fb', '/API/user/admin%2Fkey/a'],
    ['refused', '/API/group%2Fnotification/VX-1/external-id/a', '/API/group/notification%2FVX-1/external-id/a'],
    ['refused', '/API%2Fgroup/notification/VX-1/external-id/a', '/API/group/notification/VX-1%2Fexternal-id/a'],
    ['refused', '/API/group/notification/VX-1/external-id%2Fa/a', '/API/group/notification/VX-1/delivery/a%2Fb'],
    [
      'refused',
      '/API/group/a%2Fb/notification/VX-1/external-id/a',
      '/API/whoami%2F',
      '/health%2Flive',
      '/a%2Fb/health',
    ],
    [
      'refused',
      '/API/APInoauth%2F..%2Fgroup/notification/VX-1/external-id/a',
      '/health/a%2Fb',
      '/x%2F/external-id/a%2Fb',
    ],
    ['elsewhere', 'a/b', 'a/b/c', '/API/group/notification/VX-1/External-Id/a'],
  ],
};

const targetOf = (text: string): string => (/^\/(?!a%2Fb$)/.test(text) ? text : `${base}/${text}`);
const told = (status: number, code: string | null | undefined): string => `${status} ${code ?? '-'}`;

function expectedOf(outcome: Row[0], entry: 'socket' | 'fetch') {
  const chosen = typeof outcome === 'string' ? outcome : outcome[entry === 'socket' ? 0 : 1];
  return chosen === 'not sent' ? undefined : outcomes[chosen as Outcome];
}

describe('a path attack on a route with an opaque segment (fetch)', () => {
  it.each(Object.entries(groups))('%s', async (_title, table) => {
    const world = await openWorld('fetch');
    for (const [outcome, ...texts] of table) {
      const expected = expectedOf(outcome, 'fetch');
      for (const target of expected ? texts.map(targetOf) : []) {
        const answers = [undefined, admin].map(async (as) => world.send({ request: `PUT ${target}`, as }));
        const outcomesOf = (await Promise.all(answers)).map(({ status, headers }) =>
          told(status, status === 401 ? null : headers.get('portico-error')),
        );
        expect([target, ...outcomesOf]).toEqual([target, ...expected!]);
      }
    }
  });
});

describeStarted('a path attack on a route with an opaque segment, as raw bytes', (server) => {
  it.each(Object.entries(groups))('%s', async (_title, table) => {
    const port = await server.open();
    for (const [outcome, ...texts] of table) {
      for (const target of texts.map(targetOf)) {
        const sent = { method: 'PUT', target };
        const nobody = await sendRaw(port, { ...sent, headers: ['Content-Length: 0'] });
        const authorization = `Authorization: ${basic(admin)}`;
        const administrator = await sendRaw(port, { ...sent, headers: ['Content-Length: 0', authorization] });
        const outcomesOf = [nobody, administrator].map(({ status, headers }) =>
          told(status, status === 401 ? null : headers.get('portico-error')),
        );
        expect([target, ...outcomesOf]).toEqual([target, ...expectedOf(outcome, 'socket')!]);
      }
    }
  });
});

describeMatrix('an opaque segment', (entry) => {
  const open = async (options = {}) => {
    const world = await entry.open(options);
    await prepare(world, [newNotification(onCreate)]);
    return world;
  };
  const ask = (request: string) => ({ as: admin, request, headers: { accept: 'application/json' } });

  it('reaches its handler decoded once, and names the same thing in every spelling of it', async () => {
    const world = await open();
    const names = ['in/my film.mov', 'a\\b;c', '100%', '%2F', 'file:///srv/a?b#c', '…/é'];
    for (const name of names) {
      const answer = await world.send(ask(`PUT ${base}/${encodeURIComponent(name)}`));
      expect([name, answer.status]).toEqual([name, 200]);
    }
    const list = JSON.parse((await world.send(ask(`GET ${base}`))).body);
    expect(list.id.map(({ externalId }: { externalId: string }) => externalId).sort()).toEqual(names.toSorted());
    for (const spelled of ['in%2fmy%20film.mov', '%69n%2Fmy%20film%2Emov']) {
      expect((await world.send(ask(`GET /API/group/notification/${spelled}`))).status).toBe(200);
    }
    for (const name of names) {
      expect((await world.send(ask(`DELETE ${base}/${encodeURIComponent(name)}`))).status).toBe(200);
    }
    expect((await world.send(ask(`GET ${base}`))).body).toBe('{"id":[]}');
  });

  it('has the methods of its route', async () => {
    const world = await open();
    const told = async (request: string) => {
      const { status, headers } = await world.send(ask(request));
      return [status, headers.get('allow')];
    };
    expect(await told(`OPTIONS ${base}/a%2Fb`)).toEqual([204, 'DELETE, OPTIONS, PUT']);
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH']) {
      expect(await told(`${method} ${base}/a%2Fb`)).toEqual([405, 'DELETE, OPTIONS, PUT']);
    }
    await prepare(world, [ask(`PUT ${base}/a%2Fb`)]);
    expect(await told('HEAD /API/group/notification/a%2Fb')).toEqual([200, null]);
    expect(await told('POST /API/group/notification/a%2Fb')).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PUT']);
  });

  it('is one segment to the chains: what it holds leads to no other one', async () => {
    const chains = '[urls]\n/**/closed = deny\n/**/external-id/secret%2f** = deny\n';
    const text = defaultIni.replace('[urls]\n', chains);
    const world = await open({ security: { file: 'security.ini', plugins: [], text } });
    const statusOf = async (name: string) => (await world.send(ask(`PUT ${base}/${name}`))).status;
    expect(await statusOf('a%2Fclosed')).toBe(200);
    expect(await statusOf('closed')).toBe(403);
    expect(await statusOf('%63losed')).toBe(403);
    expect(await statusOf('secret%2Fa')).toBe(403);
    expect(await statusOf('%73ecret%2fa')).toBe(403);
    expect(await statusOf('secret%252Fa')).toBe(200);
    expect(await statusOf('a%2Fsecret%2Fa')).toBe(200);
    const explained = await world.send(
      ask(`GET /API/security/explain?target=${encodeURIComponent(`${base}/secret%2fa`)}`),
    );
    expect(JSON.parse(explained.body)).toMatchObject({
      path: '/group/notification/VX-1/external-id/secret%2Fa',
      pattern: '/**/external-id/secret%2F**',
      granted: false,
    });
  });

  it('is in log and audit as filters see it', async () => {
    const world = await open();
    await prepare(world, [ask(`PUT ${base}/a%2fb%0a`.replace('%0a', '%3b'))]);
    const path = '/group/notification/VX-1/external-id/a%2Fb%3B';
    expect(world.lines.filter((line) => line['path'] === path)).toMatchObject([{ method: 'PUT', status: 200 }]);
    const log = await world.send(ask(`GET /API/log?path=${encodeURIComponent(path)}`));
    expect(JSON.parse(log.body).entry).toMatchObject([{ method: 'PUT', path }]);
  });

  it('is refused where the target is too long, like any', async () => {
    const world = await open();
    const long = (length: number) => `${base}/${'%2F'.repeat(length)}`;
    expect((await world.send(ask(`PUT ${long(200)}`))).status).toBe(200);
    expect((await world.send(ask(`PUT ${long(300)}`))).status).toBe(400);
    expect((await world.send(ask(`PUT ${long(3000)}`))).status).toBe(414);
  });
});

describe('the canonical path', () => {
  const takes = (path: string) => /^\/open\/[^/]+$/.test(path);
  const pathOf = (raw: string) => canonicalTarget(raw, takes).path;

  it('has one spelling of an opaque segment', () => {
    for (const raw of ['/open/a%2fb%3B', '/API/open/%61%2Fb%3b', '//open/./a%2Fb%3b/']) {
      expect(pathOf(raw)).toBe('/open/a%2Fb%3B');
    }
    expect(pathOf('/open/%25')).toBe('/open/%25');
    expect(pathOf('/open/%2525')).toBe('/open/%2525');
  });

  it('is asked of the routes only where something is escaped in the end', () => {
    const asked: string[] = [];
    const tell = (path: string) => asked.push(path) > 0;
    for (const raw of ['/open/a', '/open/%61', '/open/a;b=%2F', '/open/a%20b', '/x?y=%2F']) canonicalTarget(raw, tell);
    expect(asked).toEqual([]);
    canonicalTarget('/API/open/a%2fb', tell);
    expect(asked).toEqual(['/open/a%2Fb']);
  });

  it('spells patterns of security.ini alike', () => {
    expect(canonicalPattern('/API/open/a%2f*%5c%3b%25')).toBe('/open/a%2F*%5C%3B%25');
  });
});

/** Whether the pattern matches these segments: the words of the rule, without a tree. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return segments.length === 0;
  if (first === '**') return [0, ...segments.keys(), segments.length].some((at) => matches(rest, segments.slice(at)));
  if (segments.length === 0) return false;
  const form = [...first].map((one) => (one === '*' ? '.*' : one === '?' ? '.' : `\\u${code(one)}`)).join('');
  return new RegExp(`^${form}$`, 's').test(segments[0]!) && matches(rest, segments.slice(1));
}

const code = (one: string): string => one.charCodeAt(0).toString(16).padStart(4, '0');

describe('any target at a route with an opaque segment', () => {
  const piece = fc.oneof(fc.constantFrom(...targetPieces), fc.string({ maxLength: 3 }));
  const segment = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
  const target = fc
    .tuple(fc.constantFrom(...opaqueRoutes), fc.array(segment, { minLength: 4, maxLength: 4 }))
    .map(([route, texts]) => route.replace(/:\w+(\{[^/]*\})?/g, () => texts.pop() ?? 'x').replace(/[^\0-\xff]/g, 'x'));
  const word = fc.constantFrom(
    '**',
    '*',
    'open',
    'pair',
    'id',
    'data',
    'rest',
    '?',
    'a%2F*',
    '*%2F*',
    '*%*',
    '%2F',
    'x',
  );
  const patterns = fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });

  it('meets the chain of the very segments that the route gets', async () => {
    const watch = pathWatcher();
    let opaque = 0;
    await fc.assert(
      fc.asyncProperty(target, patterns, async (raw, lists) => {
        const { filtered, route, status, refusal } = await watch(raw);
        const model = modelPath(raw, opaqueRoutes);
        if (model === 'refused' || filtered === undefined) {
          expect([model, filtered, status, refusal]).toEqual(['refused', undefined, 400, 'bad-target']);
          return;
        }
        expect(filtered).toBe(filterPath(model));
        if (status !== 200) return;
        expect(route).toEqual(model);
        const segments = filtered === '/' ? [] : filtered.slice(1).split('/');
        expect(segments.map(decodeURIComponent)).toEqual(route);
        const chain = compilePatterns(lists.map((list) => `/${list.join('/')}`)).first(filtered);
        expect(chain).toBe(lists.findIndex((list) => matches(list, segments)));
        if (filtered.includes('%')) opaque++;
      }),
      { numRuns: shareOfTries(10, 10_000), seed: seedOfRun },
    );
    expect(opaque).toBeGreaterThan(shareOfTries(10, 300));
  });
});
