import type { Maybe } from '../core/lib/maybe.ts';
import { LateText, piecesOf } from '../core/lib/text-stream.ts';
import type { Call } from './call.ts';
import { isTextBody, lengthOf, type Reply, type Text } from './reply.ts';

/** Makes an answer smaller on its way out, where that is worth it. */
export type Compress = (reply: Reply, call: Call) => Maybe<Reply>;

/** Characters that are compressed in one turn of the loop. */
const piece = 65_536;

/**
 * Compresses long texts that GET answers, or a PUT that changed nothing (a search), for callers who accept gzip. A short
 * one would cost more than it saves. Answers with a credential stay as they are: their compressed size would reveal it,
 * where a request can put something beside it.
 */
export function createCompress(least: number): Compress {
  if (least === 0 || typeof CompressionStream === 'undefined') return (reply) => reply;
  return (reply, { method, request, trace }) => {
    const { status, headers } = reply;
    const { body } = reply;
    if (!isTextBody(body) || status !== 200) return reply;
    if (!(body instanceof LateText) && lengthOf(body) < least) return reply;
    if (method !== 'GET' && (method !== 'PUT' || trace.audited)) return reply;
    if (headers?.['cache-control'] === 'no-store') return reply;
    const varies = [trace.headers?.['vary'], 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
    const plain = { ...reply, headers: { ...headers, vary: varies } };
    if (!acceptsGzip(request.headers.get('accept-encoding'))) return plain;
    return body instanceof LateText ? compressedLate(plain, body) : compressed(plain, body);
  };
}

/** Compressed as its caller takes it. */
const compressedLate = (reply: Reply, body: LateText): Reply => ({
  ...reply,
  body: body.bytes(piece).pipeThrough(new CompressionStream('gzip')),
  headers: { ...reply.headers, 'content-encoding': 'gzip' },
});

async function compressed(reply: Reply, body: Text): Promise<Reply> {
  const stream = new CompressionStream('gzip');
  const [packed] = await Promise.all([new Response(stream.readable).arrayBuffer(), write(body, stream.writable)]);
  return { ...reply, body: new Uint8Array(packed), headers: { ...reply.headers, 'content-encoding': 'gzip' } };
}

/** Some runtimes compress on the serving thread, so other requests have their turn between the pieces. */
async function write(text: Text, writable: WritableStream<BufferSource>): Promise<void> {
  const writer = writable.getWriter();
  for await (const bytes of piecesOf(text, piece)) await writer.write(bytes);
  await writer.close();
}

/** RFC 9110, 12.5.3: the name itself counts before the star, and a weight of 0 says no. */
export const acceptsGzip = (header: string | null): boolean => acceptsEncoding(header, 'gzip');

export function acceptsEncoding(header: string | null, encoding: string): boolean {
  if (header === null) return false;
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='));
        return [name === 'x-gzip' ? 'gzip' : name, Number(weight?.slice(2) || 1)] as const;
      }),
  );
  return (weights.get(encoding) ?? weights.get('*') ?? 0) > 0;
}
