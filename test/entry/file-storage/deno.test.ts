import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { denoProgram } from '../../support/programs.ts';
import { temporaryDirectory } from '../../support/store.ts';

const deno = denoProgram();

it.skipIf(!existsSync(deno) || process.platform !== 'linux')(
  'on Deno another thread writes all but the first piece of an upload, and nothing stays open',
  async () => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const words = [
      'run',
      '--config',
      'deno.json',
      '-A',
      'test/support/deno-files.ts',
      'writes',
      await realpath(directory.path),
    ];
    const { stdout } = await promisify(execFile)(deno, words);
    expect(JSON.parse(stdout)).toEqual({
      held: 1,
      hash: true,
      whole: true,
      failed: 'gone',
      lengths: [600_003, 200_000, 200_000],
      parts: true,
      left: 0,
      descriptors: 0,
    });
  },
);
