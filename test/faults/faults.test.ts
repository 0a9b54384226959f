import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { faults } from './faults.ts';

it.each(faults)('$name can be planted, and its suite is there', ({ file, find, caughtBy }) => {
  expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  expect(existsSync(caughtBy)).toBe(true);
});
