import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { writePage } from './build-ui.mjs';
import { licencesIn } from './inside.mjs';
import { buildPrograms } from './programs.mjs';

/**
 * `npm run build`: writes `dist`. esbuild writes the programs, so a start opens 20 files of ours instead of a thousand.
 * Their source maps lie beside them, without sources; the package leaves them out. Types have a file for each export.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist' },
    'no-types': { type: 'boolean' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const whole = resolve(root, values.out);
/** Beside the whole: a build that fails leaves nothing that starts. */
const out = `${whole}.building`;

rmSync(out, { recursive: true, force: true });
process.once('exit', () => rmSync(out, { recursive: true, force: true }));
await buildPrograms(root, out, {
  isPackage: true,
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
});
writeFileSync(join(out, 'licences.txt'), licencesIn(join(root, 'node_modules')));
await writePage(join(out, 'src/administration/ui'));
cpSync(join(root, 'src/entry/sample/files'), join(out, 'src/entry/sample/files'), { recursive: true });
// `portico worker new` copies it.
cpSync(join(root, 'examples/worker'), join(out, 'examples/worker'), {
  recursive: true,
  filter: (path) =>
    !/[\\/](?:node_modules|database|worker[\\/]worker|\.wrangler|\.dev\.vars|package-lock\.json)$/.test(path),
});
if (!values['no-types']) await writeTypes();
rmSync(whole, { recursive: true, force: true });
renameSync(out, whole);

/**
 * Writes the types of all exports of the package into `out`: a file for each, and files that several share. tsc writes
 * those of the whole tree, which are 1,700 files, and what no export names is left out.
 */
async function writeTypes() {
  const whole = mkdtempSync(join(tmpdir(), 'portico-types-'));
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const words = [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', whole];
    execFileSync(process.execPath, words, { stdio: 'inherit' });
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const names = Object.values(exports).map(({ types }) => types.replace(/^\.\/dist\/(.*)\.d\.ts$/, '$1'));
    const bundle = await rolldown({
      // Comments of the result name the files that it was made from: relative, and equal in each folder.
      cwd: whole,
      input: Object.fromEntries(names.map((name) => [name, join(whole, `${name}.d.ts`)])),
      external: (name) => !/^[./]/.test(name),
      checks: { pluginTimings: false },
      plugins: [dts({ dtsInput: true, tsconfig: false })],
    });
    await bundle.write({ dir: out, entryFileNames: '[name].ts', chunkFileNames: 'src/shared/[name].ts' });
    await bundle.close();
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
}
