import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../src/core/lib/clock.ts';
import { openStore } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { migrations } from '../support/store.ts';
import { storageRows } from '../support/world.ts';
import { each, headers } from './item-root.ts';
import { maxTurnLength } from './longest-turn.ts';
import { median, type Row } from './row.ts';
import { initialise, type RuntimeName, type Started, settingsFor, startService, startUnder } from './runtimes.ts';
import { download, drain, upload } from './transfer.ts';
import { spentBy } from './usage.ts';

const mebibyte = 1024 * 1024;
const large = 256 * mebibyte;
/** Size of the file that memory is measured with. */
const largest = 1024 * mebibyte;
const part = 16 * mebibyte;
const small = 20_000;
const files = '/API/storage/VX-1/file/data';

/** Bytes that come and go, against the least that could take and give them; and the memory that they take. */
export async function benchBytes(runtime: RuntimeName, rounds = 3): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const media = join(root, 'media');
  await mkdir(media);
  const settings = {
    PORTICO_MIN_FREE_BYTES: '0',
  };
  await initialise(runtime, root, settings);
  await addStorage(root, media);
  const ours = await startService(runtime, root, settings);
  const bare = await startUnder('node', 'test/bench/bare-bytes.ts', [root]);
  const times: Record<'up' | 'bareUp' | 'parts', number[]> = { up: [], bareUp: [], parts: [] };
  // Any first request makes routes and hashes a password: no body takes that.
  for (let turn = 0; turn < 20; turn++) {
    const id = await upload(ours.port, `${files}?path=first-${turn}`, small);
    await download(ours.port, `/API/file/${id}/data`, small);
  }
  const idle = memoryOf(ours, 'VmRSS');
  let first = '';
  for (let round = 0; round <= rounds; round++) {
    const up = await timed(async () => {
      first = await upload(ours.port, `${files}?path=up-${round}`, large);
    });
    const bareUp = await timed(() => upload(bare.port, '/bare', large));
    const parts = await timed(() => uploadParts(ours.port, `${files}?path=parts-${round}&transferId=${round}`));
    // The first one warms up.
    if (round > 0) for (const [name, time] of Object.entries({ up, bareUp, parts })) times[name as 'up'].push(time);
  }
  const downs = await downloads(ours, `/API/file/${first}/data`, bare);
  const seeks = await ranges(ours, `/API/file/${first}/data`, bare);
  const id = await upload(ours.port, `${files}?path=largest`, largest);
  await download(ours.port, `/API/file/${id}/data`, largest);
  const grown = (memoryOf(ours, 'VmHWM') - idle) / 1024;
  await bare.stop();
  const smalls = await durableAndNot(runtime, ours, settings);
  await ours.stop();
  await rm(root, { recursive: true, force: true });
  const ratio = (one: 'bareUp' | 'up', other: 'up' | 'parts') =>
    median(times[one].map((time, round) => time / times[other][round]!));
  const max = runtime === 'node' ? 64 : 128;
  return [
    {
      name: 'upload of 256 MiB, with its hash, against a bare pipe and a sync',
      ratio: ratio('bareUp', 'up'),
      floor: runtime === 'node' ? 0.8 : 0.7,
    },
    { name: 'the same in parts, four at a time, against in one go', ratio: ratio('up', 'parts'), floor: 0.6 },
    {
      name: 'download of 256 MiB against a bare pipe',
      ratio: downs.faster,
      floor: runtime === 'node' ? 1 : 0.6,
    },
    { name: 'CPU time of the bare pipe for it, against this', ratio: downs.lighter },
    { name: 'CPU time of ranges of 64 KB, against a bare handler; microseconds', ...seeks },
    {
      name: '50 ms, against the longest turn of the loop during these downloads',
      ratio: 50 / Math.max(downs.turn, 1),
      floor: 1,
      value: downs.turn,
    },
    { name: 'uploads of 20 KB with 16 connections, each durable, against without a sync', floor: 0.4, ...smalls },
    {
      name: `${max} MiB of memory, against what bodies of 1 GiB take, either way`,
      ratio: max / Math.max(1, grown),
      floor: 1,
      value: grown,
    },
  ];
}

export async function addStorage(root: string, media: string): Promise<void> {
  const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
    clock: systemClock,
    site: 'B',
    migrations,
  });
  await storageRows({ service: { store } } as Parameters<typeof storageRows>[0], {
    uri: `${pathToFileURL(media).href}/`,
  });
  await store.close();
}

