import type { DocumentLimits } from '../core/documents/index.ts';
import { fromBase64 } from '../core/lib/bytes.ts';
import type { Clock } from '../core/lib/clock.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { describeError, type Log } from '../core/lib/log.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import type { Counter, Metrics } from '../core/lib/metrics.ts';
import { hiding, withoutSeals } from '../core/lib/secret.ts';
import type { CallCount, CallScope, RequestKind } from '../core/store/contract.ts';
import { readTraceparent, requestIdIn, type SpanPlace, type TraceParent } from '../core/telemetry/trace.ts';
import { addressedOrigin } from '../kit/index.ts';
import { type Arrival, type Guest, headerOf, type PipelineRequest } from '../security/arrival.ts';
import { accountOf, changeAsCaller } from '../security/caller.ts';
import type { Parameters } from '../security/parameters.ts';
import { canonicalTarget, type TakesOpaque } from '../security/path.ts';
import type { Decision } from '../security/pipeline.ts';
import type { Subject } from '../security/subject.ts';
import type { App } from './app.ts';
import { knowBody, unread } from './body.ts';
import type { Call, CallerStore, Trace } from './call.ts';
import { type Cors, preflightReply, requestedMethod } from './cors.ts';
import { createEndLog } from './ends.ts';
import { errorReply, loginBody } from './error-reply.ts';
import type { Forwarded } from './forwarded.ts';
import type { MediaType } from './negotiation.ts';
import { headersFor, type Render, type Reply, toResponse } from './reply.ts';
import { knownMethods, type RequestSpans } from './request-spans.ts';
import type { Traffic } from './traffic.ts';
import { requireWhole } from './whole-request.ts';

interface Parts extends App {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly cors: Cors;
  readonly maxTargetLength: number;
  /** Namespace of documents. */
  readonly namespace: string;
  /** Prefix of all request ids of this instance. */
  readonly instanceId: string;
  /** Reader of proxy headers. */
  readonly forwarded: Forwarded;
  readonly callerStore: CallerStore;
  decide(request: PipelineRequest): Maybe<Decision>;
  readonly limits: DocumentLimits;
  readonly render: Render;
  refuse(error: unknown, trace: Trace, accept: string | null): Reply;
  readonly traffic: Traffic;
  /** Records requests as spans. */
  readonly spans?: RequestSpans | undefined;
  /** Left out: the database is in this process. */
  readonly calls?: CallScope | undefined;
  /** Collects the reads of a route, for the first call of its request. Left out: the database is in this process. */
  readonly collect?: ((ask: () => Maybe<unknown>, like: RequestKind) => void) | undefined;
  /** Where a request without credentials goes that comes to the root. */
  welcome?(request: PipelineRequest): Reply | undefined;
  /** Called for each answer. Awaited only on hosts where no work continues after an answer. */
  answered(request: Answered): Maybe<void>;
}

/** An answered request. */
export interface Answered {
  readonly method: string;
  readonly status: number;
  readonly trace: Trace;
  readonly address: string | undefined;
}

const noHeaders: Readonly<Record<string, string>> = {};
const noQuery = {};
/** Until the answer is negotiated. */
const anyType = 'application/xml';

/** Whether the request may be sent elsewhere: the pipeline lets it pass, or asks for a login. */
const mayBeSent = (decision: Decision): boolean => decision.granted || decision.response.status === 401;

/** Notes the caller, the credentials and the user that the caller acts for. `guest`: of a share of the subject. */
export function nameCaller(subject: Subject, trace: Trace, guest?: Guest): void {
  const actor = subject.actor ?? subject;
  trace.user = actor.name;
  trace.proof = actor.proof ? (actor.proof.key ?? actor.proof.kind) : 'realm';
  if (subject.actor || guest) trace.runAs = subject.name;
  // No user has a name with a colon.
  if (guest) trace.user = `share:${guest.share}`;
}

