import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { Call } from './call.ts';
import { multipartRanges, type Part, rangesOf } from './ranges.ts';
import type { Reply } from './reply.ts';

/** Byte content of an answer, such as a file or a picture. Opened only when bytes are sent. */
export interface Bytes {
  readonly size: number;
  readonly type: string;
  /** Version of the bytes, without quotes. Changes with the bytes. */
  readonly version?: string;
  /** Milliseconds since the epoch. */
  readonly modified?: number;
  /** Separator between several ranges, absent from the bytes. Undefined: several ranges get the whole content. */
  boundary?(): string;
  /** More headers of every answer that is no refusal. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Short content at once, in place of `open`. */
  readonly piece?: ((from: number, end: number) => Promise<Uint8Array<ArrayBuffer>>) | undefined;
  /** Headers by which a proxy sends the bytes in place of this service. Undefined: it does not reach them. */
  readonly handOver?: (() => Promise<Readonly<Record<string, string>> | undefined>) | undefined;
  /** The bytes from `from` up to `end`, without that one. */
  open(from: number, end: number): Maybe<ReadableStream<Uint8Array>>;
}

/** Bytes up to which content is read at once: what players ask for while they seek. */
const maxPieceLength = 256 * 1024;

/** Request for bytes: its method, its conditions and its ranges. */
export interface BytesRequest {
  readonly requestId: string;
  readonly method: string;
  readonly headers: Headers;
  /** Whether a trusted proxy forwarded the request, and so can send the bytes itself. */
  readonly isForwarded?: boolean | undefined;
}

export const bytesRequest = ({ trace, isForwarded, request: { method, headers } }: Call): BytesRequest => ({
  requestId: trace.id,
  method,
  headers,
  isForwarded,
});

/** Holders of an address may play it, also in a player on a page of another origin. */
export const forAnyOrigin = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'cross-origin-resource-policy': 'cross-origin' },
});

/** Answers bytes by RFC 9110: conditions first (13.2.2), then ranges (14.2), streamed without a buffer. */
export async function bytesReply(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  bytes: Bytes,
): Promise<Reply> {
  const validators = { ...bytes.headers, ...validatorsOf(bytes) };
  if (fails(headers, bytes)) throw changed(validators);
  if (isKnown(headers, bytes)) return { status: 304, headers: validators };
  const parts = method === 'GET' && mayRange(headers, bytes) ? rangesOf(headers.get('range'), bytes.size) : undefined;
  const handedOver = mayHandOver(headers, parts) ? await bytes.handOver?.() : undefined;
  // The proxy adds length and ranges: a second header of the same name would say otherwise.
  if (handedOver) return { status: 200, type: bytes.type, headers: { ...validators, ...handedOver } };
  const shared = { ...validators, 'accept-ranges': 'bytes' };
  const boundary = parts && parts.length > 1 ? bytes.boundary?.() : undefined;
  if (parts && boundary !== undefined) return several(parts, boundary, bytes, shared);
  const part = parts?.length === 1 ? parts[0] : undefined;
  const { from, end } = part ?? { from: 0, end: bytes.size };
  const reply: Reply = {
    status: part ? 206 : 200,
    type: bytes.type,
    headers: {
      ...shared,
      'content-length': String(end - from),
      ...(part && { 'content-range': `bytes ${from}-${end - 1}/${bytes.size}` }),
    },
  };
  if (method === 'HEAD' || end === from) return reply;
  const piece = end - from <= maxPieceLength && bytes.piece;
  return { ...reply, body: piece ? await piece(from, end) : await bytes.open(from, end) };
}

/** Whether a proxy answers the conditions of the request alike: it does not know the version, and refuses more ranges. */
const mayHandOver = (headers: Headers, parts: readonly Part[] | undefined): boolean =>
  !headers.has('if-match') && (parts !== undefined || !headers.has('range'));

async function several(
  parts: readonly Part[],
  boundary: string,
  bytes: Bytes,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const { size } = bytes;
  const open = ({ from, end }: Part) => bytes.open(from, end);
  const { type, length, body } = multipartRanges({ parts, size, type: bytes.type, boundary, open });
  const reply = { status: 206, type, headers: { ...headers, 'content-length': String(length) } };
  return { ...reply, body: body(await open(parts[0]!)) };
}

function validatorsOf({ version, modified }: Bytes): Record<string, string> {
  return {
    ...(version !== undefined && { etag: `"${version}"` }),
    ...(modified !== undefined && { 'last-modified': new Date(modified).toUTCString() }),
  };
}

/** The caller wants what it has seen before, and that is gone. */
function fails(headers: Headers, { version, modified }: Bytes): boolean {
  const match = headers.get('if-match');
  if (match !== null) return match.trim() !== '*' && !(version !== undefined && tagsIn(match).includes(`"${version}"`));
  const since = timeIn(headers.get('if-unmodified-since'));
  return since !== undefined && modified !== undefined && seconds(modified) > since;
}

/** The caller has it already. */
function isKnown(headers: Headers, { version, modified }: Bytes): boolean {
  const none = headers.get('if-none-match');
  if (none !== null) {
    if (none.trim() === '*') return true;
    return version !== undefined && tagsIn(none).some((tag) => tag.replace(/^W\//, '') === `"${version}"`);
  }
  const since = timeIn(headers.get('if-modified-since'));
  return since !== undefined && modified !== undefined && seconds(modified) <= since;
}

/** A range of another state than the caller has would be put together with bytes of that one. */
function mayRange(headers: Headers, { version, modified }: Bytes): boolean {
  const condition = headers.get('if-range')?.trim();
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === `"${version}"`;
  const time = timeIn(condition);
  return time !== undefined && modified !== undefined && seconds(modified) === time;
}

const tagsIn = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Whole seconds, as the headers have them. A date that cannot be read is no condition. */
function timeIn(header: string | null | undefined): number | undefined {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : seconds(time);
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

function changed(headers: Readonly<Record<string, string>>): ServiceError {
  const explanation = 'Expected the state that If-Match or If-Unmodified-Since names: it has changed';
  return new ServiceError('condition-failed', { context: 'header If-Match', explanation }, headers);
}
