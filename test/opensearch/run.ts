import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { checkSearchEngine } from '../../src/kit/testing/index.ts';
import { engineAt } from './host.ts';
import { killedAmidFeed, olderFolder, type Place, readOnly } from './incidents.ts';
import { measure } from './measure.ts';
import { type Distribution, distributions, jarsOf, startEngine } from './program.ts';
import { askWith, outcomesThatDiffer } from './script.ts';

/**
 * `npm run test:opensearch [-- --version VERSION --queries COUNT --seed SEED NAME]`: trials on each OpenSearch that a Java
 * of this machine runs. VERSION: the beginning of one. NAME: a part of the names of the trials to run.
 */

const { values, positionals } = parseArgs({
  options: {
    version: { type: 'string', default: '' },
    queries: { type: 'string', default: '1000' },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});
const [wantedName = ''] = positionals;

let failures = 0;

function tell(name: string, problem?: string): void {
  if (problem !== undefined) failures++;
  process.stdout.write(problem === undefined ? `ok      ${name}\n` : `FAILED  ${name}. ${problem}\n`);
}

async function trial(name: string, work: () => Promise<unknown>): Promise<void> {
  if (!name.includes(wantedName)) return;
  try {
    await work();
    tell(name);
  } catch (error) {
    tell(name, error instanceof Error ? error.message : String(error));
  }
}

async function contract({ start }: Place): Promise<void> {
  const running = await start();
  try {
    const differences = await outcomesThatDiffer(askWith(fetch, running.url));
    tell('answers and refuses as the stand-in does', differences.length === 0 ? undefined : differences.join('; '));
    const results = await checkSearchEngine({
      make: () => engineAt(running.url),
      queries: Number(values.queries),
      seed: Number(values.seed ?? 1),
    });
    for (const { name, passed, explanation } of results)
      tell(name, passed ? undefined : (explanation ?? 'It is broken'));
    process.stdout.write(`${await measure(running.url)}\n`);
  } finally {
    await running.stop();
  }
}

/** Tests of the service, which start engines of that version. */
async function tests({ version }: Distribution, name: string): Promise<void> {
  const words = ['vitest', 'run', '--project', 'all', `test/assets/search/${name}.test.ts`];
  const env = {
    ...process.env,
    ...{ PORTICO_TEST_OPENSEARCH: version, PORTICO_SEARCHES: values.queries },
    ...(values.seed !== undefined && { PORTICO_TEST_SEED: values.seed }),
  };
  const [code] = await once(spawn('npx', words, { stdio: 'inherit', env }), 'exit');
  if (code !== 0) throw new Error('Expected no failed test');
}

async function tried(distribution: Distribution): Promise<void> {
  process.stdout.write(`\nOpenSearch ${distribution.version}\n`);
  try {
    await jarsOf(distribution);
  } catch {
    process.stdout.write('Left out: Maven does not get its jars here\n');
    return;
  }
  const base = await mkdtemp(join(tmpdir(), 'portico-opensearch-'));
  const place = (name: string): Place => {
    const folder = join(base, name);
    return { folder, start: () => startEngine(distribution, folder) };
  };
  try {
    await trial('all that the contract asks', () => contract(place('contract')));
    await trial('loses nothing when it is killed amid a feed', () => killedAmidFeed(place('killed')));
    await trial('says that an index is read-only, and goes on afterwards', () => readOnly(place('blocked')));
    await trial('has the position of an older folder, and catches up', () => olderFolder(place('older')));
    await trial('service: incidents', () => tests(distribution, 'engine/incidents'));
    await trial('service: what answers what in trouble', () => tests(distribution, 'engine/degraded'));
    await trial('service: rights that change', () => tests(distribution, 'engine/rights'));
    await trial('service: the oracle of searches', () => tests(distribution, 'oracle'));
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

const available = await distributions();
if (typeof available === 'string') {
  process.stdout.write(`${available}\n`);
} else {
  for (const each of available) if (each.version.startsWith(values.version)) await tried(each);
  process.stdout.write(`\n${failures === 0 ? 'All is as expected' : `${failures} not as expected`}\n`);
  process.exitCode = failures === 0 ? 0 : 1;
}
