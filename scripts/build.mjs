import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writePage } from './build-ui.mjs';
import { licencesIn } from './inside.mjs';
import { buildPrograms } from './programs.mjs';

/**
 * `npm run build`: writes `dist`. esbuild writes the programs, so a start opens 20 files of ours instead of a thousand.
 * tsc writes the types.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist' },
    'no-types': { type: 'boolean' },
    minify: { type: 'boolean' },
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
  minifyWhitespace: values.minify,
  minifySyntax: values.minify,
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
if (!values['no-types']) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', out], {
    stdio: 'inherit',
  });
}
rmSync(whole, { recursive: true, force: true });
renameSync(out, whole);
