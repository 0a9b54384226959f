import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { askJson } from '../item-root.ts';
import { type RuntimeName, type Started, startService } from '../runtimes.ts';
import { calm, cpuOfTree, tick } from '../usage.ts';

/** A server with a folder of its own, beside tools that do the same work. CPU time counts whole trees of processes. */
export interface CostWorld {
  readonly runtime: RuntimeName;
  readonly directory: string;
  readonly server: Started;
  /** Adds a storage for a folder of the directory. Gives its id. */
  addStorage(folder: string): Promise<string>;
  /** Milliseconds of CPU time of the server and its children, until they are calm again. */
  costOf(work: () => Promise<unknown>): Promise<number>;
}

/** Milliseconds of CPU time of a program. */
export function toolCost(command: string, ...words: readonly string[]): number {
  const ended = () => {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
    return (Number(fields[13]) + Number(fields[14])) * tick;
  };
  const before = ended();
  const { status, stderr } = spawnSync(command, words, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`Expected ${command} to end well: ${status} ${stderr}`);
  return ended() - before;
}

/** Waits for what a server does behind its answers. */
export async function until(isDone: () => Promise<boolean>, seconds = 300): Promise<void> {
  for (let waited = 0; !(await isDone()); waited += 0.1) {
    if (waited > seconds) throw new Error(`Expected the work to end within ${seconds} seconds`);
    await pause(100);
  }
}

export async function withCostWorld<T>(runtime: RuntimeName, work: (world: CostWorld) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-costs-'));
  const server = await startService(runtime, join(directory, 'root'), {
    PORTICO_STORAGE_ROOTS: directory,
    PORTICO_IMPORT_ROOTS: directory,
    PORTICO_EXPORT_ROOTS: directory,
  });
  try {
    await calm(server.process);
    return await work({
      runtime,
      directory,
      server,
      async addStorage(folder) {
        const uri = `${pathToFileURL(folder).href}/`;
        const method = [{ uri, read: true, write: true, browse: true }];
        const { id } = await askJson(server, 'POST /API/storage', { type: 'LOCAL', capacity: 1e12, method });
        return id!;
      },
      async costOf(work) {
        const before = cpuOfTree(server.process.pid!);
        await work();
        await calm(server.process);
        return cpuOfTree(server.process.pid!) - before;
      },
    });
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
