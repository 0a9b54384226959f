import { type ChildProcess, execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { StoreKey } from './store.ts';

export const run = promisify(execFile);

/** How a check ends with a store that differs, and why that does no harm. */
interface KnownDifference {
  readonly problem: string;
  readonly reason: string;
}

/** A store that is started for a test, on 127.0.0.1 alone. */
export interface Gateway extends StoreKey {
  readonly endpoint: string;
  /** `ceph version 16.2.15 …`. */
  readonly version: string;
  /** Checks of the script in which the store is known to differ. */
  readonly known?: Readonly<Record<string, KnownDifference>>;
  close(): Promise<void>;
}

/** A real store. */
export interface StoreProgram {
  readonly name: string;
  /** Program that is missing to start it. Undefined: none. */
  lacks(): Promise<string | undefined>;
  start(): Promise<Gateway>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Asks again and again, for at most so many seconds. */
export async function until(what: string, seconds: number, ask: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (await ask().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error(`Expected ${what} within ${seconds} seconds`);
}

export async function ended(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children.toReversed()) {
    const gone = new Promise((done) => child.once('exit', done));
    if (child.exitCode === null && child.kill('SIGKILL')) await gone;
  }
}

/** Whether a program is there and answers to these words. */
export const answers = (program: string, ...words: string[]): Promise<boolean> =>
  run(program, words).then(
    () => true,
    () => false,
  );

/** Builds a program of the Go module proxy, unless an earlier run has. Returns its path. */
export async function goProgram(name: string, module: string): Promise<string> {
  const folder = resolve('node_modules/.cache/go');
  await mkdir(folder, { recursive: true });
  const path = `${folder}/${name}`;
  if (await answers(path, '--version')) return path;
  await run('go', ['install', module], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-buildvcs=false' },
    timeout: 1_800_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return path;
}
