import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { writePage } from './build-ui.mjs';
import { inside, licencesIn } from './inside.mjs';

/**
 * `npm run build`: writes `dist`. esbuild writes the programs: what several of them use lies in files that they share,
 * so a class is the same class for all, and a start opens 20 files of ours instead of a thousand. tsc writes the types.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist' },
    'no-types': { type: 'boolean' },
    minify: { type: 'boolean' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(root, values.out);
const { bin, exports, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What is started or imported by its path: commands, exports of the package, programs of threads and children. */
const entries = [
  ...Object.values(bin).map((path) => path.replace(/^dist\/(.*)\.js$/, '$1.ts')),
  ...Object.values(exports).map((entry) => entry['portico-source']),
  ...programsIn('src/entry'),
  ...programsIn('src/extensions'),
  // A bundle leaves out the rooms of extensions, so each is a module of its own.
  ...filesIn('src/extensions', /^[\w-]+\/room\.ts$/),
];

function programsIn(folder) {
  return filesIn(folder, /(?:worker|child)\.ts$/);
}

function filesIn(folder, pattern) {
  const names = readdirSync(join(root, folder), { recursive: true });
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
}

rmSync(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: entries,
  outdir: out,
  outbase: '.',
  chunkNames: 'src/shared/[hash]',
  bundle: true,
  splitting: true,
  external: [...Object.keys(dependencies), 'esbuild']
    .filter((name) => !inside.includes(name))
    .flatMap((name) => [name, `${name}/*`]),
  minifyWhitespace: values.minify,
  minifySyntax: values.minify,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  plugins: [
    {
      name: 'extensions',
      /** Keeps the room of an extension in a file of its own. The list of rooms lies in a file that programs share. */
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/extensions\/[\w-]+\/room\.ts$/ }, ({ path }) => ({
          path: `.${path.replace(/ts$/, 'js')}`,
          external: true,
        })),
    },
  ],
});
writeFileSync(join(out, 'licences.txt'), licencesIn(join(root, 'node_modules')));
await writePage(join(out, 'src/ui'));
// `portico worker new` copies it.
cpSync(join(root, 'examples/worker'), join(out, 'examples/worker'), {
  recursive: true,
  filter: (path) =>
    !/[\\/](?:node_modules|database|worker[\\/]worker|\.wrangler|\.dev\.vars|package-lock\.json)$/.test(path),
});
if (!values['no-types']) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', out], {
    stdio: 'inherit',
  });
}
