import { createApp } from '../../src/http/app.ts';
import { createCors } from '../../src/http/cors.ts';
import { errorReply } from '../../src/http/error-reply.ts';
import { createHandler } from '../../src/http/handler.ts';
import { plain } from '../../src/http/reply.ts';
import { anybody, type Params, type Route } from '../../src/http/route.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { createLog } from '../../src/lib/log.ts';
import { Metrics } from '../../src/lib/metrics.ts';
import { testClock } from './clock.ts';

export interface Seen {
  /** Undefined: refused before any guard. */
  readonly guard: string | undefined;
  /** The path put together again from what the router took out of it. Undefined: refused. */
  readonly route: string | undefined;
  readonly status: number;
  /** The code of the refusal, or what was thrown that is none. */
  readonly refusal: string | undefined;
}

const deepest = 12;

/** The real way of a request, from target over guard to router, with a guard and routes that say what they saw. */
export function pathWatcher(): (rawTarget: string) => Promise<Seen> {
  let guard: string | undefined;
  let route: string | undefined;
  let refusal: string | undefined;

  const handle = (_call: unknown, _type: unknown, params: Params) => {
    route = `/${Object.keys(params)
      .sort()
      .map((name) => params[name])
      .join('/')}`;
    return plain('');
  };
  const letters = 'abcdefghijkl'.split('');
  const routes: Route[] = Array.from({ length: deepest + 1 }, (_, depth) => {
    const path = `/${letters
      .slice(0, depth)
      .map((letter) => `:${letter}`)
      .join('/')}`;
    return { method: 'GET', path, says: 'x', access: anybody, produces: ['text/plain'], handle };
  });
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
    forwarded: (_, arrival) => arrival,
    decide: async (guarded) => {
      guard = guarded.path;
      return { granted: true, subject: undefined };
    },
    dispatch: createApp(routes, refuse),
    refuse,
    answered: () => undefined,
  });

  return async (rawTarget) => {
    guard = undefined;
    route = undefined;
    refusal = undefined;
    const { status } = await answer(new Request('http://portico.test/'), { rawTarget });
    return { guard, route, status, refusal };
  };
}
