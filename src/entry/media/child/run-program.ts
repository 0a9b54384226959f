import { MediaFault } from '../../../production/checking/public-reading.ts';
import { killAll, type Limits, limiterOf, ownLimits, spawnLimited } from './spawn-limited.ts';

/** Characters that a program may say. */
const maxOutput = 4 * 1024 * 1024;

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program within limits. Kills it after its time limit, or when its caller leaves. */
export function runLimited(
  program: string,
  words: readonly string[],
  limits: Limits,
  { signal, within }: { readonly signal: AbortSignal; readonly within: number },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawnLimited(program, words, limits);
    let [output, errors] = ['', ''];
    const fail = (error: Error) => {
      settle();
      killAll(child);
      reject(error);
    };
    const late = () =>
      fail(new MediaFault('exhausted', `Expected an answer about the media within ${within / 1000} s`));
    const stop = () => fail(new MediaFault('aborted', 'The question about the media was withdrawn'));
    const timer = setTimeout(late, within);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stdin!.on('error', () => undefined).end();
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maxOutput) fail(new MediaFault('broken', 'Expected a shorter description of the media'));
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4_096);
    });
    child.on('error', (error) => fail(new Error(`Expected to start ${program}: ${error.message}`)));
    child.on('close', (code) => {
      settle();
      resolve({ code, output, errors });
    });
    if (signal.aborted) stop();
  });
}

interface Run {
  readonly program: string;
  /** Name for messages. Default: ffmpeg, which has limits of its own. */
  readonly name?: string;
  readonly words: readonly string[];
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life. */
  readonly silence: number;
  /** Whether the media is to blame for a crash. Otherwise the program may be started again. */
  readonly blamesMedia?: boolean;
  /** Is given what the program prints. False: it is no sign of life. The program waits for a promise. */
  printed(piece: Uint8Array): boolean | Promise<void>;
}

const maxErrorLength = 4096;

/** Runs a program that opens foreign media. It is killed when the signal says so, or when it is silent for too long. */
export async function runStreaming(run: Run): Promise<void> {
  const { program, name = 'ffmpeg', words, limits, signal, silence, blamesMedia = false, printed } = run;
  signal.throwIfAborted();
  const own = name === 'ffmpeg' ? ownLimits(name, limits, limiterOf()) : [];
  const child = spawnLimited(program, [...own, ...words], limits);
  let said = '';
  let isSilent = false;
  const kill = () => killAll(child);
  const silent = () => {
    isSilent = true;
    kill();
  };
  let timer = setTimeout(silent, silence);
  const lives = () => {
    clearTimeout(timer);
    timer = setTimeout(silent, silence);
  };
  let refused: { readonly error: unknown } | undefined;
  const refuse = (error: unknown) => {
    refused ??= { error };
    child.stdout!.resume();
    kill();
  };
  child.stdin!.on('error', () => undefined).end();
  child.stdout!.on('data', (piece: Uint8Array) => {
    if (refused) return;
    try {
      const heard = printed(piece);
      if (typeof heard === 'boolean') return heard ? lives() : undefined;
      clearTimeout(timer);
      child.stdout!.pause();
      heard.then(() => {
        lives();
        child.stdout!.resume();
      }, refuse);
    } catch (error) {
      refuse(error);
    }
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-maxErrorLength);
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    const [code, end] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...ended) => resolve(ended));
    });
    signal.throwIfAborted();
    if (refused) throw refused.error;
    if (isSilent) throw new MediaFault('exhausted', `Expected a sign of life within ${silence / 1000} seconds`);
    if (code === 0) return;
    if (end !== null && blamesMedia) throw new MediaFault('broken', `Expected media that ${name} survives: ${end}`);
    if (end !== null) throw new Error(`Expected the program to end by itself: ${end}`);
    throw new MediaFault('broken', `Expected media that ${name} reads: ${sentence(said)}`);
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

/** Limit for one picture, which is held in memory. */
export const maxPictureBytes = 16 * 1024 * 1024;

interface PictureRun extends Omit<Run, 'printed'> {
  /** Whether `silence` bounds the whole run: output is no sign of life. */
  readonly endsInTime?: boolean;
}

/** Picture that a program prints. Empty: none. */
export async function printedPicture({ endsInTime = false, ...run }: PictureRun): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const tooLarge = new AbortController();
  let size = 0;
  await runStreaming({
    ...run,
    signal: AbortSignal.any([run.signal, tooLarge.signal]),
    printed(piece) {
      size += piece.byteLength;
      if (size > maxPictureBytes) tooLarge.abort(new MediaFault('exhausted', 'Expected a smaller picture'));
      else pieces.push(piece);
      return !endsInTime;
    },
  });
  return new Uint8Array(Buffer.concat(pieces));
}
