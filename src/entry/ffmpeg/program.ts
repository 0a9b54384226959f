import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import process from 'node:process';
import { MediaFault } from '../../checking/probing/faults.ts';

export interface ProgramLimits {
  /** Of memory. */
  readonly megabytes: number;
  /** Milliseconds without a sign of life. */
  readonly silence: number;
}

export interface Run {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The folder it runs in, which holds nothing of anybody else. */
  readonly folder: string;
  readonly limits: ProgramLimits;
  readonly signal: AbortSignal;
  /** Is given what the program prints. Each piece is a sign of life. */
  printed(piece: Uint8Array): void;
}

const longestError = 4096;
const canLimit = process.platform !== 'win32';

/** Where a program lies. Undefined: nowhere on the path. */
export async function programNamed(name: string): Promise<string | undefined> {
  if (name === '') return undefined;
  const places = isAbsolute(name)
    ? [name]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return place;
    } catch {
      // Not there.
    }
  }
  return undefined;
}

/**
 * Runs a program that opens foreign media: without environment and descriptors of this process, in a folder of its own,
 * with bounded memory and without core dumps. It is killed when the signal says so, or when it is silent for too long.
 */
export async function runProgram({ program, limits, folder, signal, printed, ...run }: Run): Promise<void> {
  signal.throwIfAborted();
  const bounded = `ulimit -c 0; ulimit -v ${limits.megabytes * 1024}; exec "$@"`;
  const [command, ...given] = canLimit
    ? ['/bin/sh', '-c', bounded, 'sh', program, ...run.arguments]
    : [program, ...run.arguments];
  const child = spawn(command!, given, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let said = '';
  let isSilent = false;
  const kill = () => child.kill('SIGKILL');
  const silence = () => {
    isSilent = true;
    kill();
  };
  let timer = setTimeout(silence, limits.silence);
  child.stdout.on('data', (piece: Uint8Array) => {
    clearTimeout(timer);
    timer = setTimeout(silence, limits.silence);
    printed(piece);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-longestError);
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    const [code, end] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...ended) => resolve(ended));
    });
    signal.throwIfAborted();
    if (isSilent) throw new MediaFault('exhausted', `Expected a sign of life within ${limits.silence / 1000} seconds`);
    if (code === 0) return;
    if (end !== null) throw new Error(`Expected the program to end by itself: ${end}`);
    throw new MediaFault('broken', `Expected media that ffmpeg reads: ${sentence(said)}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** The last line of what a program says, without the address of the source. */
const sentence = (said: string): string =>
  said
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+/g, 'the source')
    .trim()
    .split('\n')
    .slice(-2)
    .join(' ')
    .replaceAll(/[\0-\x1f\x7f]+/g, ' ')
    .slice(0, 400);
