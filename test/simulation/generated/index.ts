import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Outcomes, playSeed } from './run.ts';

/**
 * `npm run simulate -- --seeds 1000`: plays the runs of so many seeds, and prints the shortest run of each broken one.
 * `--seed N`: the first one. `--twice`: plays each seed twice, and compares the digests of their traces.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    twice: { type: 'boolean', default: false },
  },
});
const [count, first] = [Number(values.seeds), Number(values.seed)];
/** Seeds of a process: instances that were killed stay in its memory. */
const maxSeeds = 2_000;
const every = Math.max(1, Math.floor(count / 10));
const begun = process.cpuUsage();
let operations = 0;
let failed = 0;

const seconds = (): number => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
};

function tell(seed: number, { broken, digest }: Outcomes): void {
  if (count <= 3) console.log(`seed ${seed}: trace ${digest}`);
  if (!broken) return;
  failed++;
  console.log(`seed ${seed} is broken: ${broken.error}\n${JSON.stringify(broken.run)}`);
}

async function playAll(): Promise<void> {
  for (let at = 0; at < count; at++) {
    const seed = first + at;
    const played = await playSeed(seed);
    operations += played.operations;
    tell(seed, played);
    if (values.twice && !played.broken && (await playSeed(seed)).digest !== played.digest) {
      failed++;
      console.log(`seed ${seed} has two traces`);
    }
    if ((at + 1) % every === 0)
      console.log(`${at + 1} seeds, ${operations} operations, ${seconds().toFixed(1)} CPU seconds`);
  }
  console.log(
    `${count} seeds from ${first}, ${operations} operations, ${failed} broken, ${(count / seconds()).toFixed(1)} a CPU second`,
  );
}

/** Plays parts in processes of their own, one after the other. */
function playParts(): void {
  for (let seed = first; seed < first + count; seed += maxSeeds) {
    const seeds = Math.min(maxSeeds, first + count - seed);
    const words = ['--seeds', String(seeds), '--seed', String(seed), ...(values.twice ? ['--twice'] : [])];
    const { status } = spawnSync(process.execPath, [...process.execArgv, process.argv[1]!, ...words], {
      stdio: 'inherit',
    });
    if (status !== 0) failed++;
  }
}

if (count > maxSeeds) playParts();
else await playAll();
process.exitCode = failed > 0 ? 1 : 0;
