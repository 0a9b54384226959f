import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { noticed, untried } from './guards.ts';
import { refusing } from './plant.ts';
import { everyGuard } from './sites.ts';

const guards = everyGuard();
const named = [...noticed.map(([guard]) => guard), ...untried];

it('each guard of the sources has a suite that notices when it always holds, or is among those that nobody has tried', () => {
  const others = guards.filter((guard) => !named.includes(guard));
  expect(others, 'Remedy: a row with its suite in test/faults/guards/guards.ts, and npm run faults guards').toEqual([]);
});

it('each row is about a guard that is there, once, and its suite is there', () => {
  expect(named.filter((guard, at) => !guards.includes(guard) || named.indexOf(guard) !== at)).toEqual([]);
  expect(noticed.filter(([, suite]) => !existsSync(suite))).toEqual([]);
});

it('the place where refusals are told is there', () => {
  expect(readFileSync(refusing.file, 'utf8').split(refusing.line)).toHaveLength(2);
});