/** Trace with a lazily made id. A class, since each request makes one and most never need the id. */
class RequestTrace implements Trace {
  readonly came: number;
  headers: Readonly<Record<string, string>>;
  path?: string;
  root?: string;
  parameters?: Parameters;
  user?: string;
  runAs?: string;
  reason?: string;
  proof?: string;
  hide?: (text: string) => string;
  ignored?: readonly string[];
  keyed?: boolean;
  audited?: boolean;
  route?: string;
  ended?: NonNullable<Trace['ended']>;
  readonly span: SpanPlace | undefined;
  readonly calls: CallCount | undefined;
  readonly #instance: string;
  readonly #serial: number;
  #id: string | undefined;

  constructor(
    instance: string,
    serial: number,
    requestId: string | undefined,
    came: number,
    calls: CallCount | undefined,
    spans: RequestSpans | undefined,
    parent: TraceParent | undefined,
  ) {
    this.came = came;
    this.#instance = instance;
    this.#serial = serial;
    this.#id = requestId;
    this.calls = calls;
    // Only a client's id is sent with every answer, since each header costs time. An own id is sent with refusals.
    this.headers = requestId === undefined ? noHeaders : { 'x-request-id': requestId };
    if (parent) this.#id ??= requestIdIn(parent, `${instance}-${serial.toString(36)}`);
    this.span = spans?.placeOf(this.id, parent);
  }

  get id(): string {
    this.#id ??= `${this.#instance}-${this.#serial.toString(36)}`;
    return this.#id;
  }
}

const wellFormedId = /^[\w.:-]{1,64}$/;

