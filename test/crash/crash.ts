import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from '../support/instance.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';

/** A child process that works until it is killed, and prints a line for each thing that it has acknowledged. */
export interface CrashPlan {
  /** The module that the child runs, with the database URL and the number of its life as arguments. */
  readonly child: URL;
  /** More arguments for it. */
  readonly args?: readonly string[];
  readonly seed: number;
  readonly kills: number;
  /** The kill comes at a random moment of so many milliseconds after the child said `ready`. */
  readonly within: number;
  /** In every second life, not before the child has acknowledged so many things: a slow machine kills no faster child. */
  readonly least: number;
  /** Called after each kill with a copy of the database and all lines printed so far. Throws what is broken. */
  check(url: string, acknowledged: readonly string[], isLast: boolean): Promise<void>;
}

export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
}

/** A repeatable series of moments (mulberry32): the same seed kills at the same moments. */
export function randomMoments(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Kills the child again and again on one database. */
export async function crash(plan: CrashPlan): Promise<CrashReport> {
  const directory: TemporaryDirectory = await temporaryDirectory();
  const url = `file:${join(directory.path, 'portico.db')}`;
  const random = randomMoments(plan.seed);
  const acknowledged: string[] = [];
  try {
    for (let life = 0; life < plan.kills; life++) {
      const least = life % 2 === 0 ? plan.least : 0;
      const args = [url, String(life), ...(plan.args ?? [])];
      acknowledged.push(...(await liveAndDie(plan.child, args, random() * plan.within, least)));
      try {
        await plan.check(await copyOf(directory.path, life), acknowledged, life === plan.kills - 1);
      } catch (error) {
        const where = `after kill ${life + 1} of seed ${plan.seed}`;
        throw new Error(`${where}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    }
    return { kills: plan.kills, acknowledged: acknowledged.length };
  } finally {
    await directory.remove();
  }
}

/** A copy without the shared memory: the next process must recover from the log alone, and so must the next life. */
async function copyOf(directory: string, life: number): Promise<string> {
  const place = join(directory, `check-${life}`);
  await rm(join(directory, `check-${life - 1}`), { recursive: true, force: true });
  await mkdir(place);
  for (const name of ['portico.db', 'portico.db-wal']) {
    const from = join(directory, name);
    if (existsSync(from)) await copyFile(from, join(place, name));
  }
  return `file:${join(place, 'portico.db')}`;
}

async function liveAndDie(child: URL, args: readonly string[], moment: number, least: number): Promise<string[]> {
  const process = await start(child, args);
  let output = '';
  let complaint = '';
  const [started, isReady] = eventually();
  const [acknowledged, hasAcknowledged] = eventually();
  process.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const lines = output.split('\n').length - 1;
    if (lines > 0) isReady();
    if (lines > least) hasAcknowledged();
  });
  process.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = new Promise<void>((resolve) => process.once('close', () => resolve()));
  await Promise.race([started, ended]);
  await Promise.race([new Promise((resolve) => setTimeout(resolve, moment)), ended]);
  await Promise.race([acknowledged, ended]);
  process.kill('SIGKILL');
  await ended;
  if (complaint !== '') throw new Error(`The child failed by itself: ${complaint}`);
  // Output after the last newline was cut off by the kill.
  return output.split('\n').slice(1, -1);
}

function eventually(): [Promise<void>, () => void] {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return [happened, happen];
}

/** With the runtime that runs the test. Node 20 reads no TypeScript. */
async function start(child: URL, args: readonly string[]): Promise<ChildProcess> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  if ('Deno' in globalThis || 'Bun' in globalThis) {
    const run = 'Deno' in globalThis ? ['run', '-A'] : [];
    return spawn(process.execPath, [...run, fileURLToPath(child), ...args], { stdio: [...stdio] });
  }
  return spawn(process.execPath, [await bundled(child), ...args], { stdio: [...stdio] });
}
