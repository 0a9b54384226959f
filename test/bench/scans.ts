import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileScheme } from '../../src/entry/native/file-storage/scheme.ts';
import { watchLoop } from '../../src/entry/start-server.ts';
import { median, type Row } from './row.ts';
import { scanWorld } from './scan-world.ts';

/** Cost of a scan in one process: comparing with rows, and walking folders. */

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function benchMerge(count: number, rounds: number): Promise<Row[]> {
  const world = await scanWorld(count);
  const ratios: number[] = [];
  const took: number[] = [];
  const watch = watchLoop();
  // The least of the rounds: neighbours share the cores.
  let gap = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const plain = await timed(world.select);
    watch.longest();
    const merged = await timed(world.scan);
    const late = watch.longest() * 1000;
    if (round === 0) continue;
    gap = Math.min(gap, late);
    ratios.push(plain / merged);
    took.push(merged);
  }
  watch.stop();
  await world.close();
  const among = `${count.toLocaleString('en')} rows`;
  return [
    { name: `reading ${among} by pages, against a scan that compares them`, ratio: median(ratios), floor: 0.5 },
    { name: `a scan that compares ${among}, seconds`, value: median(took) / 1000 },
    {
      name: `50 ms, against the longest turn of the loop during it`,
      ratio: 50 / Math.max(gap, 1),
      floor: 1,
      value: gap,
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
