import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createService, type Service } from '../../src/composition/service.ts';
import { readSettings, type Settings } from '../../src/composition/settings.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import type { Statement } from '../../src/core/store/contract.ts';
import { hasher } from '../../src/entry/crypto.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { createMediaHost } from '../../src/entry/media/child/host.ts';
import { fileScheme } from '../../src/entry/native/file-storage/scheme.ts';
import type { MediaSource, StorageDriver } from '../../src/spi/index.ts';
import { hashFile } from '../../src/storage/scanning/hash-files.ts';
import { wav } from '../production/checking/samples.ts';
import { storageRows } from '../support/world.ts';
import { rawCommitter } from './commit.ts';
import { median, type Row } from './row.ts';

/** Cost of an import around its parts: its requests, media checks, hashes and the commits of its job, each alone. */

const inFlight = 16;
const headers = { authorization: `Basic ${btoa('admin:bench')}`, accept: 'application/json' };
const never = new AbortController().signal;

interface World {
  readonly service: Service;
  readonly settings: Settings;
  readonly commits: (readonly Statement[])[];
  readonly paths: readonly string[];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** So many at a time. */
async function each<T>(things: readonly T[], width: number, work: (thing: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const hand = async () => {
    while (next < things.length) await work(things[next++]!);
  };
  await Promise.all(Array.from({ length: width }, hand));
}

/** A server without a socket, whose storage has so many small sounds that nobody has imported. */
async function openWorld(root: string, files: number): Promise<World> {
  const media = join(root, 'media');
  await mkdir(media);
  const sound = await wav({ seconds: 0.1, channels: 1 });
  const paths = Array.from({ length: files }, (_, at) => `sound-${at}.wav`);
  await each(paths, inFlight, (path) => {
    const bytes = sound.slice();
    // No file is like another one.
    new DataView(bytes.buffer).setUint32(bytes.byteLength - 4, paths.indexOf(path));
    return writeFile(join(media, path), bytes);
  });
  const settings: Settings = {
    ...readSettings({}),
    root,
    adminPassword: new Secret('bench'),
    logLevel: 'warn',
    minFreeBytes: 0,
    concurrentJobs: inFlight,
    concurrentJobsOfUser: inFlight,
  };
  const platform = await hostPlatform(settings, (line) => console.error(line));
  const { database } = platform;
  const commits: (readonly Statement[])[] = [];
  const write = database.write.bind(database);
  database.write = async (statements, share) => {
    const written = await write(statements, share);
    commits.push(statements);
    return written;
  };
  const service = createService(settings, platform);
  await service.start();
  await storageRows({ service } as Parameters<typeof storageRows>[0], {
    uri: `${pathToFileURL(media).href}/`,
    scanInterval: -1,
  });
  return { service, settings, commits, paths };
}

/** The items and the jobs are there when the requests are answered. */
async function registerAll({ service, settings }: World, paths: readonly string[]): Promise<void> {
  const media = pathToFileURL(join(settings.root, 'media')).href;
  await each(paths, inFlight, async (path) => {
    const uri = encodeURIComponent(`${media}/${path}`);
    const answer = await service.fetch(
      new Request(`http://localhost/API/import?uri=${uri}`, { method: 'POST', headers }),
    );
    if (answer.status !== 200) throw new Error(`Expected 200: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  });
}

/** How many jobs have not ended well, or files have no hash. */
async function leftOf({ service }: World, imports: number): Promise<number> {
  const sql = `SELECT (SELECT COUNT(*) FROM file WHERE hash IS NOT NULL), (SELECT COUNT(*) FROM job WHERE status = 'FINISHED')`;
  const [hashed, ended] = (await service.store.read(sql))[0]!;
  return Math.max(imports - Number(hashed), imports - Number(ended));
}

/** The process that opens media is there, as it is in a server that has imported before. */
async function importFirst(world: World): Promise<void> {
  await registerAll(world, world.paths.slice(0, 1));
  while ((await leftOf(world, 1)) > 0) await world.service.tick();
}

async function commitAll(path: string, commits: readonly (readonly Statement[])[]): Promise<void> {
  const raw = rawCommitter(path, 256, (id) => [...commits[Number(id)]!]);
  const ids = commits.map((_, at) => String(at));
  await each(ids, inFlight, (id) => raw.commit(id));
  raw.close();
}

async function sourceAt(driver: StorageDriver, path: string): Promise<MediaSource> {
  const { size } = (await driver.stat(path))!;
  return {
    size,
    name: path,
    async read(range) {
      const { body } = await driver.read(path, { range });
      return new Uint8Array(await new Response(body).arrayBuffer());
    },
  };
}

/** Milliseconds of each part alone. Media checks overlap as they do for jobs: their process has the next question early. */
async function partsOf(
  { settings, paths: [first, ...paths] }: World,
  raw: string,
  commits: readonly (readonly Statement[])[],
) {
  const root = join(settings.root, 'media');
  const scheme = fileScheme(
    { root, storageRoots: [root], minFreeBytes: 0 },
    { randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
  );
  const driver = scheme.open({ uri: `${pathToFileURL(root).href}/` });
  const host = createMediaHost(settings);
  const probe = async (path: string) =>
    host.probe(await sourceAt(driver, path), {
      maxBytes: settings.probeBytes,
      // Runtimes warn of many listeners at one.
      signal: new AbortController().signal,
    });
  // The first probe starts the process, which is not measured.
  await probe(first!);
  const parts = {
    committing: await timed(() => commitAll(raw, commits)),
    checking: await timed(() => each(paths, inFlight, probe)),
    hashing: await timed(() => each(paths, 1, (path) => hashFile(driver, path, hasher, never))),
  };
  await host.close();
  await scheme.close?.();
  return parts;
}

export async function benchImport(max = 1_000, rounds = 1): Promise<Row[]> {
  const ratios: number[] = [];
  const rates: number[] = [];
  const shares: Record<string, number>[] = [];
  for (let round = 0; round <= rounds; round++) {
    // The first one warms up.
    const files = round === 0 ? Math.min(100, max) : max;
    const root = await mkdtemp(join(tmpdir(), 'portico-import-'));
    const world = await openWorld(root, files + 1);
    const raw = join(root, 'raw.db');
    await importFirst(world);
    const registering = await timed(() => registerAll(world, world.paths.slice(1)));
    await world.service.store.read('PRAGMA wal_checkpoint(TRUNCATE)');
    await copyFile(join(root, 'portico.db'), raw);
    world.commits.length = 0;
    let working: Promise<void> | undefined;
    const whole = await timed(async () => {
      working = world.service.work();
      while ((await leftOf(world, world.paths.length)) > 0) await systemClock.sleep(20);
    });
    const commits = world.commits.slice();
    await world.service.close();
    await working;
    const parts = { registering, ...(await partsOf(world, raw, commits)) };
    await rm(root, { recursive: true, force: true });
    if (round === 0) continue;
    shares.push({ ...parts, commits: commits.length });
    ratios.push((registering + parts.committing + parts.checking + parts.hashing) / (registering + whole));
    rates.push((files * 1000) / (registering + whole));
  }
  /** Share of one import, as the median of the rounds. */
  const share = (name: string) => median(shares.map((each) => each[name]! / max));
  return [
    {
      name: 'requests, media checks, hashes and commits of small files alone, against their imports',
      ratio: median(ratios),
      floor: 0.6,
      perSecond: median(rates),
    },
    { name: 'of these: the requests alone, milliseconds', value: share('registering') },
    { name: 'commits of one import behind its request', value: share('commits') },
    { name: 'of these: committing alone, milliseconds', value: share('committing') },
    { name: 'of these: media checks alone, milliseconds', value: share('checking') },
    { name: 'of these: hashing alone, milliseconds', value: share('hashing') },
  ];
}
