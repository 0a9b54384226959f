import { createRequire } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

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
