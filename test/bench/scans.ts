import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchLoop } from '../../src/entry/loop-delay.ts';
import { fileScheme } from '../../src/entry/native/file-storage/scheme.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { behindAll } from '../../src/lib/byte-order.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { filesBetween } from '../../src/media/scanning/merging/store.ts';
import { createScans } from '../../src/media/scanning/turns/scan.ts';
import type { StorageDriver, StoredFile } from '../../src/spi/index.ts';
import { systemActor } from '../../src/store/contract.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { fillStorages } from '../support/many-files.ts';
import { migrations } from '../support/store.ts';
import { median, type Row } from './row.ts';

/** What a scan costs in one process: comparing with rows, and walking folders. */

const storage = 'VX-1';
const quiet = { write: () => undefined, writes: () => false };
const held = {
  signal: new AbortController().signal,
  mayGoOn: () => true,
  done: () => undefined,
  failed: () => undefined,
};

const pathOf = (at: number): string =>
  `folder-${String(Math.floor(at / 100)).padStart(5, '0')}/file-${String(at).padStart(7, '0')}.mov`;

/** Closed files as a scan has left them, written by the engine. */
async function fill(store: Store, count: number): Promise<void> {
  await fillStorages(store, 1);
  const sql = `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
    INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, modified, content, identity, hash,
      changed_at, timestamp, version)
    SELECT 'VX-' || (i + 1), i + 1, '${storage}', printf('folder-%05d/file-%07d.mov', i / 100, i),
      printf('folder-%05d/', i / 100), printf('file-%07d.mov', i), 'mov', 'CLOSED', i, i * 1000, 'v' || i, 'i' || i,
      printf('%040d', i), 0, 0, 1 FROM n`;
  const batch = 100_000;
  for (let at = 0; at < count; at += batch) {
    await store.commit({ changes: [{ sql, args: [at, Math.min(at + batch, count) - 1] }], events: [] }, systemActor);
  }
}

/** Lists the same files. */
function listing(count: number): StorageDriver {
  const fileAt = (at: number): StoredFile => ({
    path: pathOf(at),
    size: at,
    modified: at * 1000,
    version: `v${at}`,
    identity: `i${at}`,
  });
  return {
    can: { list: true, write: false, parts: false, createOnly: false, sign: false },
    check: async () => ({}),
    stat: async (path) => fileAt(Number(path.slice(-11, -4))),
    read: () => Promise.reject(new Error('Nobody reads')),
    async list({ after, limit }) {
      const from = after === undefined ? 0 : Number(after.slice(-11, -4)) + 1;
      const files = Array.from({ length: Math.min(limit, count - from) }, (_, at) => fileAt(from + at));
      return from + limit < count ? { files, next: files.at(-1)!.path } : { files };
    },
  };
}

const due = `INSERT INTO storage_scan (storage_id, due, instance, lease_until, fence, found) VALUES ('${storage}', 0, '', 0, 0, '{}')
  ON CONFLICT (storage_id) DO UPDATE SET due = 0`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function benchMerge(count: number, rounds: number): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
    clock: systemClock,
    site: 'B',
    migrations,
  });
  await store.migrate();
  await fill(store, count);
  const driver = listing(count);
  const scans = createScans({
    store,
    clock: systemClock,
    log: quiet,
    places: {
      of: async () => driver,
      schemeFor: () => undefined,
      unread: () => undefined,
      close: async () => undefined,
    },
    instanceId: 'bench',
    sharesWork: true,
    settings: { closeLimit: 15, maxLostPercent: 10 },
  });
  async function scan(): Promise<void> {
    await store.commit({ changes: [{ sql: due, args: [] }], events: [] }, systemActor);
    await scans.turn({ key: storage, held: undefined }, held);
  }
  async function select(): Promise<void> {
    const reader = store.reader('bench');
    for (let after = ''; ; ) {
      const rows = await filesBetween(reader, { id: storage, after, upTo: behindAll(), limit: 1000 });
      if (rows.length === 0) return;
      after = rows.at(-1)!.path;
    }
  }
  const ratios: number[] = [];
  const took: number[] = [];
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = watchLoop();
  // The least of the rounds: neighbours share the cores.
  let gap = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const plain = await timed(select);
    watch.longest();
    const merged = await timed(scan);
    const late = watch.longest() * 1000;
    most = Math.max(most, process.memoryUsage().rss);
    if (round === 0) continue;
    gap = Math.min(gap, late);
    ratios.push(plain / merged);
    took.push(merged);
  }
  watch.stop();
  const written = await store.read('SELECT COUNT(*) FROM file WHERE version > 1');
  if (written[0]![0] !== 0) throw new Error(`Expected no file to be written: ${written[0]![0]}`);
  await store.close();
  await rm(root, { recursive: true, force: true });
  const among = `${count.toLocaleString('en')} rows`;
  const grown = (most - before) / 1024 / 1024;
  return [
    { name: `reading ${among} by pages, against a scan that compares them`, ratio: median(ratios), floor: 0.5 },
    { name: `a scan that compares ${among}, seconds`, value: median(took) / 1000 },
    {
      name: `50 ms, against the longest turn of the loop during it`,
      ratio: 50 / Math.max(gap, 1),
      floor: 1,
      value: gap,
    },
    {
      name: `64 MiB of memory, against what these scans take`,
      ratio: 64 / Math.max(1, grown),
      floor: 1,
      value: grown,
    },
  ];
}

async function benchWalk(count: number, rounds: number): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  for (let folder = 0; folder < count / 100; folder++) {
    const name = join(root, `folder-${folder}`);
    await mkdir(name);
    await Promise.all(Array.from({ length: 100 }, (_, at) => writeFile(join(name, `file-${at}.mov`), '')));
  }
  const scheme = fileScheme(
    { root, storageRoots: [root], minFreeBytes: 0 },
    { randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
  );
  const driver = scheme.open({ uri: `file://${root}/` });
  await driver.check();
  async function walk(): Promise<void> {
    for (let after: string | undefined; ; ) {
      const { next } = await driver.list!({ limit: 1000, ...(after !== undefined && { after }) });
      if (next === undefined) return;
      after = next;
    }
  }
  const find = async () => spawnSync('find', [root, '-printf', '%p %s %T@ %i\n'], { maxBuffer: 2 ** 30 });
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const ratio = (await timed(find)) / (await timed(walk));
    if (round > 0) ratios.push(ratio);
  }
  await scheme.close?.();
  await rm(root, { recursive: true, force: true });
  const floor = 'Deno' in globalThis ? 0.25 : 0.4;
  return [{ name: `find, against the walk of ${count.toLocaleString('en')} files`, ratio: median(ratios), floor }];
}

export const benchScans = async (rows = 1_000_000, files = 200_000, rounds = 3): Promise<Row[]> => [
  ...(await benchMerge(rows, rounds)),
  ...(await benchWalk(files, rounds)),
];
