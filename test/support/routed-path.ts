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
import { noStore } from './no-store.ts';

export interface Seen {
  /** Undefined: refused before any filter. */
  readonly filtered: string | undefined;
  /** The segments that the route has, as its handler sees them: without any escape. Undefined: refused. */
  readonly route: readonly string[] | undefined;
  readonly status: number;
  /** The code of the refusal, or what was thrown that is none. */
  readonly refusal: string | undefined;
}

const deepest = 12;

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
    ...Array.from({ length: deepest + 1 }, (_, depth) =>
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
    return errorReply(told, null, undefined, 'urn:x');
  };
  const answer = createHandler({
    clock: testClock(),
    log: createLog(() => undefined, testClock(), 'error'),
    metrics: new Metrics(),
    cors: createCors([]),
    maxTargetLength: 8192,
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
