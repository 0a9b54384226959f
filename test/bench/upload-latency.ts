import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addStorage } from './bytes.ts';
import { load, requestBytes } from './load.ts';
import { maxTurnLength } from './longest-turn.ts';
import { median, type Row } from './row.ts';
import { initialise, type RuntimeName, startService, startUnder } from './runtimes.ts';

const authorization = `Basic ${btoa('admin:bench')}`;
const whoami = requestBytes('GET', '/API/whoami', { authorization });
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const uploader = fileURLToPath(new URL('uploader.ts', import.meta.url));

/**
 * Time that `whoami` waits while files come in by a line of a gigabit: at most twice what it waits for at rest. Beside it
 * stands the same load while the bytes go to another process, as sender and receiver share the cores with the server. The
 * same of a bare server under this runtime, which reads, hashes and writes, stands there, too.
 */
export async function benchUploadLatency(runtime: RuntimeName, rounds = 5, seconds = 2): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const media = join(root, 'media');
  await mkdir(media);
  const settings = {
    PORTICO_MIN_FREE_BYTES: '0',
  };
  await initialise(runtime, root, settings);
  await addStorage(root, media);
  const { port, stop } = await startService(runtime, root, settings);

  const measure = async (of = port) => (await load({ port: of, connections: 4, seconds, next: () => whoami })).p99;
  const beside = await startUnder('node', 'test/bench/bare-bytes.ts', [root]);
  const bare = await startUnder(runtime, 'test/bench/bare-server.ts', [join(root, 'portico.db'), '', root]);
  let files = 0;
  let sent = 0;
  async function during<T>(to: number, path: string, measured: () => Promise<T>): Promise<T> {
    const words = ['--import', tsx, uploader, String(to), path];
    const sending = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    sending.stdout.on('data', (text) => {
      said += text;
    });
    const ended = new Promise((resolve) => sending.once('exit', resolve));
    while (said === '') await new Promise((resolve) => setTimeout(resolve, 20));
    const result = await measured();
    sending.kill('SIGTERM');
    await ended;
    sent = Number(said.trim().split('\n').at(-1));
    return result;
  }
  async function measureTurns() {
    await maxTurnLength(port);
    return { p99: await measure(), turn: await maxTurnLength(port) };
  }
  const pairs: { idle: number; other: number; p99: number; turn: number; bareIdle: number; bareP99: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const idle = await measure();
    const other = await during(beside.port, '/bare', () => measure());
    const turns = await during(port, `/API/storage/VX-1/file/data?path=film-${files++}`, measureTurns);
    const bareIdle = await measure(bare.port);
    const bareP99 = await during(bare.port, '/upload', () => measure(bare.port));
    const pair = { idle, other, ...turns, bareIdle, bareP99 };
    if (round > 0) pairs.push(pair);
  }
  await Promise.all([stop(), beside.stop(), bare.stop()]);
  await rm(root, { recursive: true, force: true });
  const turn = Math.min(...pairs.map((pair) => pair.turn));
  return [
    {
      name: 'p99 of whoami at rest, against while up to 100 MiB a second come in',
      ratio: median(pairs.map(({ idle, p99 }) => idle / p99)),
      floor: 0.5,
    },
    {
      name: 'the same while they go to another process, against to this one',
      ratio: median(pairs.map(({ other, p99 }) => other / p99)),
    },
    {
      name: 'p99 of whoami at rest, against during these uploads, of a bare server',
      ratio: median(pairs.map(({ bareIdle, bareP99 }) => bareIdle / bareP99)),
    },
    {
      name: 'p99 of whoami of a bare server during these uploads, against of this one',
      ratio: median(pairs.map(({ p99, bareP99 }) => bareP99 / p99)),
    },
    { name: 'p99 of whoami during these uploads, milliseconds', value: median(pairs.map(({ p99 }) => p99)) },
    { name: 'what the last uploader has sent, MiB a second', value: sent },
    {
      name: '50 ms, against the longest turn of the loop during these uploads',
      ratio: 50 / Math.max(turn, 1),
      floor: 1,
      value: turn,
    },
  ];
}
