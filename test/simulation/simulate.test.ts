import { expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { kept } from './generated/kept.ts';
import { play, playSeed } from './generated/run.ts';

/** Seeds that held: `npm run simulate` plays others. `PORTICO_TEST_SEED` begins elsewhere. */
const first = Number(process.env['PORTICO_TEST_SEED'] ?? 1);
const count = isLong ? 100 : 30;

it(`${count} generated runs of several instances, from seed ${first} on: all that was acknowledged is there, and no rule is broken`, async () => {
  for (let seed = first; seed < first + count; seed++) {
    const { broken } = await playSeed(seed);
    if (broken)
      expect.fail(`npm run simulate -- --seeds 1 --seed ${seed}: ${broken.error}\n${JSON.stringify(broken.run)}`);
  }
});

it('a seed has the same trace each time', async () => {
  for (const seed of [first, first + 1]) {
    const [{ digest }, again] = [await playSeed(seed), await playSeed(seed)];
    expect(again.digest).toBe(digest);
  }
});

it.each(Object.entries(kept))('the kept run "%s" is broken no more', async (_name, run) => {
  await play(run);
});
