import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { generated } from './generated.ts';

describe('what `npm run docs` writes', async () => {
  const files = await generated();

  it.each([...files])('%s is not stale', async (path, text) => {
    const there = await readFile(path, 'utf8').catch(() => '');
    expect(there === text, `Expected ${path} as the descriptions make it. Remedy: npm run docs`).toBe(true);
  });
});
