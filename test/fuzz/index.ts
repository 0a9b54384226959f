import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inputOf } from './edits.ts';
import { watchdog } from './judge.ts';
import { fuzzRoutes, fuzzTarget, keep } from './run.ts';
import { targets } from './targets.ts';
import { openFuzzWorld } from './world.ts';

/**
 * `npm run fuzz -- --seconds 60`: tries made up inputs on every reader and route, for so many seconds of processor time.
 * Half of them go to the routes. `--seed N` repeats a run, and its default is the day. `--only NAME` takes the targets and
 * routes with that in their names. A failing input is made shorter, and kept in `test/fuzz/corpus`.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 86_400_000)) },
    only: { type: 'string', default: '' },
  },
});
const [seed, seconds, { only }] = [Number(values.seed), Number(values.seconds), values];
const chosen = targets.filter(({ name }) => name.includes(only));
const onRoutes = only === '' ? seconds / 2 : chosen.length > 0 ? 0 : seconds;
mkdirSync('node_modules/.cache', { recursive: true });
const watch = watchdog();
const world = await openFuzzWorld();
let failed = 0;

function report(name: string, error: unknown, path: string): void {
  failed++;
  const told = error instanceof Error ? error.stack : String(error);
  console.log(`FAILED ${name}, seed ${seed}, kept as ${path}\n${told?.slice(0, 2000)}`);
}

async function timed(
  name: string,
  run: () => Promise<{ readonly tried: number; readonly read: number }>,
): Promise<void> {
  const begun = process.cpuUsage();
  const { tried, read } = await run();
  const { user, system } = process.cpuUsage(begun);
  const cpu = (user + system) / 1e6;
  console.log(`${name}: ${tried} tried, ${read} taken, ${Math.round(tried / cpu)} a CPU second`);
}

for (const target of chosen) {
  const { name } = target;
  await timed(name, async () => {
    const share = (seconds - onRoutes) / chosen.length;
    const tally = await fuzzTarget(target, world, { seconds: share, seed, watch });
    if (tally.found) report(name, tally.found.error, keep(name, tally.found.input));
    return tally;
  });
}
if (onRoutes > 0)
  await timed('routes', () =>
    fuzzRoutes(openFuzzWorld, {
      ...{ seconds: onRoutes, seed, only },
      report: (route, twist, error) =>
        report(route, error, keep('routes', inputOf(JSON.stringify({ route, twist }, null, 1)))),
    }),
  );
await world.close();
process.exit(failed > 0 ? 1 : 0);
