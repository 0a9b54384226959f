import type { Description, DocumentLimits } from '../core/documents/index.ts';
import type { Ends } from '../core/lib/ends.ts';
import { ServiceError } from '../core/lib/errors.ts';
import type { LogLevel } from '../core/lib/log.ts';
import { withArticle } from '../core/lib/messages.ts';
import { unstorablePart } from '../core/lib/storable.ts';
import type { Actor, CallCount, CommitPlan } from '../core/store/contract.ts';
import type { Store } from '../core/store/store.ts';
import type { SpanPlace } from '../core/telemetry/trace.ts';
import type { Caller } from '../security/caller.ts';
import type { Parameters } from '../security/parameters.ts';
import { readDocument, readKept, readText, type SentBody } from './body.ts';
import type { MediaType } from './negotiation.ts';
import type { Render } from './reply.ts';

const maxNames = 10;
const maxNameLength = 40;

/** Part of a request's trace with its ignored names. */
interface Ignoring {
  /** Headers for every answer to this request. */
  headers: Readonly<Record<string, string>>;
  /** Names in the header `portico-ignored`. */
  ignored?: readonly string[];
}

/** Names unknown parameters and elements in the answer, so that a caller notices typing errors. */
export function nameIgnored(trace: Ignoring, name: string): void {
  const encodedName = encodeURIComponent(name.slice(0, maxNameLength).toWellFormed());
  const names = trace.ignored ?? [];
  if (names.length >= maxNames || names.includes(encodedName)) return;
  trace.ignored = [...names, encodedName];
  trace.headers = { ...trace.headers, 'portico-ignored': trace.ignored.join(', ') };
}

/** Names entries of a list whose content is left out, because the list would have too many values with it. */
export function nameLeftOut(trace: Pick<Trace, 'headers'>, ids: readonly string[]): void {
  if (ids.length > 0) trace.headers = { ...trace.headers, 'portico-left-out': ids.slice(0, maxLeftOut).join(', ') };
}

/** Ids in the header `portico-left-out`. */
const maxLeftOut = 100;

/** Data of a request for its log line, filled in during processing. */
export interface Trace extends Ignoring {
  readonly id: string;
  /** Milliseconds since the epoch at which the request arrived. */
  readonly came: number;
  path?: string;
  /** Prefix of the path, as sent. */
  root?: string;
  /** Query and matrix parameters of the target. */
  parameters?: Parameters;
  /** User whose credentials the request had. */
  user?: string;
  /** User that the caller acts for, if different. */
  runAs?: string;
  reason?: string;
  /** Credentials of the caller: their kind, or the id of an access key. */
  proof?: string;
  /** Removes the caller's credentials from a text, since plugins may throw them. */
  hide?: (text: string) => string;
  /** Pattern of the route, once it is found. */
  route?: string;
  /** Span of the request. Undefined: the trace is not recorded. */
  readonly span?: SpanPlace | undefined;
  /** Calls to a remote database so far. */
  readonly calls?: CallCount | undefined;
  /** Set once a commit has stored the request's `Idempotency-Key`. */
  keyed?: boolean;
  /** Set once the request is in the audit log. */
  audited?: boolean;
  /** Parts that the request used and that end. */
  ended?: readonly { readonly name: string; readonly ends: Ends }[];
}

/** Context of a request for its route. */
export interface Call<Query = Readonly<Record<string, unknown>>, Body = unknown> extends Caller {
  readonly trace: Trace;
  readonly method: string;
  /** Canonical path, as used for routing. */
  readonly path: string;
  /** Host and port of an absolute target, which take precedence over `Host`. */
  readonly authority: string | undefined;
  /** Prefix of the path, as sent: `/API`, or empty. */
  readonly root: string;
  readonly request: Request;
  readonly parameters: Parameters;
  /** Declared parameters of the route, parsed before its handler runs. */
  readonly query: Query;
  /** Body format by the route and the Content-Type. */
  readonly sent: SentBody;
  /** Body as the value that the route declares. */
  readonly body: Body;
  /** Media type of the answer, as negotiated. */
  readonly type: MediaType;
  /** Address of the caller, from the socket or from a trusted proxy. */
  readonly address: string | undefined;
  /** Whether the request came over TLS, as far as known. */
  readonly secure: boolean;
  /** Whether a trusted proxy forwarded the request for another client. */
  readonly isForwarded?: boolean | undefined;
  /** Level of its line in the log, and of the lines of requests that it sends on. Without one: `info`. */
  readonly level?: LogLevel | undefined;
  /** Limits of documents in bodies. */
  readonly limits: DocumentLimits;
  /** Renders a document, for handlers that make their answer themselves. */
  readonly render: Render;
}

/** Whether the credentials came as HTTP Basic. */
export const hasBasicLogin = ({ request }: Call): boolean =>
  /^basic /i.test(request.headers.get('authorization') ?? '');

/** Commits and reads of requests, in the name of their callers. */
export interface CallerStore {
  actorOf(call: Call): Actor;
  commit(work: CommitPlan, call: Call): Promise<void>;
  reader: Store['reader'];
}

/** The body as a document; undefined when it is empty. What the description does not know is named in the answer. */
export const optionalDocument = <T>(
  { request, sent, trace, limits }: Call,
  description: Description<T>,
): Promise<T | undefined> => readDocument(request, sent, description, limits, (name) => nameIgnored(trace, name));

export async function requireDocument<T>(call: Call, description: Description<T>): Promise<T> {
  return required(await optionalDocument(call, description), description);
}

/** A document beside its text. What the description does not know stays in the text. */
export async function keptDocument<T>(call: Call, description: Description<T>) {
  const document = await readKept(call.request, call.sent, description, call.limits);
  return required(document, description);
}

/** The parsed body. 400 if it is empty. */
function required<T>(value: T | undefined, description: Pick<Description, 'name'>): T {
  if (value !== undefined) return value;
  throw new ServiceError('body-missing', { context: 'body', explanation: `Expected ${withArticle(description.name)}` });
}

/** Body as a text, exactly as sent. */
export async function sentText({ request, sent, limits }: Call, limit = limits.bytes): Promise<string> {
  const text = await readText(request, sent, limit);
  const part = unstorablePart(text);
  if (part) throw new ServiceError('bad-value', { context: 'body', explanation: `Expected text without ${part}` });
  return text;
}

/** Whether the body is a document, for routes that also read texts. */
export const sendsDocument = ({ sent: { form } }: Call): boolean => form === 'xml' || form === 'json';
