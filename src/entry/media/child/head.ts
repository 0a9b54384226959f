import { MediaFault } from '../../../checking/public-reading.ts';
import { systemClock } from '../../../lib/clock.ts';
import { inTime } from '../../../lib/in-time.ts';
import type { MediaQuestion } from './media-process.ts';

/**
 * First bytes of the media, sent with a question to save the process a read. Read before the question's turn, while the
 * process answers others.
 */
export async function headOf(question: MediaQuestion): Promise<Uint8Array | undefined> {
  const { source, signal, within, sends } = question;
  if (sends === undefined) return undefined;
  const end = Math.min(sends, source.size);
  if (end === 0) return new Uint8Array();
  const late = () => new MediaFault('exhausted', `Expected the first bytes within ${within / 1000} seconds`);
  const head = await inTime(whileNeeded(source.read({ from: 0, end }), signal), systemClock, within, late);
  if (head.byteLength === end) return head;
  throw new Error(`Expected ${end} bytes of the file: found ${head.byteLength}`);
}

/** Ends with its caller, also where the storage hangs. */
function whileNeeded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const withdraw = () => reject(new MediaFault('aborted', 'The question about the media was withdrawn'));
    signal.addEventListener('abort', withdraw, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', withdraw));
    if (signal.aborted) withdraw();
  });
}
