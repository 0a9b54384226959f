import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

/**
 * Runs the test files once more that failed in the last run of the tests, one after the other: `node scripts/again.mjs`.
 * Files that fail alone are broken. Files that pass alone failed beside others, and need a steadier test.
 * `--sum` names these, and fails for more than two. `--forget` begins a new list. `--note NAME` adds what passed alone
 * and is no file of tests.
 */
const failedFiles = 'node_modules/.cache/portico.failed.json';
const unsteadyFiles = 'node_modules/.cache/portico.unsteady.txt';
/** More files than this are no accident. */
const maxFailed = 10;
const maxUnsteady = 2;

const actions = {
  '--forget': () => rmSync(unsteadyFiles, { force: true }),
  '--note': () => appendFileSync(unsteadyFiles, `${process.argv[3]}\n`),
  '--sum'() {
    const files = existsSync(unsteadyFiles) ? readFileSync(unsteadyFiles, 'utf8').trim().split('\n') : [];
    if (files.length === 0) return;
    console.log(
      `UNSTEADY, failed first and passed alone: ${files.length}, of at most ${maxUnsteady}\n${files.join('\n')}`,
    );
    if (files.length > maxUnsteady) process.exitCode = 1;
  },
};

function runAgain() {
  const files = existsSync(failedFiles)
    ? Object.keys(JSON.parse(readFileSync(failedFiles, 'utf8'))).map((file) => relative('.', file))
    : [];
  rmSync(failedFiles, { force: true });
  if (files.length === 0 || files.length > maxFailed) {
    console.error(`Expected 1 to ${maxFailed} files that failed: found ${files.length}`);
    process.exit(1);
  }
  console.log(`Once more, alone:\n${files.join('\n')}`);
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', ...files];
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
  appendFileSync(unsteadyFiles, `${files.join('\n')}\n`);
}

(actions[process.argv[2]] ?? runAgain)();
