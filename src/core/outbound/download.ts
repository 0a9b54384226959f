import type { OutboundMethod } from '../../spi/index.ts';
import type { CallProgress } from './progress.ts';
import type { WireAnswer } from './wire.ts';
import { OutboundError } from './wire.ts';

interface DownloadSteps extends Pick<CallProgress, 'signal' | 'fail'> {
  /** A piece came. */
  moved(): void;
  /** Called at the end: all bytes have arrived, or the reader needs no more. */
  done(whole: boolean): void;
}

interface DownloadLimits {
  readonly host: string;
  readonly mostBytes: number | undefined;
}

/** Bytes that the answer says it has. A runtime that unpacks an answer hands on another number of them. */
function announcedLength({ headers }: WireAnswer): number | undefined {
  const announced = headers.get('content-length');
  return announced === null || headers.has('content-encoding') ? undefined : Number(announced);
}

export const isBodiless = (method: OutboundMethod, answer: WireAnswer): boolean =>
  method === 'HEAD' ||
  answer.status === 204 ||
  answer.status === 304 ||
  answer.body === null ||
  announcedLength(answer) === 0;

export const emptyBody = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.close() });

/** The body as it comes: a piece is read from the connection when the reader asks for it. */
export function downloadOf(answer: WireAnswer, { host, mostBytes }: DownloadLimits, steps: DownloadSteps) {
  const { signal } = steps;
  const iterator = answer.body![Symbol.asyncIterator]();
  const length = announcedLength(answer);
  let came = 0;
  let leave: () => void;

  const broken = (cause?: unknown) => new OutboundError('answer', `Expected a whole answer from "${host}"`, cause);

  /** Why the bytes so far are no answer, or undefined. */
  function defect(done: boolean): OutboundError | undefined {
    if (mostBytes !== undefined && !(came <= mostBytes))
      return new OutboundError('too-large', `Expected an answer of at most ${mostBytes} bytes`);
    const wrong = length !== undefined && (done ? came !== length : came > length);
    return wrong ? broken() : undefined;
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        leave = () => controller.error(signal.reason);
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
      },
      async pull(controller) {
        try {
          const { value, done = false } = await iterator.next();
          if (signal.aborted) return;
          came += value?.length ?? 0;
          const failure = defect(done);
          if (failure) return steps.fail(failure);
          if (!done) {
            controller.enqueue(value);
            return steps.moved();
          }
          signal.removeEventListener('abort', leave);
          controller.close();
          steps.done(true);
        } catch (error) {
          steps.fail(error instanceof OutboundError ? error : broken(error));
        }
      },
      cancel() {
        signal.removeEventListener('abort', leave);
        steps.done(false);
      },
    },
    { highWaterMark: 0 },
  );
}
