import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { all, nameOf } from '../security/roles/routes.ts';
import { textOf } from './edits.ts';
import { preparedRequest, type Twist, twists } from './routes.ts';
import { keptInputs, tryInput, tryTwist } from './run.ts';
import { targets } from './targets.ts';
import { openFuzzWorld } from './world.ts';

/** Other tests share the cores meanwhile: `npm run fuzz` measures more closely. */
const patience = 10;

describe('what the search for failing inputs once found', () => {
  it('is read or refused by its reader', async () => {
    const world = await openFuzzWorld();
    let tried = 0;
    for (const target of targets) {
      const kept = keptInputs(target.name);
      if (kept.size === 0) continue;
      const read = await target.open(world);
      for (const [file, input] of kept) {
        tried++;
        const trial = tryInput({ ...target, maxTurn: target.maxTurn * patience }, read, input);
        await expect(trial, `${target.name}/${file}`).resolves.toBeTypeOf('boolean');
      }
    }
    await world.close();
    expect(tried).toBeGreaterThan(0);
  });

  it('has an answer of its route', async () => {
    const world = await openFuzzWorld();
    for (const [file, input] of keptInputs('routes')) {
      const { route: name, twist } = JSON.parse(textOf(input)) as { readonly route: string; readonly twist: Twist };
      const route = all.find((each) => nameOf(each) === name)!;
      const trial = tryTwist(route, await preparedRequest(route, world), twist, world);
      await expect(trial, file).resolves.toBeTypeOf('boolean');
    }
    await world.close();
  });
});

it('a walk of one route finds nothing. The planted faults of made up inputs say what it would find', async () => {
  const world = await openFuzzWorld();
  const route = all.find((each) => nameOf(each) === 'GET /group')!;
  const base = await preparedRequest(route, world);
  let taken = 0;
  for (const twist of fc.sample(twists(route), { seed: 1, numRuns: 80 }))
    if (await tryTwist(route, base, twist, world)) taken++;
  await world.close();
  expect(taken).toBeGreaterThan(5);
});
