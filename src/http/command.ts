import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { CommitPlan } from '../core/store/contract.ts';
import type { PipelineRequest } from '../security/arrival.ts';
import { canonicalTarget } from '../security/path.ts';
import type { Decision } from '../security/pipeline.ts';
import { baseOf } from './address.ts';
import { type App, permit } from './app.ts';
import { unread } from './body.ts';
import type { Call, CallerStore, Trace } from './call.ts';
import { type Answered, nameCaller } from './handler.ts';
import { noForm } from './negotiation.ts';
import { readQuery } from './parameters/index.ts';
import type { Reply } from './reply.ts';
import type { Params } from './route.ts';

/**
 * Name of what a route does, for rooms that run it as somebody. The route is written over it, with `...command`. `B` is
 * its body, and `V` the value that its handler returns.
 */
export interface Command<M extends string = string, P extends string = string, B = never, V = unknown> {
  readonly method: M;
  readonly path: P;
  /** Never there: the route must take each such body, and return such a value. */
  readonly types?: (value: V) => B;
}

export const command =
  <V, B = undefined>() =>
  <const M extends string, const P extends string>(method: M, path: P): Command<M, P, B, V> => ({ method, path });

/** Query, body and bytes of a command. */
interface Sent<B> {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: B;
  /** For handlers that read a request themselves: its headers, its bytes, and `HEAD` in place of `GET`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: ReadableStream<Uint8Array>;
  readonly method?: string;
  /** Adds guards and changes to each commit of the command. */
  also?(work: CommitPlan): CommitPlan;
}

/** Runs commands in the name of one caller. */
interface Commands {
  /** Throws the refusal that the route would answer, and returns the value that it would render. */
  run<M extends string, P extends string, B, V>(
    command: Command<M, P, B, V>,
    segments: Params<P>,
    sent?: Sent<B>,
  ): Promise<V>;
}

/** Takes the call whose subject acts. Its guest is named in the log, and asked for by handlers. */
export type RunAs = (call: Call) => Commands;

interface Parts extends Pick<App, 'routeAt' | 'takesOpaque'> {
  readonly callerStore: CallerStore;
  decide(request: PipelineRequest): Maybe<Decision>;
  answered(request: Answered): Maybe<void>;
}

type Named = Pick<Command, 'method' | 'path'>;

/** Refusals of security.ini, by the status of its answer. */
const refusals: Readonly<Record<number, () => ServiceError>> = {
  401: () => new ServiceError('not-authenticated'),
  429: () => new ServiceError('too-many-queries'),
  503: () => new ServiceError('busy'),
};
const notAllowed = () => new ServiceError('not-allowed', { context: 'path' });

/**
 * Runs commands as the subject of a call. The rules of security.ini for the address of the command decide first, so that
 * what they close to a user stays closed. Then come the checks of its route, and its handler; the audit log has a line.
 */
export function createCommands({ decide, routeAt, takesOpaque, callerStore, answered }: Parts): RunAs {
  async function within(
    caller: Call,
    trace: Trace,
    { method, path: pattern }: Named,
    segments: Params,
    sent: Sent<unknown>,
  ) {
    const { query = {}, headers = {}, bytes, body, also } = sent;
    const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
    const rawTarget = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(segments[name]!)) + search;
    const { path, rawPath, query: text, parameters } = canonicalTarget(rawTarget, takesOpaque);
    Object.assign(trace, { path, parameters });
    const { origin, host } = new URL(baseOf(caller));
    // The audit log has the type of what was sent.
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const init = { method, headers: { host, ...type, ...headers }, ...(bytes && { body: bytes, duplex: 'half' }) };
    const request = new Request(`${origin}${rawTarget}`, init);
    const { subject, address, secure } = caller;
    const arrival = { rawTarget, address, secure, as: subject };
    const decision = await decide({
      ...{ method, path, rawPath, query: text, headers: request.headers, authorization: null, arrival },
    });
    if (!decision.granted) {
      trace.reason = decision.reason;
      throw decision.error ?? (refusals[decision.response.status] ?? notAllowed)();
    }
    if (subject) nameCaller(subject, trace, caller.guest);
    const match = routeAt(method === 'HEAD' ? 'GET' : method, path);
    if (match?.route.path !== pattern || !match.route.run) throw new ServiceError('no-such-path', { context: 'path' });
    const { route, params } = match;
    trace.route = pattern;
    const call: Call = {
      ...caller,
      ...{ trace, method, path, authority: undefined, root: '', request, parameters, body, sent: unread },
      ...{ type: noForm, query: readQuery(route.query ?? {}, parameters) },
      actor: () => callerStore.actorOf(call),
      commit: (work) => callerStore.commit(also?.(work) ?? work, call),
    };
    await permit(route, call, params);
    const value = await route.run!(call, params);
    const { status = 200 } = route.isRaw ? (value as Reply) : route;
    return { status, value };
  }

  return (caller) => ({
    async run({ method: named, path }, segments, sent = {}) {
      const { trace: outer, subject, address } = caller;
      const { id, came, span, calls } = outer;
      const trace: Trace = { id, came, span, calls, headers: {} };
      if (subject) nameCaller(subject, trace);
      const { method = named } = sent;
      const tell = (status: number) => answered({ method, status, trace, address });
      try {
        const { status, value } = await within(caller, trace, { method, path }, segments, sent);
        await tell(status);
        return value as never;
      } catch (error) {
        const { code, status } = error instanceof ServiceError ? error : new ServiceError('internal');
        trace.reason ??= code;
        await tell(status);
        throw error;
      }
    },
  });
}
