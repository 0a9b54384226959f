import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { filesChangedSince, importersOf } from './change.mjs';

/**
 * `npm run check`: runs every part, prints what each found, and ends with 1 when one found something. A part that fails
 * does not stop the others, so one run tells all that is to be mended. With `--changed` it looks at what differs from the
 * last commit: format, types of the files and of their importers, and the tables of what changed.
 * `--changed=COMMIT` names another commit.
 */
const declarations = [
  'test/room/declarations.test.ts',
  'test/security/routes.test.ts',
  'test/core/store/schema.test.ts',
];
const pages = [
  'test/docs/generated.test.ts',
  'test/docs/decisions.test.ts',
  'test/docs/links.test.ts',
  'test/docs/plain-words.test.ts',
  'test/docs/contributing.test.ts',
];
const architecture = 'test/architecture.test.ts';

/** Suites with a table that has a row for each route, list or type of jobs. Only the tests of the tables run here. */
const tables = [
  'test/security/rights-matrix.test.ts',
  'test/security/role-matrix.test.ts',
  'test/security/list-bytes.test.ts',
  'test/production/jobs/rights-taken-away.test.ts',
  'test/production/jobs/shipped-crash-points.test.ts',
];

const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'];
const types = 'scripts/types.mjs';
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'all'];
const tablesOnly = ['-t', 'the table of', ...tables];

const wholeParts = [
  ['Format and lint', ...biome],
  ['Types', 'node_modules/typescript/bin/tsc'],
  ['Types of the web page', 'node_modules/typescript/bin/tsc', '-p', 'web'],
  ['Architecture, rooms and pages', ...vitest, architecture, ...declarations, ...pages],
  ['Tables of routes and jobs', ...vitest, ...tablesOnly],
];

/** Files that the compiler of the service and the one of the page look at. */
const isTyped = (path) => /\.tsx?$/.test(path);
const isOfPage = (path) => path.startsWith('web/src/');
/** Files whose declarations the tables list. */
const declares =
  /^(?:src\/.*(?:room|routes|tables|events|settings|[a-z]+-sql|store)\.ts|src\/.*\/documents\/|src\/composition\/|test\/security\/|realms\/|filters\/|plugins\/)/;

const oneWorker = [...vitest, '--maxWorkers', '1'];

function partsOf(changed) {
  const typed = changed.filter(isTyped);
  const checked = [...new Set([...typed, ...importersOf(typed)])];
  const own = checked.filter((path) => !isOfPage(path));
  const ofPage = checked.filter(isOfPage);
  const parts = [['Format and lint', ...biome, '--no-errors-on-unmatched', ...changed]];
  if (own.length > 0) parts.push([`Types of ${own.length} files`, types, 'tsconfig.json', ...own]);
  if (ofPage.length > 0)
    parts.push([`Types of ${ofPage.length} files of the page`, types, 'web/tsconfig.json', ...ofPage]);
  if (changed.some((path) => declares.test(path))) {
    const suites = [architecture, ...declarations];
    const titles = `the table of|${titlesIn(suites)}`;
    parts.push(['Architecture, rooms, tables of routes and jobs', ...oneWorker, '-t', titles, ...suites, ...tables]);
  } else if (typed.length > 0) parts.push(['Architecture', ...oneWorker, architecture]);
  if (changed.some((path) => path.endsWith('.md'))) parts.push(['Pages', ...oneWorker, ...pages]);
  return parts;
}

/** A pattern for the tests of these suites, so that one process runs them beside a part of other suites. */
const titlesIn = (suites) =>
  suites
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^describe\('([^']+)'/gm)])
    .map(([, title]) => `^${title}`)
    .join('|');

/** Resolves to the exit code. The child reads nothing, so that no prompt can hold it. */
function run(words) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Without the option, everything is looked at. */
function parts() {
  const option = process.argv[2]?.match(/^--changed(?:=(.+))?$/);
  if (!option) return wholeParts;
  const changed = filesChangedSince(option[1] ?? 'HEAD');
  return changed.length > 0 ? partsOf(changed) : [];
}

const results = [];
for (const [name, ...words] of parts()) {
  console.log(`\n=== ${name}`);
  const begun = performance.now();
  const code = await run(words);
  results.push([name, code, Math.round((performance.now() - begun) / 100) / 10]);
}

console.log('\n=== Check');
for (const [name, code, seconds] of results) console.log(`${code === 0 ? 'ok    ' : 'failed'}  ${name} (${seconds} s)`);
process.exitCode = results.every(([, code]) => code === 0) ? 0 : 1;
