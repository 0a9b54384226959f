import { toHex } from '../../../core/lib/bytes.ts';

const utf8 = new TextEncoder();

export const mebibyte = 1024 * 1024;

/** Bytes that differ from place to place, and from those of another seed. */
export function someBytes(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer, 0, length);
}

export const toBytes = (content: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? utf8.encode(content) : new Uint8Array(content);

/** Bytes in pieces of many sizes, as a network brings them. `fail` is what breaks the body after them. */
export function streamBody(bytes: Uint8Array, fail?: Error): ReadableStream<Uint8Array> {
  const sizes = [1, 65_536, 100_003, 65_536];
  let [at, piece] = [0, 0];
  return new ReadableStream(
    {
      pull(controller) {
        if (at < bytes.byteLength) {
          const end = at + sizes[piece++ % sizes.length]!;
          controller.enqueue(bytes.slice(at, end));
          at = end;
        } else if (fail) controller.error(fail);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Some bytes, and then nothing more: neither an end nor an error. */
export function stuckBody(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) return new Promise(() => undefined);
      sent = true;
      controller.enqueue(bytes.slice());
      return undefined;
    },
  });
}

export async function collectBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.byteLength !== other.byteLength) return false;
  for (let at = 0; at < one.byteLength; at++) if (one[at] !== other[at]) return false;
  return true;
}

export const digestOf = async (algorithm: 'SHA-1' | 'SHA-256', bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest(algorithm, bytes)));

/** UTF-8 orders as code points do, which comparing strings does not above U+FFFF. */
export function comparePaths(one: string, other: string): number {
  const [a, b] = [utf8.encode(one), utf8.encode(other)];
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