/** Many downloads, each side first in turn: one takes a tenth of a second, in which a neighbour weighs as much. */
async function downloads(ours: Started, path: string, bare: Started, rounds = 40) {
  const one = async (of: Started, what: string) => {
    let took = 0;
    const { cpu } = await spentBy(of.process, async () => {
      took = await timed(() => drain(of.port, what, large));
    });
    return { took, cpu };
  };
  const pairs: Record<'own' | 'theirs', { took: number; cpu: number }>[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) pairs.push({ theirs: await one(bare, '/bare'), own: await one(ours, path) });
    else pairs.push({ own: await one(ours, path), theirs: await one(bare, '/bare') });
  }
  // The least of some: neighbours share the cores.
  let turn = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    await maxTurnLength(ours.port);
    await download(ours.port, path, large);
    turn = Math.min(turn, await maxTurnLength(ours.port));
  }
  const cpuOf = (side: 'own' | 'theirs') => pairs.reduce((total, pair) => total + pair[side].cpu, 0);
  return {
    faster: median(pairs.map(({ own, theirs }) => theirs.took / own.took)),
    lighter: cpuOf('theirs') / cpuOf('own'),
    turn,
  };
}

const range = 64 * 1024;
const atOnce = 8;

/** Requests of a player that seeks: short ranges of a large file over connections that stay open. */
async function ranges(ours: Pick<Started, 'process' | 'port'>, path: string, bare: Started, rounds = 6) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const asks = 400;
  const spent = async (server: Pick<Started, 'process' | 'port'>, what: string) => {
    let place = 0;
    const { cpu } = await spentBy(server.process, () =>
      each(
        asks,
        () => {
          place = (place + 7_000_003) % (large - range);
          return oneRange(agent, server.port, what, place);
        },
        atOnce,
      ),
    );
    return (cpu * 1000) / asks;
  };
  const pairs: { own: number; theirs: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = { own: await spent(ours, path), theirs: await spent(bare, '/bare') };
    if (round > 0) pairs.push(pair);
  }
  agent.destroy();
  return { ratio: median(pairs.map(({ own, theirs }) => own / theirs)), value: median(pairs.map(({ own }) => own)) };
}

function oneRange(agent: Agent, port: number, path: string, first: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = { ...headers, accept: '*/*', range: `bytes=${first}-${first + range - 1}` };
    get({ agent, port, path, host: '127.0.0.1', headers: asked }, (response) => {
      if (response.statusCode !== 206) return reject(new Error(`Expected a range: ${response.statusCode}`));
      response.resume();
      response.on('end', resolve);
    }).on('error', reject);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** In KiB, of the process of a server. */
const memoryOf = ({ process: { pid } }: Started, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

async function uploadParts(port: number, path: string): Promise<void> {
  const parts = Array.from({ length: large / part }, (_, index) => index * part);
  const sender = async () => {
    for (let index = parts.shift(); index !== undefined; index = parts.shift()) {
      await upload(port, path, part, { size: String(large), index: String(index) });
    }
  };
  await Promise.all(Array.from({ length: 4 }, sender));
}

/** In turn, so that a slow moment of the disk hits both. */
async function durableAndNot(runtime: RuntimeName, durable: Started, settings: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const media = join(root, 'media');
  await mkdir(media);
  await initialise(runtime, root, settings);
  await addStorage(root, media);
  const other = await startUnder(runtime, 'test/bench/unsynced-server.ts', ['serve'], settingsFor(root, settings));
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = 0; round <= 3; round++) {
    const pair = { ours: await smallUploads(durable.port, round), theirs: await smallUploads(other.port, round) };
    if (round > 0) pairs.push(pair);
  }
  await other.stop();
  await rm(root, { recursive: true, force: true });
  return {
    ratio: median(pairs.map(({ ours, theirs }) => ours / theirs)),
    perSecond: median(pairs.map(({ ours }) => ours)),
  };
}

async function smallUploads(port: number, round: number, seconds = 2): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const sender = async (number: number) => {
    for (let turn = 0; performance.now() < end; turn++) {
      await upload(port, `${files}?path=small-${round}-${number}-${turn}`, small);
      count++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, number) => sender(number)));
  return count / seconds;
}
