import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/lib/clock.ts';
import { openStore } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { fillFiles } from '../support/many-rows.ts';
import { migrations } from '../support/store.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { initialise, type RuntimeName, startService } from './runtimes.ts';

const headers = { authorization: `Basic ${btoa('admin:bench')}`, accept: 'application/json' };
const few = 1_000;

/** Query of a page of a hundred files. `last`: the number of the last file of the storage. */
const lists: Readonly<Record<string, (last: number) => string>> = {
  'by id': () => 'number=100',
  'by size, the largest first': () => 'number=100&sort=size%20desc',
  'in one state': () => 'number=100&state=CLOSED',
  'of one folder, with its folders': () => 'number=100&path=folder-05&recursive=false&prefix=true',
  'behind a cursor near the end': (last) =>
    `number=100&cursor=${btoa(JSON.stringify(['fileId', 0, last - 200, last - 200]))}`,
};

/** Requests per second for a page among a million files, against the same page among a thousand, on two servers. */
export async function benchFiles(runtime: RuntimeName, many = 1_000_000, rounds = 5, seconds = 1): Promise<Row[]> {
  const [small, large] = [await startWith(runtime, few), await startWith(runtime, many)];
  const perSecond = async ({ port }: Started, target: string) => {
    const request = requestBytes('GET', `/API/storage/VX-1/file?${target}`, headers);
    return (await load({ port, connections: 2, seconds, next: () => request })).perSecond;
  };
  const rows: Row[] = [];
  for (const [name, targetOf] of Object.entries(lists)) {
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const rate = await perSecond(large, targetOf(many));
      const ratio = rate / (await perSecond(small, targetOf(few)));
      if (round === 0) continue;
      ratios.push(ratio);
      rates.push(rate);
    }
    const among = `list of files ${name}: a page among ${many.toLocaleString('en')} against ${few.toLocaleString('en')}`;
    rows.push({ name: among, ratio: median(ratios), floor: 0.8, perSecond: median(rates) });
  }
  for (const { stop } of [small, large]) await stop();
  return rows;
}

interface Started {
  readonly port: number;
  stop(): Promise<void>;
}

async function startWith(runtime: RuntimeName, files: number): Promise<Started> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  await initialise(runtime, root);
  const database = await openDatabase(`file:${join(root, 'portico.db')}`);
  const store = openStore(database, { clock: systemClock, site: 'B', migrations });
  const batch = 100_000;
  for (let begin = 1; begin <= files; begin += batch) {
    await fillFiles(store, { files: Math.min(batch, files - begin + 1), storage: 1, begin });
  }
  await store.close();
  const { port, stop } = await startService(runtime, root);
  return {
    port,
    async stop() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
