import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases } from '../../security/rights/cases.ts';
import { told } from '../../security/rights/told.ts';
import { tryCase, tryTold } from '../../security/rights/try.ts';
import { openRightsWorld, type RightsWorld } from '../../security/rights/world.ts';
import { elsewhere, isAbout, places, same } from './elsewhere.ts';
import type { Switch } from './plant.ts';

const ends: (() => Promise<void>)[] = [];
let world: RightsWorld;
beforeAll(async () => {
  world = await openRightsWorld((end) => ends.push(end));
});
afterAll(async () => {
  for (const end of ends.splice(0)) await end();
});

const switches = globalThis as Switch;
const tries: readonly (() => Promise<void>)[] = [
  ...told.map((each) => () => tryTold(world, each)),
  ...cases.map((each) => () => tryCase(world, each)),
];
const isElsewhere = (name: string): boolean => [...elsewhere, ...same].some((row) => isAbout(row, name));

it('each place that is left to other suites, or changes nothing, is there', () => {
  const idle = [...elsewhere, ...same]
    .filter((row) => !places.some((name) => isAbout(row, name)))
    .map(([start]) => start);
  expect(idle, 'Remedy: take the row out of test/faults/checks/elsewhere.ts').toEqual([]);
});

it('the matrix of rights notices each check that is left out', async () => {
  // Tries that come to each check at all.
  const asked = new Map<string, Set<(typeof tries)[number]>>();
  for (const each of tries) {
    switches.porticoLeftOut = (name) => {
      asked.set(name, (asked.get(name) ?? new Set()).add(each));
      return false;
    };
    await each();
  }
  const missed: string[] = [];
  for (const name of places.filter((each) => !isElsewhere(each))) {
    if (!(await isNoticed(name, [...(asked.get(name) ?? [])])))
      missed.push(`${name} (tries: ${asked.get(name)?.size ?? 0})`);
  }
  console.log(`${places.length} places where rights are asked for, ${missed.length} of them not noticed`);
  expect(missed, 'Remedy: a row in test/security/rights, or a suite in test/faults/checks/elsewhere.ts').toEqual([]);
}, 600_000);

async function isNoticed(name: string, from: typeof tries): Promise<boolean> {
  switches.porticoLeftOut = (each) => each === name;
  for (const each of from) {
    try {
      await each();
    } catch {
      return true;
    }
  }
  return false;
}
