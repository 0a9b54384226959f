import { parseArgs } from 'node:util';
import { openPlaces, placeNames } from './places.ts';
import { Difference, Differential } from './play.ts';

/**
 * `npm run differential -- --seeds 20`: plays the requests of so many seeds at each place, and prints the first answer that
 * differs. `--seed N`: the first one. `--places file,deno`: only those.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    places: { type: 'string', default: placeNames.join(',') },
  },
});
const [count, first] = [Number(values.seeds), Number(values.seed)];
const begun = performance.now();
const places = await openPlaces(values.places.split(','));
const differential = new Differential(places);
let seed = first;
try {
  await differential.begin();
  for (; seed < first + count; seed++) await differential.playSeed(seed);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const names = places.map(({ name }) => name).join(', ');
  console.log(`${count} seeds from ${first}, ${differential.calls} calls each at ${names}: equal, in ${seconds} s`);
} catch (error) {
  if (!(error instanceof Difference)) throw error;
  process.exitCode = 1;
  console.log(`Seed ${seed} differs: --seed ${first} --seeds ${seed - first + 1} repeats it\n${error.message}`);
} finally {
  for (const { close } of places) await close();
}