/** Takes one request from its target to its answer: path, pipeline, route, log line. Every error that is thrown ends here. */
export function createHandler(parts: Parts): (request: Request, arrival?: Arrival) => Maybe<Response> {
  const { clock, cors, takesOpaque } = parts;
  const finish = recorder(parts.log, parts.metrics, createEndLog(parts.log, parts.clock));
  let serial = 0;

  function answer(request: Request, arrival: Arrival, trace: Trace): Maybe<Response> {
    try {
      const shownAs = headerOf(request.headers, arrival, 'sec-fetch-dest');
      if (shownAs !== null) {
        trace.headers = { ...trace.headers, ...headersFor(shownAs, request.headers.has('authorization')) };
      }
      requireWhole(request, arrival);
      if (arrival.body) knowBody(request, arrival.body);
      const origin = headerOf(request.headers, arrival, 'origin');
      const answered = origin === null ? decided(request, arrival, trace) : forPage(origin, request, arrival, trace);
      if (!(answered instanceof Promise)) return answered;
      return answered.catch((error) => failed(error, request, trace));
    } catch (error) {
      return failed(error, request, trace);
    }
  }

  /** Adds CORS headers to any answer for an allowed page: otherwise the browser hides its status. */
  function forPage(origin: string, request: Request, arrival: Arrival, trace: Trace): Maybe<Response> {
    const requested = requestedMethod(request);
    // Browsers read answers of the own origin without CORS, and the page comes up while the database is away.
    if (requested === undefined && origin === addressedOrigin(arrival.secure ?? false, request.headers))
      return decided(request, arrival, trace);
    const path = pathOrNone(arrival.rawTarget ?? targetOf(request.url), takesOpaque);
    const question = { origin, path, method: requested ?? request.method, headers: request.headers };
    return after(cors.headersFor(question), (allowed) => {
      trace.headers = { ...trace.headers, ...allowed };
      const corsAllows = ['*', origin].includes(allowed['access-control-allow-origin'] ?? '');
      if (requested === undefined || path === '') return decided(request, arrival, trace, corsAllows);
      trace.path = withoutSeals(path);
      return after(cors.preflightHeaders(question), (preflight) =>
        toResponse(preflightReply(preflight), trace.headers),
      );
    });
  }

  function decided(request: Request, arrival: Arrival, trace: Trace, corsAllows = false): Maybe<Response> {
    const { method } = request;
    const raw = arrival.rawTarget ?? targetOf(request.url);
    if (raw.length > parts.maxTargetLength) throw targetTooLong(parts.maxTargetLength);
    const { path, authority, root, rawPath, query, parameters } = canonicalTarget(raw, takesOpaque);
    trace.path = withoutSeals(path);
    trace.root = root;
    trace.parameters = parameters;
    // A preflight gets here only for an invalid path. Browsers always send the origin.
    if (requestedMethod(request) !== undefined) return toResponse(preflightReply({}), trace.headers);
    const headers = authority === undefined ? request.headers : underHost(authority, request.headers);
    const authorization = headers.get('authorization');
    parts.collect?.(() => parts.ahead(method, path), { target: `${method} ${raw}`, caller: credentialsIn(headers) });
    const pipelineRequest = { method, path, rawPath, query, headers, authorization, arrival, corsAllows };
    return after(recordedLogin(parts.decide(pipelineRequest), trace), (decision) => {
      const welcome = mayBeSent(decision) ? parts.welcome?.(pipelineRequest) : undefined;
      if (welcome) return toResponse(welcome, trace.headers);
      if (!decision.granted) {
        trace.reason = decision.reason;
        if (decision.caller) nameCaller(decision.caller, trace);
        if (decision.runAs !== undefined) trace.runAs = decision.runAs;
        if (decision.error) throw decision.error;
        const place = { namespace: parts.namespace, id: trace.id };
        const body = decision.response.status === 401 ? loginBody(headers.get('accept'), place) : undefined;
        return toResponse({ ...decision.response, ...body }, { ...trace.headers, 'x-request-id': trace.id });
      }
      const { subject } = decision;
      if (decision.headers) trace.headers = { ...trace.headers, ...decision.headers };
      if (subject) nameCaller(subject, trace);
      const { address, secure = false, isForwarded = false, level } = arrival;
      const call: Call = {
        trace,
        came: trace.came,
        method,
        path,
        authority,
        root,
        request,
        parameters,
        query: noQuery,
        sent: unread,
        body: undefined,
        type: anyType,
        limits: parts.limits,
        render: parts.render,
        address,
        secure,
        isForwarded,
        level,
        subject,
        actor: () => parts.callerStore.actorOf(call),
        commit: (work) => parts.callerStore.commit(work, call),
        change: changeAsCaller,
        reader: parts.callerStore.reader(accountOf({ subject })),
      };
      return parts.dispatch(call);
    });
  }

  /** A decision that took more than one turn asked realms or read rows. */
  function recordedLogin(decision: Maybe<Decision>, { span }: Trace): Maybe<Decision> {
    if (!span || !(decision instanceof Promise)) return decision;
    return parts.spans!.login(span, () => decision);
  }

  function failed(error: unknown, request: Request, trace: Trace): Response {
    trace.hide = (text) => hiding(secretsIn(request.headers))(text);
    return toResponse(parts.refuse(error, trace, request.headers.get('accept')), trace.headers);
  }

  function counted(request: Request, received: Arrival, calls?: CallCount): Maybe<Response> {
    const started = clock.now();
    parts.traffic.came(started);
    const arrival = parts.forwarded(request.headers, received);
    const named = headerOf(request.headers, received, 'x-request-id');
    const taken = named !== null && wellFormedId.test(named) ? named : undefined;
    const parent = readTraceparent(headerOf(request.headers, received, 'traceparent'));
    const trace = new RequestTrace(parts.instanceId, ++serial, taken, started, calls, parts.spans, parent);
    if (calls && trace.span) calls.waited = parts.spans!.waits(trace.span);
    return after(answer(request, arrival, trace), (answered) => {
      const response = request.method === 'HEAD' && answered.body ? withoutBody(answered) : answered;
      const { method } = request;
      const { status } = response;
      finish(method, status, clock.now() - started, trace, arrival);
      parts.spans?.answered({ request, secure: arrival.secure ?? false, status, trace, to: clock.now() });
      return after(parts.answered({ method, status, trace, address: arrival.address }), () => response);
    });
  }

  return (request, arrival = {}) => {
    if (!parts.calls) return counted(request, arrival);
    const calls: CallCount = { calls: 0 };
    return parts.calls.run(calls, () => counted(request, arrival, calls));
  };
}

/** Turns whatever was thrown into an answer. What went wrong inside is for the log; the caller gets the id to ask about it. */
export function createRefuser(log: Log, namespace: string) {
  return function refuse(error: unknown, trace: Trace, accept: string | null, offered?: readonly MediaType[]): Reply {
    const isKnown = error instanceof ServiceError && error.status !== 500;
    if (!isKnown)
      log.write('error', 'request-failed', {
        id: trace.id,
        path: trace.path,
        ...describeError(error, trace.hide),
      });
    const shown = isKnown
      ? error
      : new ServiceError('internal', { id: trace.id, explanation: 'See the log entry with this request id' });
    trace.reason = shown.code;
    const reply = errorReply(shown, accept, offered, { namespace, id: trace.id });
    return { ...reply, headers: { ...reply.headers, 'x-request-id': trace.id } };
  };
}

