import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, onTestFinished } from 'vitest';
import { plantInProgram } from '../faults/plant.ts';

const here = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** `npm run faults` sets it. */
const fault = process.env['PORTICO_FAULT'];
const made = new Map<string, Promise<string>>();

/**
 * Path of a program in one file, made of a module and all that it imports of ours. To start it takes a fifth of the time
 * that its thousand sources take with a compiler. Threads and children of its own run the program in `dist`.
 */
export function bundled(module: URL): Promise<string> {
  const path = made.get(module.href) ?? bundle(fileURLToPath(module));
  made.set(module.href, path);
  return path;
}

async function bundle(module: string): Promise<string> {
  const name = relative(here('.'), module).replaceAll(/[^\w-]+/g, '-');
  // The place decides what `program-path.ts` refers to: both lie two folders below the top.
  const path = here(`node_modules/.cache/${name}.mjs`);
  const own = here(`node_modules/.cache/${name}-${process.pid}.mjs`);
  await mkdir(here('node_modules/.cache'), { recursive: true });
  await build({
    absWorkingDir: here('.'),
    entryPoints: [module],
    outfile: own,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [
      {
        name: 'program-path',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/program-path\.ts$/ }, () => ({ path: here('test/support/program-path.ts') })),
      },
      ...(fault ? [plantInProgram(fault)] : []),
    ],
  });
  // Other workers may run the file of this name.
  await rename(own, path);
  return path;
}

/** Messages that every instance can send. A complaint makes a wait for the instance fail. */
export type Said = { readonly kind: 'ready' } | { readonly kind: 'complains'; readonly says: string };

/** Process of one instance among several on one database. */
export interface Instance<Order, Report extends { readonly kind: string }> {
  order(order: Order): void;
  until<K extends Report['kind']>(kind: K): Promise<Extract<Report, { kind: K }>>;
  kill(): Promise<void>;
}

/** Starts the module as a process, and waits until it is ready. The end of the test kills it. */
export async function startInstance<Order extends object, Report extends { readonly kind: string }>(
  module: URL,
  name: string,
  args: readonly string[],
  complaints: string[],
): Promise<Instance<Order, Report | Said>> {
  const program = await bundled(module);
  const child: ChildProcess = fork(program, [...args], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const came: (Report | Said)[] = [];
  let heard = (): void => undefined;
  child.on('message', (report: Report | Said) => {
    if (report.kind === 'complains') complaints.push(`${name}: ${(report as Extract<Said, { says: string }>).says}`);
    else came.push(report);
    heard();
  });
  child.once('exit', () => heard());
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(kill);
  const made: Instance<Order, Report | Said> = {
    kill,
    order: (order) => void child.send(order),
    async until(kind) {
      for (;;) {
        const at = came.findIndex((report) => report.kind === kind);
        if (at >= 0) return came.splice(at, 1)[0] as never;
        expect(complaints).toEqual([]);
        const end = child.exitCode ?? child.signalCode;
        if (end !== null) throw new Error(`${name} ended with ${end} before it was ${kind}`);
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    },
  };
  await (made as Instance<Order, Said>).until('ready');
  return made;
}
