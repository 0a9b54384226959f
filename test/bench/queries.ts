import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/lib/clock.ts';
import { systemActor } from '../../src/core/store/contract.ts';
import { openStore } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { fillDirectory } from '../support/many-rows.ts';
import { migrations } from '../support/store.ts';
import { besideSpinning, load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { initialise, type RuntimeName, startService } from './runtimes.ts';

const authorization = `Basic ${btoa('admin:bench')}`;
const whoami = requestBytes('GET', '/API/whoami', { authorization });
const body = JSON.stringify({ field: [{ name: 'realname', value: `*${'a'.repeat(250)}b*` }] });
/** Values of a thousand characters, so many that one search takes about two seconds on one core. */
const values = 8_000;

/** Latency of `whoami` while searches of two seconds each run, against the same load beside a process that spins. */
export async function benchQueries(runtime: RuntimeName, rounds = 5, seconds = 4): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const settings = {
    PORTICO_MAX_SEARCH_STEPS: '10000000000',
    PORTICO_QUERY_SECONDS: '60',
  };
  await initialise(runtime, root, settings);
  const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
    clock: systemClock,
    site: 'B',
    migrations,
  });
  await fillDirectory(store, { users: values, groups: 10, chainLength: 10 });
  const change = { sql: `UPDATE user SET real_name = ? WHERE id LIKE 'L-%'`, args: ['a'.repeat(1000)] };
  await store.commit({ changes: [change], events: [] }, systemActor);
  await store.close();
  const { port, stop } = await startService(runtime, root, settings);

  const measure = async () => (await load({ port, connections: 4, seconds, next: () => whoami })).p99;
  const took: number[] = [];
  async function besideSearches(): Promise<number> {
    let isDone = false;
    const searching = (async () => {
      while (!isDone) took.push(await searchOnce(port));
    })();
    const p99 = await measure();
    isDone = true;
    await searching;
    return p99;
  }

  const pairs: { searches: number; spinning: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = { searches: await besideSearches(), spinning: await besideSpinning(measure) };
    if (round > 0) pairs.push(pair);
  }
  await stop();
  await rm(root, { recursive: true, force: true });
  return [
    {
      name: 'p99 of whoami beside a process that spins, against beside long searches',
      ratio: median(pairs.map(({ searches, spinning }) => spinning / searches)),
      floor: 0.83,
    },
    { name: 'p99 of whoami beside long searches, milliseconds', value: median(pairs.map(({ searches }) => searches)) },
    { name: 'one of these searches, seconds', value: median(took) },
  ];
}

async function searchOnce(port: number): Promise<number> {
  const began = performance.now();
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}/API/user`, { method: 'PUT', headers, body });
  if (answer.status !== 200) throw new Error(`Expected 200: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
  return (performance.now() - began) / 1000;
}
