import { type Description, writeJson, writeXml } from '../core/documents/index.ts';
import { LateText, piece, piecesOf } from '../core/lib/text-stream.ts';
import { type Addressed, locationOf } from './address.ts';
import { type MediaType, noForm } from './negotiation.ts';

/** Answer of a handler. It becomes a `Response` in one step, with all headers: adding them later is slow. */
export interface Reply {
  readonly status: number;
  readonly type?: string | undefined;
  readonly body?: Text | LateText | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A second cookie: a name of a header stands once among those above. */
  readonly alsoCookie?: string | undefined;
  /** Document of an answer that is not rendered, because a command asked. */
  readonly value?: unknown;
  /** Whether the body has its `content-encoding` already: an edge would compress it again. */
  readonly encoded?: true;
}

/** Text, or its parts in order: joining the parts of a long list would block the event loop. */
export type Text = string | readonly string[];

/** 200 without a body, as this API answers most changes. */
export const done: Reply = { status: 200 };

/** As it answers a few. */
export const noContent: Reply = { status: 204 };

export const plain = (body: string): Reply => ({ status: 200, type: 'text/plain', body });

export const typed = (type: MediaType, body: string | Uint8Array<ArrayBuffer>): Reply => ({ status: 200, type, body });

/** Forbids caches to store an answer with a credential. */
export const notStored = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'cache-control': 'no-store' },
});

/** Adds the address of the created entity, so that clients need not build it. */
export function located(reply: Reply, call: Addressed, ...path: readonly string[]): Reply {
  const { status, type, body, headers } = reply;
  const location = locationOf(call, `/${path.map(encodeURIComponent).join('/')}`);
  // Property by property: what a spread makes has a shape of its own, which slows down all who look at it.
  return { status, type, body, headers: headers ? { ...headers, location } : { location } };
}

/** A list as text: a line an entry, tabs between the parts of one. */
export const lines = (entries: readonly (readonly string[])[]): Reply => plain(linesOf(entries));

export const linesOf = (entries: readonly (readonly string[])[]): string =>
  entries.map((parts) => `${parts.map(oneLine).join('\t')}\r\n`).join('');

/** A line end in a value would forge a further line; not all readers agree on what one is. */
export const oneLine = (text: string): string => text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ');

const contentTypes: Readonly<Record<string, string>> = {
  'application/xml': 'application/xml; charset=UTF-8',
  // Without a charset: what clients of this API have always seen, and JSON is UTF-8 by definition.
  'application/json': 'application/json',
  'text/plain': 'text/plain; charset=UTF-8',
  'text/vnd.graphviz': 'text/vnd.graphviz; charset=UTF-8',
};

export const inParts = (body: Reply['body']): body is readonly string[] => Array.isArray(body);

const asItsType = { 'x-content-type-options': 'nosniff' };
/** A document of the API that a browser shows as a page is nothing but text. */
const asText = {
  ...asItsType,
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
const pages: ReadonlySet<string> = new Set(['document', 'iframe', 'frame', 'embed', 'object']);

/** Headers of answers to browsers that have none of their own. `shownAs`: the header `Sec-Fetch-Dest`. */
export const headersFor = (shownAs: string, hasCredentials: boolean): Readonly<Record<string, string>> => ({
  ...(pages.has(shownAs) ? asText : asItsType),
  ...(hasCredentials && { 'cache-control': 'private, no-cache' }),
});

export function toResponse(reply: Reply, shared: Readonly<Record<string, string>>): Response {
  const headers: Record<string, string> = { ...shared };
  if (reply.headers) for (const name in reply.headers) headers[name] = reply.headers[name]!;
  if (reply.type !== undefined) headers['content-type'] = contentTypes[reply.type] ?? reply.type;
  // Without it, a page of this origin runs a text as a script.
  if (reply.type === 'text/plain') headers['x-content-type-options'] ??= 'nosniff';
  if (reply.body === undefined && reply.status !== 204 && reply.status !== 304) {
    // Without a body the length is still required, since a proxy may wait for one.
    headers['content-length'] ??= '0';
    // Expected by clients of this API, even without a body.
    if (reply.status === 200) headers['content-type'] ??= 'application/json';
  }
  const body = bodyOf(reply.body);
  const init = { status: reply.status, headers };
  const response = new Response(body ?? null, reply.encoded ? { ...init, ...asItIs } : init);
  if (reply.alsoCookie !== undefined) response.headers.append('set-cookie', reply.alsoCookie);
  return response;
}

/** Known to runtimes of edges alone. */
const asItIs = { encodeBody: 'manual' };

function bodyOf(body: Reply['body']): BodyInit | undefined {
  if (inParts(body)) return body.join('');
  return body instanceof LateText ? body.bytes() : body;
}

/** A document in the negotiated form. */
export type Render = <T>(type: MediaType, description: Description<T>, value: T) => Reply;

/** `namespace`: of XML. */
export const createRender =
  (namespace: string): Render =>
  (type, description, value) =>
    type === noForm
      ? { status: 200, value }
      : typed(
          type,
          type === 'application/json' ? writeJson(description, value) : writeXml(description, value, namespace),
        );

type TextReply = Reply & { readonly body: Text };

const isWhole = (body: Reply['body']): body is Text => typeof body === 'string' || inParts(body);

export const isTextBody = (body: Reply['body']): body is Text | LateText => isWhole(body) || body instanceof LateText;

export const isLong = (reply: Reply): reply is TextReply => isWhole(reply.body) && lengthOf(reply.body) > piece;

export const lengthOf = (text: Text): number =>
  typeof text === 'string' ? text.length : text.reduce((sum, part) => sum + part.length, 0);

/** The answer as a stream of pieces: the platform would make bytes of the whole text in one turn, and copy them. */
export async function inPieces(reply: TextReply): Promise<Reply> {
  const pieces: Uint8Array[] = [];
  for await (const each of piecesOf(reply.body)) pieces.push(each);
  const length = pieces.reduce((sum, each) => sum + each.length, 0);
  return { ...reply, body: streamOf(pieces), headers: { ...reply.headers, 'content-length': `${length}` } };
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = left.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
