import { defaultLimits } from '../../src/core/documents/index.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { Metrics } from '../../src/core/lib/metrics.ts';
import { createApp } from '../../src/http/app.ts';
import { createCors } from '../../src/http/cors.ts';
import { errorReply } from '../../src/http/error-reply.ts';
import { createHandler } from '../../src/http/handler.ts';
import { createRender, plain } from '../../src/http/reply.ts';
import { anybody, type Params, type Route } from '../../src/http/route.ts';
import { tableOf } from '../../src/http/route-table.ts';
import { Traffic } from '../../src/http/traffic.ts';
import { testClock } from './clock.ts';
import { noStore } from './listeners.ts';

/**
 * Meaning of a request target, said a second time and in another way: the yardstick for `canonicalTarget`.
 * It leans on the platform's own decoder and on the words of the rule, not on our code.
 */

type ModelPath = readonly string[] | 'refused';

/** The segments of the path, decoded. `opaque`: the routes with opaque segments that there are. */
export function modelPath(raw: string, opaque: readonly string[] = []): ModelPath {
  if (/#/.test(raw)) return 'refused';
  const origin = /^https?:\/\/[^/?]*/i;
  const [front] = origin.exec(raw) ?? [];
  if (front !== undefined && !namesHost(front.slice(front.indexOf('//') + 2))) return 'refused';
  const target = raw === '*' ? '/' : raw.replace(origin, (authority) => (raw[authority.length] === '/' ? '' : '/'));
  if (!target.startsWith('/')) return 'refused';
  const [path = '', ...query] = target.split('?');
  if (query.join('?').split('&').some(malformed)) return 'refused';

  const stack: string[] = [];
  const segments = path.slice(1).split('/');
  for (const [index, segment] of segments.entries()) {
    const [name = '', ...parameters] = segment.split(';');
    const dots = name === '.' || name === '..';
    if (parameters.some(malformed) || malformed(name)) return 'refused';
    if (dots && segment.includes(';')) return 'refused';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      const emptyBefore = index > 0 && segments[index - 1]!.split(';')[0] === '';
      const removed = emptyBefore ? undefined : stack.pop();
      if (removed === undefined || /[/\\%;]/.test(removed)) return 'refused';
      continue;
    }
    const decoded = decodeBytes(name);
    if (/\p{Cc}/u.test(decoded.replace(/[\u0080-\u009f]/g, '')) || /^\.\.?$/.test(decoded)) return 'refused';
    if (/\\/.test(name)) return 'refused';
    stack.push(decoded);
  }
  if (stack[0] === 'API') stack.shift();
  const special = stack.map((segment) => /[/\\%;]/.test(segment));
  if (stack.some((segment, at) => special[at] && hasDots(segment))) return 'refused';
  if (special.includes(true) && !opaque.some((route) => takes(route, stack, special))) return 'refused';
  return stack;
}

/** Whether somebody who decodes as often as there is something to decode finds a dot segment. */
function hasDots(segment: string): boolean {
  const whole = segment
    .replace(/%(25)+/g, '%')
    .replace(/%2e/gi, '.')
    .replace(/%2f|%5c|\\/gi, '/')
    .replace(/%3b/gi, ';');
  return whole.split('/').some((part) => ['.', '..'].includes(part.split(';')[0]!));
}

/** Whether the route has a place for each of these segments, and an opaque one for each that is special. */
function takes(route: string, stack: readonly string[], special: readonly boolean[]): boolean {
  const own = route.slice(1).split('/');
  const rest = own.at(-1)!.endsWith('{.+}');
  if (rest ? stack.length < own.length : stack.length !== own.length) return false;
  return stack.every((segment, at) => {
    const place = own[at] ?? ':rest';
    if (special[at]) return place.endsWith('{opaque}');
    return place.startsWith(':') || place === segment;
  });
}

/** As filters see it: what could be syntax is escaped. */
export const filterPath = (segments: readonly string[]): string =>
  `/${segments.map((text) => [...text].map((one) => ('/\\%;'.includes(one) ? escapes[one]! : one)).join('')).join('/')}`;

const escapes: Readonly<Record<string, string>> = { '/': '%2F', '\\': '%5C', '%': '%25', ';': '%3B' };

/** The parser of the platform, and before it what that parser takes in its stride. */
function namesHost(authority: string): boolean {
  const strange = /[^\w.~:[\]-]/.test(authority);
  const port = authority.slice(authority.lastIndexOf(']') + 1).split(':')[1];
  const strangePort = port !== undefined && (port === '' || port.length > 5);
  return authority !== '' && !strange && !strangePort && URL.canParse(`http://${authority}/`);
}

const asEscapes = (text: string): string =>
  text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);

function decodeBytes(text: string): string {
  return decodeURIComponent(asEscapes(text));
}

