import { ServiceError } from '../lib/errors.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import type { Reply } from './reply.ts';

/** What a route answers as bytes: a file, a picture. It is opened only when bytes of it are sent. */
export interface Bytes {
  readonly size: number;
  readonly type: string;
  /** Names this state of the bytes: another state has another one. Without the quotes. */
  readonly version?: string;
  /** Milliseconds since the epoch. */
  readonly modified?: number;
  /** The bytes from `from` up to `end`, without that one. */
  open(from: number, end: number): Maybe<ReadableStream<Uint8Array>>;
}

interface Part {
  readonly from: number;
  readonly end: number;
}

/** Answers bytes as RFC 9110 says: conditions first (13.2.2), then one range (14.2), streamed without a buffer. */
export function bytesReply({ method, headers }: Pick<Request, 'method' | 'headers'>, bytes: Bytes): Maybe<Reply> {
  const validators = validatorsOf(bytes);
  if (fails(headers, bytes)) throw changed(validators);
  if (isKnown(headers, bytes)) return { status: 304, headers: validators };
  const part = method === 'GET' && mayRange(headers, bytes) ? rangeOf(headers.get('range'), bytes.size) : undefined;
  const { from, end } = part ?? { from: 0, end: bytes.size };
  const reply: Reply = {
    status: part ? 206 : 200,
    type: bytes.type,
    headers: {
      ...validators,
      'accept-ranges': 'bytes',
      'content-length': String(end - from),
      ...(part && { 'content-range': `bytes ${from}-${end - 1}/${bytes.size}` }),
    },
  };
  if (method === 'HEAD' || end === from) return reply;
  return after(bytes.open(from, end), (body) => ({ ...reply, body }));
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

/** One range. Several, another unit or another form mean all of it, as RFC 9110 allows. */
function rangeOf(header: string | null, size: number): Part | undefined {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const count = Math.min(Number(last), size);
    if (count === 0) throw unsatisfiable(size, header);
    return { from: size - count, end: size };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) throw unsatisfiable(size, header);
  return { from, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

const tagsIn = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Whole seconds, as the headers have them. A date that cannot be read is no condition. */
function timeIn(header: string | null | undefined): number | undefined {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : seconds(time);
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

function unsatisfiable(size: number, header: string | null): ServiceError {
  const detail = { context: 'header Range', explanation: `Expected a range within ${size} bytes` };
  const value = (header ?? '').slice(0, 80);
  return new ServiceError('range-outside', { ...detail, value }, { 'content-range': `bytes */${size}` });
}

function changed(headers: Readonly<Record<string, string>>): ServiceError {
  const explanation = 'Expected the state that If-Match or If-Unmodified-Since names: it has changed';
  return new ServiceError('condition-failed', { context: 'header If-Match', explanation }, headers);
}
