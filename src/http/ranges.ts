import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';

/** Bytes from `from` up to `end`, without that one. */
export interface Part {
  readonly from: number;
  readonly end: number;
}

/** A header with more of them counts as none: a list of tiny ranges costs more than the whole. */
const maxRanges = 16;

/**
 * The ranges that a header asks for, in its order; those that overlap or touch are one. Undefined where all of it is
 * meant: another unit, another form, too many.
 */
export function rangesOf(header: string | null, size: number): readonly Part[] | undefined {
  const [, list] = /^\s*bytes\s*=(.*)$/i.exec(header ?? '') ?? [];
  if (list === undefined) return undefined;
  const specs = list.split(',', maxRanges + 1);
  if (specs.length > maxRanges) return undefined;
  const parts: Part[] = [];
  for (const spec of specs) {
    const part = partOf(spec, size);
    if (part === undefined) return undefined;
    if (part !== 'outside') join(parts, part);
  }
  if (parts.length === 0) throw unsatisfiable(size, header);
  return parts;
}

/** Undefined: it cannot be read, or its end comes before its begin. */
function partOf(spec: string, size: number): Part | 'outside' | undefined {
  const [, first = '', last = ''] = /^\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/.exec(spec) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'outside' : { from: size - count, end: size };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) return 'outside';
  return { from, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

/** Replaces the first overlapping part, in its position. */
function join(parts: Part[], part: Part): void {
  let joined = part;
  let place = parts.length;
  for (let at = parts.length - 1; at >= 0; at--) {
    const other = parts[at]!;
    if (other.end < joined.from || joined.end < other.from) continue;
    joined = { from: Math.min(other.from, joined.from), end: Math.max(other.end, joined.end) };
    parts.splice(at, 1);
    place = at;
  }
  parts.splice(place, 0, joined);
}

function unsatisfiable(size: number, header: string | null): ServiceError {
  const detail = { context: 'header Range', explanation: `Expected a range within ${size} bytes` };
  const value = (header ?? '').slice(0, 80);
  return new ServiceError('range-outside', { ...detail, value }, { 'content-range': `bytes */${size}` });
}

interface Ranged {
  readonly parts: readonly Part[];
  readonly size: number;
  readonly type: string;
  readonly boundary: string;
  open(part: Part): Maybe<ReadableStream<Uint8Array>>;
}

const utf8 = new TextEncoder();

/** Several ranges in one body (RFC 9110, 14.6): each behind a head of its own, opened when its turn comes. */
export function multipartRanges({ parts, size, type, boundary, open }: Ranged) {
  const heads = parts.map(({ from, end }, index) => {
    const range = `Content-Range: bytes ${from}-${end - 1}/${size}`;
    return utf8.encode(`${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${type}\r\n${range}\r\n\r\n`);
  });
  const tail = utf8.encode(`\r\n--${boundary}--\r\n`);
  const sent = parts.reduce((sum, { from, end }) => sum + end - from, 0);
  const framing = heads.reduce((sum, head) => sum + head.byteLength, tail.byteLength);

  /** `first` is open already, so that what cannot be read is refused before the answer begins. */
  function body(first: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    let index = 0;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined = first.getReader();
    let headDue = true;
    let gone = false;

    async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      if (headDue) {
        headDue = false;
        return controller.enqueue(heads[index]!);
      }
      reader ??= (await open(parts[index]!)).getReader();
      // The caller went away while it was opened.
      if (gone) return void (await reader.cancel());
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      reader = undefined;
      headDue = true;
      if (++index < parts.length) return pull(controller);
      controller.enqueue(tail);
      controller.close();
    }

    return new ReadableStream<Uint8Array>(
      {
        pull,
        async cancel(reason) {
          gone = true;
          await reader?.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  return { type: `multipart/byteranges; boundary=${boundary}`, length: sent + framing, body };
}
