import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

/**
 * Runs the test files once more that failed in the last run of the tests, one after the other: `node scripts/again.mjs`.
 * What fails alone is broken. What passes alone failed beside others, and is named: its test is to be mended.
 */
const list = 'node_modules/.cache/portico.failed.json';
/** More than so many are no accident. */
const most = 10;

const files = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')).map((file) => relative('.', file)) : [];
rmSync(list, { force: true });
if (files.length === 0 || files.length > most) {
  console.error(`Expected 1 to ${most} files that failed: found ${files.length}`);
  process.exit(1);
}
console.log(`Once more, alone:\n${files.join('\n')}`);
const run = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', ...files];
const { status } = spawnSync(run[0], run.slice(1), { stdio: ['ignore', 'inherit', 'inherit'] });
if (status !== 0) process.exit(status ?? 1);
console.log(`UNSTEADY: ${files.length} failed beside other files and passed alone:\n${files.join('\n')}`);
