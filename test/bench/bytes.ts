import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openStore } from '../../src/store/store.ts';
import { storageRows } from '../support/media.ts';
import { migrations } from '../support/store.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startUnder } from './runtimes.ts';

const mebibyte = 1024 * 1024;
const large = 256 * mebibyte;
const part = 16 * mebibyte;
const small = 20_000;
const piece = Buffer.alloc(mebibyte, 'portico');
const authorization = `Basic ${btoa('admin:bench')}`;
const files = '/API/storage/VX-1/file/data';

/** Bytes that come and go, against the least that could take and give them; and the memory that they take. */
export async function benchBytes(runtime: RuntimeName, rounds = 3): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const media = join(root, 'media');
  await mkdir(media);
  const environment = {
    PORTICO_ROOT: root,
    PORTICO_PORT: '0',
    PORTICO_ADMIN_PASSWORD: 'bench',
    PORTICO_LOG_LEVEL: 'warn',
    PORTICO_MIN_FREE_BYTES: '0',
  };
  // The first start initialises the database.
  await (await startUnder(runtime, 'src/entry/cli.ts', ['serve'], environment)).stop();
  await addStorage(root, media);
  const ours = await startUnder(runtime, 'src/entry/cli.ts', ['serve'], environment);
  const bare = await startUnder('node', 'test/bench/bare-bytes.ts', [root]);
  const times: Record<'up' | 'bareUp' | 'parts' | 'down' | 'bareDown', number[]> = {
    up: [],
    bareUp: [],
    parts: [],
    down: [],
    bareDown: [],
  };
  const idle = memoryOf(ours, 'VmRSS');
  for (let round = 0; round <= rounds; round++) {
    let id = '';
    const up = await timed(async () => {
      id = await upload(ours.port, `${files}?path=up-${round}`);
    });
    const bareUp = await timed(() => upload(bare.port, '/bare'));
    const parts = await timed(() => uploadParts(ours.port, `${files}?path=parts-${round}&transferId=${round}`));
    const down = await timed(() => download(ours.port, `/API/file/${id}/data`));
    const bareDown = await timed(() => download(bare.port, '/bare'));
    // The first one warms up.
    if (round > 0)
      for (const [name, time] of Object.entries({ up, bareUp, parts, down, bareDown })) times[name as 'up'].push(time);
  }
  const grown = (memoryOf(ours, 'VmHWM') - idle) / 1024;
  const perSecond = await smallUploads(ours.port);
  await Promise.all([ours.stop(), bare.stop()]);
  await rm(root, { recursive: true, force: true });
  const ratio = (one: 'bareUp' | 'up' | 'bareDown', other: 'up' | 'parts' | 'down') =>
    median(times[one].map((time, round) => time / times[other][round]!));
  const most = runtime === 'node' ? 64 : 128;
  return [
    {
      name: 'upload of 256 MiB, with its hash, against a bare pipe and a sync',
      ratio: ratio('bareUp', 'up'),
      floor: runtime === 'node' ? 0.8 : 0.7,
    },
    { name: 'the same in parts, four at a time, against in one go', ratio: ratio('up', 'parts'), floor: 0.6 },
    {
      name: 'download of 256 MiB against a bare pipe',
      ratio: ratio('bareDown', 'down'),
      floor: runtime === 'node' ? 1 : 0.6,
    },
    { name: 'uploads of 20 KB with 16 connections, each durable', perSecond },
    {
      name: `memory that bytes may take (${most} MiB) against what they take`,
      ratio: most / Math.max(1, grown),
      floor: 1,
    },
    { name: 'memory beyond that of an idle server, MiB', value: grown },
  ];
}

async function addStorage(root: string, media: string): Promise<void> {
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** In KiB, of the process of a server. */
const memoryOf = ({ process: { pid } }: Started, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const agent = new Agent({ keepAlive: true });

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  bytes: number,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const given = { host: '127.0.0.1', port, method, path, agent, headers: { authorization, ...headers } };
    const sent = request(given, resolve);
    sent.on('error', reject);
    let left = bytes;
    const write = () => {
      while (left > 0) {
        const next = Math.min(left, piece.byteLength);
        left -= next;
        if (!sent.write(next === piece.byteLength ? piece : piece.subarray(0, next)))
          return void sent.once('drain', write);
      }
      sent.end();
    };
    write();
  });
}

async function drained(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).byteLength;
  return bytes;
}

/** Gives the id of the file. */
async function upload(
  port: number,
  path: string,
  bytes = large,
  headers: Record<string, string> = {},
): Promise<string> {
  const given = { 'content-length': String(bytes), accept: 'text/plain', ...headers };
  const answer = await send(port, 'POST', path, given, bytes);
  let text = '';
  for await (const chunk of answer) text += chunk;
  if (answer.statusCode !== 200) throw new Error(`Expected 200: ${answer.statusCode} ${text}`);
  return text;
}

async function uploadParts(port: number, path: string): Promise<void> {
  const parts = Array.from({ length: large / part }, (_, index) => index * part);
  const sender = async () => {
    for (let index = parts.shift(); index !== undefined; index = parts.shift()) {
      await upload(port, path, part, { size: String(large), index: String(index) });
    }
  };
  await Promise.all(Array.from({ length: 4 }, sender));
}

async function download(port: number, path: string): Promise<void> {
  const bytes = await drained(await send(port, 'GET', path, {}, 0));
  if (bytes !== large) throw new Error(`Expected ${large} bytes: ${bytes}`);
}

async function smallUploads(port: number, seconds = 4): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const sender = async (number: number) => {
    for (let turn = 0; performance.now() < end; turn++) {
      await upload(port, `${files}?path=small-${number}-${turn}`, small);
      count++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, number) => sender(number)));
  return count / seconds;
}
