import { MediaFault } from '../../../production/checking/public-reading.ts';
import { killAll, type Limits, spawnLimited } from './spawn-limited.ts';

/** Characters that a program may say. */
const mostOutput = 4 * 1024 * 1024;

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
      if (output.length > mostOutput) fail(new MediaFault('broken', 'Expected a shorter description of the media'));
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
