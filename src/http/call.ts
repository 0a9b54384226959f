import type { Description, DocumentLimits } from '../documents/index.ts';
import { ServiceError } from '../lib/errors.ts';
import { withArticle } from '../lib/sentence.ts';
import type { Parameters } from '../security/parameters.ts';
import type { Subject } from '../security/subject.ts';
import { readDocument, readKept, readText, type SentBody } from './body.ts';
import { type Ignoring, nameIgnored } from './ignored.ts';

/** What is known of a request before anything else is, and what its log line will say: filled in on the way. */
export interface Trace extends Ignoring {
  readonly id: string;
  /** When the request came, in milliseconds. */
  readonly came: number;
  path?: string;
  /** Query and matrix parameters of the target. */
  parameters?: Parameters;
  /** Who was let in. */
  user?: string;
  /** Whom they act for, if it is somebody else. */
  runAs?: string;
  reason?: string;
  /** What the caller came in with: a kind of credentials, and of a key its id. */
  proof?: string;
  /** Takes out of a text what the caller came in with: plugins may throw it. */
  hide?: (text: string) => string;
  /** Set once a commit keeps the `Idempotency-Key` of the request. */
  keyed?: boolean;
  /** Set once the audit log has the request. */
  audited?: boolean;
}

/** One request on its way through a route. */
export interface Call<Query = Readonly<Record<string, unknown>>> {
  readonly trace: Trace;
  readonly method: string;
  /** The canonical path, which is also what Hono routes on. */
  readonly path: string;
  /** The host and port of an absolute target: the server leaves `Host` aside then. */
  readonly authority: string | undefined;
  /** What the caller wrote in front of it: `/API`, or nothing. */
  readonly root: string;
  readonly request: Request;
  readonly parameters: Parameters;
  /** The parameters that the route declares, read before its handler runs. */
  readonly query: Query;
  /** What the route and the Content-Type say of the body. */
  readonly body: SentBody;
  /** Of the caller: as the socket knows it, or as a proxy tells that may be believed. */
  readonly address: string | undefined;
  /** Whether it came over TLS, as far as is known. */
  readonly secure: boolean;
  /** Undefined only on routes that are open to everybody. */
  readonly subject: Subject | undefined;
}

/** Who is asking; 401 where nobody is. */
export function caller(call: Call): Subject {
  if (call.subject) return call.subject;
  throw new ServiceError('not-authenticated');
}

/** The account whose credentials the request carries: its own, or that of the caller who acts for it. */
export const accountOf = ({ subject }: Call): string => subject?.actor?.name ?? subject?.name ?? '';

/** Whether the method changes nothing. */
export const onlyReads = ({ method }: Pick<Call, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** The body as a document; undefined when it is empty. What the description does not know is named in the answer. */
export const optionalDocument = <T>(
  { request, body, trace }: Call,
  description: Description<T>,
  limits: DocumentLimits,
): Promise<T | undefined> => readDocument(request, body, description, limits, (name) => nameIgnored(trace, name));

export async function requireDocument<T>(call: Call, description: Description<T>, limits: DocumentLimits): Promise<T> {
  return required(await optionalDocument(call, description, limits), description);
}

/** A document beside its text. What the description does not know stays in the text. */
export async function keptDocument<T>(call: Call, description: Description<T>, limits: DocumentLimits) {
  const kept = await readKept(call.request, call.body, description, limits);
  return required(kept, description);
}

/** What a body holds; 400 where it is empty. */
export function required<T>(value: T | undefined, description: Pick<Description, 'name'>): T {
  if (value !== undefined) return value;
  throw new ServiceError('body-missing', { context: 'body', explanation: `Expected ${withArticle(description.name)}` });
}

/** The body as a text, exactly as sent. */
export const sentText = ({ request, body }: Call, limit: number): Promise<string> => readText(request, body, limit);

/** Where a route reads documents and texts: whether this is a document. */
export const sendsDocument = ({ body: { form } }: Call): boolean => form === 'xml' || form === 'json';
