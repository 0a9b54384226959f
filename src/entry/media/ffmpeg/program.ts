import { MediaFault } from '../../../production/checking/public-reading.ts';
import { killAll, type Limits, limiterOf, ownLimits, spawnLimited } from '../child/spawn-limited.ts';

interface Run {
  readonly program: string;
  readonly words: readonly string[];
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life. */
  readonly silence: number;
  /** Is given what the program prints. False: it is no sign of life. */
  printed(piece: Uint8Array): boolean;
}

const longestError = 4096;

/** Runs a program that opens foreign media. It is killed when the signal says so, or when it is silent for too long. */
export async function runStreaming({ program, words, limits, signal, silence, printed }: Run): Promise<void> {
  signal.throwIfAborted();
  const child = spawnLimited(program, [...ownLimits('ffmpeg', limits, limiterOf()), ...words], limits);
  let said = '';
  let isSilent = false;
  const kill = () => killAll(child);
  const silent = () => {
    isSilent = true;
    kill();
  };
  let timer = setTimeout(silent, silence);
  child.stdin!.on('error', () => undefined).end();
  child.stdout!.on('data', (piece: Uint8Array) => {
    if (!printed(piece)) return;
    clearTimeout(timer);
    timer = setTimeout(silent, silence);
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-longestError);
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    const [code, end] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...ended) => resolve(ended));
    });
    signal.throwIfAborted();
    if (isSilent) throw new MediaFault('exhausted', `Expected a sign of life within ${silence / 1000} seconds`);
    if (code === 0) return;
    if (end !== null) throw new Error(`Expected the program to end by itself: ${end}`);
    throw new MediaFault('broken', `Expected media that ffmpeg reads: ${sentence(said)}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

/** The last lines of what a program says, without the address of the source. */
const sentence = (said: string): string =>
  said
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+/g, 'the source')
    .trim()
    .split('\n')
    .slice(-2)
    .join(' ')
    .replaceAll(/[\0-\x1f\x7f]+/g, ' ')
    .slice(0, 400);