/** Logs what broke an answer off. Its caller saw the connection end, and no refusal: the status was sent before. */
export const createBrokenOff = (log: Log) => (error: unknown, trace: Trace) =>
  log.write('error', 'answer-broken-off', { id: trace.id, path: trace.path, ...describeError(error, trace.hide) });

/** Headers that say who asks, and for whom. */
const credentialsIn = (headers: Headers): string =>
  ['authorization', 'cookie', 'runas'].map((name) => headers.get(name) ?? '').join('\n');

/** Credentials in all forms that may occur in exceptions of plugins. */
function secretsIn(headers: Headers): readonly string[] {
  const credentials = headers.get('authorization')?.replace(/^\S+\s+/, '') ?? '';
  const sessions = (headers.get('cookie') ?? '').matchAll(/(?<=portico[\w-]*=)[^;\s]+/g);
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(decoded(credentials)) ?? [];
  return [credentials, password, ...Array.from(sessions, ([text]) => text)].filter((text) => text !== '');
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(fromBase64(base64));
  } catch {
    return '';
  }
}

function recorder(log: Log, metrics: Metrics, tellEnds: (trace: Trace) => void) {
  const requests = metrics.counter('portico_requests_total', 'Requests answered', 'method', 'status');
  const refusals = metrics.counter('portico_refusals_total', 'Requests refused, by reason', 'reason');
  const seconds = metrics.histogram(
    'portico_request_seconds',
    'Time from arrival to answer',
    [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  );
  const calls = metrics.histogram(
    'portico_request_database_calls',
    'Calls to a remote database until the answer',
    [0, 1, 2, 3, 5, 10, 20, 50],
  );
  const counters = new Map<string, Counter[]>([...knownMethods, 'other'].map((method) => [method, []]));
  return (method: string, status: number, ms: number, trace: Trace, arrival: Arrival): void => {
    const knownMethod = knownMethods.has(method) ? method : 'other';
    const counter = counters.get(knownMethod)!;
    counter[status] ??= requests(knownMethod, String(status));
    counter[status].add();
    if (trace.reason) refusals(trace.reason).add();
    seconds.observe(ms / 1000);
    if (trace.calls) calls.observe(trace.calls.calls);
    if (trace.ended) tellEnds(trace);
    const { address: from, level = 'info' } = arrival;
    if (!log.writes(level)) return;
    const { id, path, user, runAs, reason } = trace;
    log.write(level, 'request', {
      id,
      method,
      path,
      status,
      ms,
      calls: trace.calls?.calls,
      user,
      runAs,
      reason,
      from,
    });
  };
}

/** The target out of an absolute address, not parsed again: that would normalise it. Characters become their bytes. */
function targetOf(url: string): string {
  const end = url.slice(url.indexOf('//') + 2).search(/[/?#]/);
  const rest = end < 0 ? '' : url.slice(url.indexOf('//') + 2 + end);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  return /^[\0-\x7f]*$/.test(target)
    ? target
    : target.replace(/[^\0-\x7f]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}

/** Sets `Host` to the authority of an absolute target, since filters derive ports and redirects from it. */
function underHost(authority: string, headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.set('host', authority);
  return copy;
}

/** Empty for a target that has none, which is refused a moment later. */
function pathOrNone(raw: string, takesOpaque: TakesOpaque): string {
  try {
    return canonicalTarget(raw, takesOpaque).path;
  } catch {
    return '';
  }
}

function targetTooLong(limit: number): ServiceError {
  return new ServiceError('target-too-long', {
    context: 'request target',
    explanation: `Expected at most ${limit} characters`,
  });
}

/** Ends what the body would have come from. */
function withoutBody(response: Response): Response {
  void response.body?.cancel().catch(() => undefined);
  return new Response(null, { status: response.status, headers: response.headers });
}
