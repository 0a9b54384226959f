import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const canApply = spawnSync('git', ['--version']).error === undefined;

it.skipIf(!canApply)('the resource that CONTRIBUTING adds as a diff fits this tree', async () => {
  const [, diff] = /^```diff\n([\s\S]*?)^```$/m.exec(await readFile('CONTRIBUTING.md', 'utf8'))!;
  const { status, stderr } = spawnSync('git', ['apply', '--check', '-'], { input: diff, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
