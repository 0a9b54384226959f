import { expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { kept } from './generated/kept.ts';
import { play, playSeed } from './generated/run.ts';

/** The seeds of a day, so that each day tries other ones. `PORTICO_TEST_SEED` repeats those of another day. */
const day = Number(process.env['PORTICO_TEST_SEED'] ?? Math.floor(Date.now() / 86_400_000));
const count = isLong ? 200 : 40;

it(`${count} generated runs of several instances, from seed ${day * 1_000} on: all that was acknowledged is there, and no rule is broken`, async () => {
  for (let seed = day * 1_000; seed < day * 1_000 + count; seed++) {
    const { broken } = await playSeed(seed);
    if (broken)
      expect.fail(`npm run simulate -- --seeds 1 --seed ${seed}: ${broken.error}\n${JSON.stringify(broken.run)}`);
  }
});

it('a seed has the same trace each time', async () => {
  for (const seed of [day, day + 1]) {
    const [{ digest }, again] = [await playSeed(seed), await playSeed(seed)];
    expect(again.digest).toBe(digest);
  }
});

it.each(Object.entries(kept))('the kept run "%s" is broken no more', async (_name, run) => {
  await play(run);
});
