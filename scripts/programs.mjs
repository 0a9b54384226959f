import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inside } from './inside.mjs';

/**
 * Writes the programs of the checkout `root` into `out`, as `npm run build` and the first start of a checkout do. What
 * several programs use lies in files that they share, so a class is the same class for all. `options`: of esbuild.
 */
export async function buildPrograms(root, out, { isPackage = false, ...options } = {}) {
  const { bin, exports, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const filesIn = (folder, pattern) => {
    const names = readdirSync(join(root, folder), { recursive: true });
    return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  };
  const programs = /(?:worker|child)\.ts$/;
  await build({
    absWorkingDir: root,
    // Files that are started or imported by their path: commands, programs of threads and children, exports of the
    // package.
    entryPoints: [
      ...Object.values(bin).map((path) => path.replace(/^dist\/(.*)\.js$/, '$1.ts')),
      ...filesIn('src/entry', programs),
      ...filesIn('src/extensions', programs),
      ...(isPackage ? Object.values(exports).map((entry) => entry['portico-source']) : []),
      // A bundle for an edge leaves out rooms of extensions, so each is a module of its own.
      ...(isPackage ? filesIn('src/extensions', /^[\w-]+\/room\.ts$/) : []),
    ],
    outdir: out,
    outbase: '.',
    chunkNames: 'src/shared/[hash]',
    bundle: true,
    splitting: true,
    external: [...Object.keys(dependencies), 'esbuild']
      .filter((name) => !inside.includes(name))
      .flatMap((name) => [name, `${name}/*`]),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: isPackage ? [roomsOfExtensions] : [],
    ...options,
  });
}

/** Keeps the room of an extension in a file of its own. The list of rooms lies in a file that programs share. */
const roomsOfExtensions = {
  name: 'rooms-of-extensions',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/extensions\/[\w-]+\/room\.ts$/ }, ({ path }) => ({
      path: path.replace(/ts$/, 'js'),
      external: true,
    })),
};
