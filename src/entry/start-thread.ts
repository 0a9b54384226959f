import { createRequire } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { fromSources, programPath } from './program-path.ts';

/** Runtimes that read TypeScript themselves: Deno, Bun, and Node from 22.18. */
export function readsTypeScript(): boolean {
  if ('Deno' in globalThis || 'Bun' in globalThis) return true;
  return Boolean((process.features as { typescript?: string | false }).typescript);
}

/** The address of what loads TypeScript where the runtime does not. */
export const tsxAddress = (): string => inTsx('./dist/esm/api/index.mjs');

/** Loader of tsx, for `--import` of another process. */
export const tsxLoader = (): string => inTsx('./dist/loader.mjs');

function inTsx(path: string): string {
  const manifest = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  return new URL(path, manifest).href;
}

/** Flags of a thread: stack traces name files and lines of the sources where those of this process do. */
const traces = process.sourceMapsEnabled ? ['--enable-source-maps'] : [];

/** Starts a module of `src/entry/native` in a thread. */
export const startWorker = (name: string, options: WorkerOptions): Worker =>
  startProgram(programPath(`entry/native/${name}`), options);

/**
 * Starts a thread. On Node 20 it has no TypeScript loader, and the flag `--import` does not reach it. So a line of
 * JavaScript loads tsx, and tsx loads the module.
 */
export function startProgram(program: URL, options: WorkerOptions): Worker {
  // Flags of this process are not the thread's: some forbid a thread that runs a file, some bring loaders of their own.
  if (!fromSources) return new Worker(program, { ...options, execArgv: traces });
  if (readsTypeScript()) return new Worker(program, options);
  const text = JSON.stringify(program.href);
  const bootstrap = `import(${JSON.stringify(tsxAddress())}).then((tsx) => tsx.tsImport(${text}, ${text}))`;
  return new Worker(bootstrap, { ...options, eval: true, execArgv: [] });
}
