import { mkdir, rename } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
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
    ],
  });
  // Other workers may run the file of this name.
  await rename(own, path);
  return path;
}
