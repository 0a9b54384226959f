import { spawn } from 'node:child_process';
import process from 'node:process';

/**
 * `npm run check`: runs every part, prints what each found, and ends with 1 when one found something. A part that fails
 * does not stop the others, so one run tells all that is to be mended.
 */
const tests = [
  'test/architecture.test.ts',
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

/** Suites with a table that has a row for each route, list or type of jobs. Only the tests of the tables run here. */
const tables = [
  'test/security/rights-matrix.test.ts',
  'test/security/role-matrix.test.ts',
  'test/security/list-bytes.test.ts',
  'test/production/jobs/rights-taken-away.test.ts',
  'test/production/jobs/shipped-crash-points.test.ts',
];

const parts = [
  ['Format and lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'],
  ['Types', 'node_modules/typescript/bin/tsc'],
  ['Types of the web page', 'node_modules/typescript/bin/tsc', '-p', 'web'],
  ['Architecture, rooms and pages', 'node_modules/vitest/vitest.mjs', 'run', ...tests, ...pages],
  ['Tables of routes and jobs', 'node_modules/vitest/vitest.mjs', 'run', '-t', 'the table of', ...tables],
];

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

const results = [];
for (const [name, ...words] of parts) {
  console.log(`\n=== ${name}`);
  const begun = performance.now();
  const code = await run(words);
  results.push([name, code, Math.round((performance.now() - begun) / 100) / 10]);
}

console.log('\n=== Check');
for (const [name, code, seconds] of results) console.log(`${code === 0 ? 'ok    ' : 'failed'}  ${name} (${seconds} s)`);
process.exitCode = results.every(([, code]) => code === 0) ? 0 : 1;
