import { ServiceError } from '../core/lib/errors.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import { nearest } from '../core/lib/messages.ts';
import { LateText } from '../core/lib/text-stream.ts';
import { enterTurn } from '../core/lib/turn.ts';
import { accountOf } from '../security/caller.ts';
import { checkActing, checkConfined } from './acting.ts';
import { type Call, nameIgnored, type Trace } from './call.ts';
import type { Compress } from './compress.ts';
import { noteEnd, noteRoute } from './ends.ts';
import { formList } from './forms.ts';
import { checkLogin } from './login.ts';
import { documentTypes, type MediaType, negotiate, preferred } from './negotiation.ts';
import { unmarked } from './opaque.ts';
import { type ParameterTable, readQuery } from './parameters/index.ts';
import { inPieces, isLong, type Reply, toResponse } from './reply.ts';
import type { Params, Route } from './route.ts';
import { firstSegment } from './route-group.ts';
import type { RouteAt, RouteTable } from './route-table.ts';
import { sentBody } from './sent-body.ts';

/** Renders a refusal in the form that the caller reads, or else in one that the route speaks. */
type Refuse = (error: unknown, trace: Trace, accept: string | null, offered?: readonly MediaType[]) => Reply;

/** Callback for an answer that was interrupted. */
type BrokenOff = (error: unknown, trace: Trace) => void;

const noQuery: ParameterTable = {};

export interface App {
  dispatch(call: Call): Promise<Response> | Response;
  /** Route for a request, with the parameters of its path. */
  routeAt(method: string, path: string): RouteAt | undefined;
  /** Starts the reads that the route of a request begins with. */
  ahead(method: string, path: string): Maybe<unknown>;
  /** Whether there is a route at a path that holds escapes: it declares each segment opaque that holds one. */
  takesOpaque(path: string): boolean;
}

/**
 * Routes on the canonical path, which the handler passes beside the request: from the raw address one could read another
 * path than the filters. GET routes answer HEAD.
 */
export function createApp(
  routes: RouteTable,
  refuse: Refuse,
  compress: Compress = (reply) => reply,
  brokenOff: BrokenOff = () => undefined,
): App {
  return {
    routeAt: routes.find,
    ahead(method, path) {
      const match = routes.find(method, path);
      return match?.route.ahead?.(match.params);
    },
    takesOpaque: (path) => routes.methodsAt(path).length > 0,
    dispatch(call) {
      const method = call.method === 'HEAD' ? 'GET' : call.method;
      const match = routes.find(method, call.path);
      if (match) {
        call.trace.route = match.route.path;
        noteRoute(match.route, match.params, call.trace);
        const { route, params } = match;
        return after(enterTurn(accountOf(call)), () => answer(route, call, params));
      }
      const methods = routes.methodsAt(call.path).filter((method) => !routes.find(method, call.path)?.route.isUnlisted);
      const types = methods.length > 0 ? [] : routes.typesWith(method, call.path);
      const reply = types.length > 0 ? wrongType(call, types, refuse) : unrouted(call, methods, refuse);
      return toResponse(reply, call.trace.headers);
    },
  };

  function answer(route: Route, call: Call, params: Params): Promise<Response> | Response {
    try {
      const reply = run(route, call, params);
      if (!(reply instanceof Promise)) return send(reply, call);
      return reply.then(
        (late) => send(late, call),
        (error) => refusal(error, call, route),
      );
    } catch (error) {
      return refusal(error, call, route);
    }
  }

  function send(reply: Reply, call: Call): Maybe<Response> {
    const respond = (sent: Reply) => toResponse(sent, call.trace.headers);
    if (reply.body instanceof LateText) reply.body.whenFailed((error) => brokenOff(error, call.trace));
    return after(compress(reply, call), (result) =>
      isLong(result) ? inPieces(result).then(respond) : respond(result),
    );
  }

  function refusal(error: unknown, { trace, request }: Call, { produces }: Route): Response {
    return toResponse(refuse(error, trace, request.headers.get('accept'), produces), trace.headers);
  }
}

/** Checks of a route before its handler: login, role, and what a caller may do who only acts. Throws the refusal. */
export function permit(route: Route, call: Call, params: Params): Maybe<void> {
  return after(checkLogin(route, call), () =>
    after(checkConfined(call), () => after(route.access(call, params), () => checkActing(route, call, params))),
  );
}

function run(route: Route, call: Call, params: Params): Maybe<Reply> {
  return after(permit(route, call, params), reply);

  function reply(): Maybe<Reply> {
    // A route without a body to answer with does not mind what the caller would accept.
    const silent = route.produces.length === 0;
    const type = silent ? 'application/xml' : answerType(route, call.request.headers.get('accept'));
    if (call.parameters.size > 0) nameUndeclared(route, call);
    const query = route.query ? readQuery(route.query, call.parameters) : call.query;
    return after(sentBody(route, call.request), (sent) => route.handle({ ...call, query, sent, type }, params));
  }
}

/**
 * Media type of the answer. Clients send one `Accept` with all calls, so a plain text answer to a change is sent
 * regardless.
 */
function answerType({ method, produces, answers }: Route, accept: string | null): MediaType {
  const isMereText = !produces.some((type) => documentTypes.includes(type)) && !formList(answers).includes('bytes');
  if (method === 'GET' || !isMereText) return negotiate(accept, produces);
  return preferred(accept, produces) ?? produces[0]!;
}

function nameUndeclared({ query = noQuery, otherNames, method, path }: Route, { parameters, trace }: Call): void {
  for (const [name] of parameters) {
    const ends = Object.hasOwn(query, name) ? query[name]!.ends : undefined;
    if (ends) noteEnd(trace, `${name} of ${method} ${unmarked(path)}`, ends);
    if (otherNames === undefined && !Object.hasOwn(query, name)) nameIgnored(trace, name);
  }
}

/** `/itme/VX-1/metadata`: the rest of the path is right. */
function wrongType({ path, request, trace }: Call, types: readonly string[], refuse: Refuse): Reply {
  const value = firstSegment(path);
  const meant = nearest(value, types);
  const type = `one of ${types.join(', ')}${meant === undefined ? '' : `: perhaps ${meant}`}`;
  const detail = { type, id: path, context: 'path', explanation: `Expected ${type}` };
  return refuse(new ServiceError('no-such-entity-type', detail), trace, request.headers.get('accept'));
}

function unrouted(call: Call, methods: readonly string[], refuse: Refuse): Reply {
  const accept = call.request.headers.get('accept');
  if (methods.length === 0) {
    const detail = { type: 'resource', id: call.path, context: 'path' };
    return refuse(new ServiceError('no-such-path', detail), call.trace, accept);
  }
  const head = methods.includes('GET') ? ['HEAD'] : [];
  const allow = [...new Set([...methods, ...head, 'OPTIONS'])].sort().join(', ');
  if (call.method === 'OPTIONS') return { status: 204, headers: { allow } };
  const explanation = `Expected one of ${allow}`;
  const detail = { context: 'method', id: call.path, explanation, value: call.method.slice(0, 80) };
  return refuse(new ServiceError('method-not-allowed', detail, { allow }), call.trace, accept);
}