function malformed(text: string): boolean {
  try {
    // Parts of a pair are decoded one at a time: an escape cannot reach over the equals sign.
    const [name = '', ...value] = text.split('=');
    return (decodeBytes(name) + decodeBytes(value.join('='))).includes('\0');
  } catch {
    return true;
  }
}

/** Pieces of which targets are made that somebody might read in two ways. */
export const targetPieces: readonly string[] = [
  ...['/', '//', '/./', '/../', '/..;/', '/.;/', '/;/', '\\', '?', '&', '=', '#', '%', '+', ' ', '~', '*', '\t'],
  ...['%2f', '%2F', '%5c', '%2e', '%2e%2e', '%3b', '%3f', '%23', '%25', '%252e', '%00', '%0a', '%0d%0a', '%7f', '%20'],
  ...['%c3%a9', '%e9', '%c0%ae', '%ef%bc%8f', '%ed%a0%80', '%f0%9f%94%91', '%zz', '%4', '\xe9', '\xc3\xa9', '\xff'],
  ...[';a=b', ';a', ';', ';=', '..', '.', '...', 'API', 'api', 'whoami', 'user', 'APInoauth', 'health', 'x', 'A'],
  ...['/open/', '/pair/', '/id/', '/rest/', '/data', '%252f', '%255c', '%253b', '%2525', '..%2f', '%2f..', '%5C..%5c'],
  ...['http://h', 'https://h:1', 'HTTP://h/', 'http://', 'ftp://h/', '/API/', '/user/', '/APIinit/', '/health/live'],
];

interface Seen {
  /** Undefined: refused before any filter. */
  readonly filtered: string | undefined;
  /** The segments that the route has, as its handler sees them: without any escape. Undefined: refused. */
  readonly route: readonly string[] | undefined;
  readonly status: number;
  /** The code of the refusal, or what was thrown that is none. */
  readonly refusal: string | undefined;
}

const maxDepth = 12;

/** Routes with opaque segments, beside those that take any path without escapes. */
export const opaqueRoutes: readonly string[] = [
  '/open/:name{opaque}',
  '/open/:name{opaque}/data',
  '/open/:name{opaque}/of/:other',
  '/pair/:name{opaque}/id/:other{opaque}',
  '/:any/rest/:name{opaque}/:more{.+}',
];

/** The segments of a route, with the parameters as its handler got them. */
const filled = (path: string, params: Params): string[] =>
  path
    .replace(/\{[^/]*\}/g, '')
    .slice(1)
    .split('/')
    .flatMap((segment) => {
      if (!segment.startsWith(':')) return segment;
      const value = params[segment.slice(1)]!;
      return path.includes(`${segment}{.+}`) ? value.split('/') : value;
    });

/** The real way of a request, from target over pipeline to router, with a pipeline and routes that say what they saw. */
export function pathWatcher(): (rawTarget: string) => Promise<Seen> {
  let filtered: string | undefined;
  let route: readonly string[] | undefined;
  let refusal: string | undefined;

  const saying = (path: string): Route => ({
    method: 'GET',
    path,
    says: 'x',
    access: anybody,
    produces: ['text/plain'],
    handle: (_call, params) => {
      route = path === '/' ? [] : filled(path, params);
      return plain('');
    },
  });
  const letters = 'abcdefghijkl'.split('');
  const routes = [
    ...Array.from({ length: maxDepth + 1 }, (_, depth) =>
      saying(
        `/${letters
          .slice(0, depth)
          .map((letter) => `:${letter}`)
          .join('/')}`,
      ),
    ),
    ...opaqueRoutes.map(saying),
  ];
  const refuse = (error: unknown) => {
    refusal = error instanceof ServiceError ? error.code : `not a refusal: ${error}`;
    const told = error instanceof ServiceError ? error : new ServiceError('internal');
    return errorReply(told, null, undefined, { namespace: 'urn:x', id: 'x' });
  };
  const answer = createHandler({
    clock: testClock(),
    log: createLog(() => undefined, testClock(), 'error'),
    metrics: new Metrics(),
    cors: createCors([]),
    maxTargetLength: 8192,
    namespace: 'urn:x',
    instanceId: 'test',
    limits: defaultLimits,
    render: createRender('urn:x'),
    forwarded: (_, arrival) => arrival,
    decide: async (request) => {
      filtered = request.path;
      return { granted: true, subject: undefined };
    },
    ...createApp(tableOf(routes), refuse),
    refuse,
    answered: () => undefined,
    traffic: new Traffic(),
    callerStore: noStore,
  });

  return async (rawTarget) => {
    filtered = undefined;
    route = undefined;
    refusal = undefined;
    const { status } = await answer(new Request('http://portico.test/'), { rawTarget });
    return { filtered, route, status, refusal };
  };
}
