import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/lib/clock.ts';
import { systemActor } from '../../src/core/store/contract.ts';
import { openStore } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { fillStorages } from '../support/many-rows.ts';
import { migrations } from '../support/store.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { initialise, type RuntimeName, startService } from './runtimes.ts';

const authorization = `Basic ${btoa('admin:bench')}`;
const whoami = requestBytes('GET', '/API/whoami', { authorization });

/** Latency of `whoami` while a server scans a folder again and again, against the same server at rest. */
export async function benchScanLatency(runtime: RuntimeName, files = 50_000, rounds = 5, seconds = 4): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  for (let folder = 0; folder < files / 100; folder++) {
    const name = join(root, 'media', `folder-${folder}`);
    await mkdir(name, { recursive: true });
    await Promise.all(Array.from({ length: 100 }, (_, at) => writeFile(join(name, `file-${at}.mov`), '')));
  }
  await initialise(runtime, root);
  const database = await openDatabase(`file:${join(root, 'portico.db')}`);
  const store = openStore(database, { clock: systemClock, site: 'B', migrations });
  await fillStorages(store, 1);
  const uri = { sql: 'UPDATE storage_method SET uri = ?', args: [`file://${join(root, 'media')}/`] };
  const never = { sql: 'UPDATE storage SET scan_interval = -1', args: [] };
  await store.commit({ changes: [uri, never], events: [] }, systemActor);
  await store.close();
  const { port, stop } = await startService(runtime, root);

  const measure = async () => (await load({ port, connections: 4, seconds, next: () => whoami })).p99;
  const ask = (request: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}/API/${request}`, {
      method,
      headers: { authorization, accept: 'application/json' },
    });
  const rescan = async () => void (await ask('storage/VX-1/rescan', 'POST')).arrayBuffer();
  async function waiting(): Promise<number> {
    const { work } = (await (await ask('work')).json()) as { work: { kind: string; waiting: number; done: number }[] };
    return work.find(({ kind }) => kind === 'scans')!.waiting;
  }
  async function rest(): Promise<void> {
    while ((await waiting()) > 0) await systemClock.sleep(200);
  }
  const began = performance.now();
  await rescan();
  const filling = await measure();
  await rest();
  const first = performance.now() - began;
  let isOver = false;
  async function scanning(): Promise<number> {
    isOver = false;
    const again = (async () => {
      while (!isOver) {
        await rescan();
        await systemClock.sleep(50);
      }
    })();
    const p99 = await measure();
    isOver = true;
    await again;
    await rest();
    return p99;
  }
  const pairs: { idle: number; scans: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = { idle: await measure(), scans: await scanning() };
    if (round > 0) pairs.push(pair);
  }
  await stop();
  await rm(root, { recursive: true, force: true });
  return [
    {
      name: 'p99 of whoami at rest, against while a storage is scanned again and again',
      ratio: median(pairs.map(({ idle, scans }) => idle / scans)),
      floor: 0.5,
    },
    { name: 'p99 of whoami during these scans, milliseconds', value: median(pairs.map(({ scans }) => scans)) },
    {
      name: `p99 of whoami during the first scan of ${files.toLocaleString('en')} files, milliseconds`,
      value: filling,
    },
    { name: 'the first scan, files a second', perSecond: (files * 1000) / first },
  ];
}
