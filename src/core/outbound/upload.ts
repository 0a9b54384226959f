import type { OutboundStreamCall } from '../../spi/index.ts';
import { badUrl } from './request.ts';
import type { WireUpload } from './wire.ts';
import { OutboundError } from './wire.ts';

/** Bytes of one piece of a body that is in memory: small enough that a slow receiver is seen to move. */
const piece = 65_536;

interface UploadSteps {
  readonly signal: AbortSignal;
  /** The wire takes a piece. */
  moved(): void;
  /** The wire has all of it. */
  sent(): void;
  fail(error: OutboundError): void;
}

/** Reads what the caller gives, only as fast as the wire asks, and holds it against the length that is told. */
export function wireUpload({ body, length }: OutboundStreamCall, steps: UploadSteps): WireUpload | undefined {
  if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0)) throw badUrl('a length of whole bytes');
  if (body === undefined) {
    if (length !== undefined) throw badUrl('a body for that length');
    return undefined;
  }
  if (body instanceof ReadableStream) return { length, repeatable: false, open: () => measured(body, length, steps) };
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (length !== undefined && length !== bytes.length) throw wrongLength(length, `${bytes.length}`);
  return { length: bytes.length, repeatable: true, open: () => measured(piecesOf(bytes), bytes.length, steps) };
}

/** Counts the bytes of the caller's stream. Pieces are pulled on demand, so no byte is buffered here. */
function measured(source: ReadableStream<Uint8Array>, length: number | undefined, steps: UploadSteps) {
  const { signal } = steps;
  const reader = source.getReader();
  let left = length ?? Number.POSITIVE_INFINITY;
  let leave: () => void;

  function fails(error: OutboundError): void {
    reader.cancel(error).catch(() => undefined);
    steps.fail(error);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        leave = () => {
          controller.error(signal.reason);
          reader.cancel(signal.reason).catch(() => undefined);
        };
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
      },
      async pull(controller) {
        const next = await reader.read().catch((error: unknown) => {
          fails(new OutboundError('aborted', 'Expected a body that can be read to its end', error));
          return undefined;
        });
        if (signal.aborted || !next) return;
        left -= next.value?.length ?? 0;
        if (left < 0) return fails(wrongLength(length!, 'more'));
        if (next.done) {
          if (left > 0 && length !== undefined) return fails(wrongLength(length, `${length - left}`));
          signal.removeEventListener('abort', leave);
          controller.close();
          return steps.sent();
        }
        controller.enqueue(next.value);
        steps.moved();
      },
      cancel(reason) {
        signal.removeEventListener('abort', leave);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function piecesOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.subarray(at, at + piece));
        at += piece;
      },
    },
    { highWaterMark: 0 },
  );
}

const wrongLength = (length: number, text: string): OutboundError =>
  badUrl(`a body of ${length} bytes, as its length says: "${text}"`);
