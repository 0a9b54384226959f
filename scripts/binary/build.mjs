import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { inject } from 'postject';
import { inside, isLicence, productionRows } from '../inside.mjs';

/**
 * `npm run build:binary`: writes `build/portico`, the Node that runs this script with the package inside: programs,
 * production dependencies and the native binding. Linux only, because that is where it is tested. `--dist` names programs
 * that were built before.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'build' }, dist: { type: 'string' } } });
if (process.platform !== 'linux') throw new Error(`Expected Linux: found ${process.platform}`);
const top = fileURLToPath(new URL('../..', import.meta.url));
const out = resolve(top, values.out);
const left = /\.(?:d\.[cm]?ts|map|md)$/;
const isMusl = process.report.getReport().header.glibcVersionRuntime === undefined;

/** Compiled code is kept where Node can do that: the next start is faster. */
const start = `require('node:module').enableCompileCache?.(__dirname + '/compiled');
import(require('node:url').pathToFileURL(process.argv[1]).href);
`;

const built = resolve(top, values.dist ?? join(out, 'build'));
const options = ['--no-types', '--out', built];
if (!values.dist) execFileSync(process.execPath, [join(top, 'scripts/build.mjs'), ...options], { stdio: 'inherit' });
mkdirSync(out, { recursive: true });
const files = [
  ['start.cjs', Buffer.from(start)],
  ['package.json', readFileSync(join(top, 'package.json'))],
  ...filesIn(built).map((name) => [`dist/${name}`, readFileSync(join(built, name))]),
  ...productionPackages().flatMap((folder) =>
    filesIn(join(top, folder))
      .filter((name) => !isInside(folder) || name === 'package.json' || isLicence(name))
      .map((name) => [`${folder}/${name}`, readFileSync(join(top, folder, name))]),
  ),
];
const index = files.map(([path, bytes]) => [path, bytes.length, isProgram(join(top, path))]);
const head = Buffer.from(JSON.stringify(index));
const length = Buffer.alloc(4);
length.writeUInt32BE(head.length);
const archive = gzipSync(Buffer.concat([length, head, ...files.map(([, bytes]) => bytes)]), { level: 9 });

// The blob has these names in it: without folders, it is the same wherever it is made.
const [main, blob, packed, digest] = ['main.cjs', 'sea.blob', 'package.gz', 'digest'];
copyFileSync(join(top, 'scripts/binary/main.cjs'), join(out, main));
writeFileSync(join(out, packed), archive);
writeFileSync(join(out, digest), createHash('sha256').update(archive).digest('hex').slice(0, 16));
writeFileSync(
  join(out, 'sea.json'),
  JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, assets: { package: packed, digest } }),
);
execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { stdio: 'inherit', cwd: out });
const program = join(out, 'portico');
copyFileSync(process.execPath, program);
chmodSync(program, 0o755);
// Symbols for debuggers: newer builds of Node have 18 MB of them. Machines without the program keep them.
spawnSync('strip', [program], { stdio: 'ignore' });
await inject(program, 'NODE_SEA_BLOB', readFileSync(join(out, blob)), {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
});
console.log(`${program}: ${Math.round(statSync(program).size / 1e6)} MB`);

function isInside(folder) {
  return inside.some((name) => folder === `node_modules/${name}`);
}

/** Folders of installed packages that are needed at run time, on this system. */
function productionPackages() {
  return productionRows(top)
    .filter(([folder]) => folder.endsWith('-musl') === isMusl || !folder.startsWith('node_modules/@libsql/'))
    .map(([folder]) => folder)
    .filter((folder) => existsSync(join(top, folder)));
}

/** Files below the folder, without types, source maps, documentation and packages of packages, which the lock file lists. */
function filesIn(folder) {
  const isKept = (name) =>
    (!left.test(name) || isLicence(name)) && !name.includes('node_modules') && statSync(join(folder, name)).isFile();
  return readdirSync(folder, { recursive: true }).filter(isKept).toSorted();
}

function isProgram(path) {
  return existsSync(path) && (statSync(path).mode & 0o111) !== 0 && /\/bin\//.test(path);
}
