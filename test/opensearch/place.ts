import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { virtualTimeHost } from '../../src/kit/testing/virtual-time-host.ts';
import type { Host, SearchEngine } from '../../src/spi/index.ts';
import { fakeOpenSearch } from '../support/opensearch/fake.ts';
import { engineAt, realHost } from './host.ts';
import { distributions, type RunningEngine, startEngine } from './program.ts';

/** Version of a real OpenSearch for tests of the service. `npm run test:opensearch` sets it. */
export const realVersion = process.env['PORTICO_TEST_OPENSEARCH'];
const index = 'portico';

/** An OpenSearch to which a test does what happens to engines: a real one, or the stand-in. */
export interface EnginePlace {
  readonly engine: SearchEngine;
  /** Ends it as a loss of power does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it when it has half of the documents of the next batch. */
  killAmidBatch(): void;
  /** Keeps its data as it is now. */
  keep(): Promise<void>;
  /** Starts it with the data that was kept. */
  startOlder(): Promise<void>;
  /** Sets or lifts the block of a full disk. */
  block(isBlocked: boolean): Promise<void>;
}

/** Data and life of an engine. */
interface Backend extends Omit<EnginePlace, 'engine' | 'killAmidBatch' | 'block'> {
  readonly url: string;
  readonly host: Host;
  send(request: Request): Promise<Response>;
}

export async function enginePlace(): Promise<EnginePlace> {
  const backend = realVersion === undefined ? standIn() : await realEngine(realVersion);
  const { url, host, send, kill, start, keep, startOlder } = backend;
  let isDoomed = false;
  const call: Host['call'] = async (request) => {
    if (!isDoomed || !request.url.includes('/_bulk')) return host.call(request);
    isDoomed = false;
    await host.call({ ...request, body: firstHalf(request.body as string) });
    const [answer] = await Promise.all([host.call(request), kill()]);
    return answer;
  };
  return {
    engine: await engineAt(url, { index }, { ...host, call }),
    ...{ kill, start, keep, startOlder },
    killAmidBatch() {
      isDoomed = true;
    },
    async block(isBlocked) {
      const request = new Request(`${url}/${index}/_settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'index.blocks.read_only_allow_delete': isBlocked || null }),
      });
      const { status } = await send(request);
      if (status !== 200) throw new Error(`Expected a block that is set: ${status}`);
    },
  };
}

/** Lines of the first half of the documents: two for each. */
function firstHalf(batch: string): string {
  const lines = batch.split('\n');
  return lines
    .slice(0, Math.ceil(lines.length / 4) * 2)
    .join('\n')
    .concat('\n');
}

function standIn(): Backend {
  const fake = fakeOpenSearch();
  let kept = fake.copy();
  let isRunning = true;
  const start = async () => {
    isRunning = true;
  };
  return {
    url: 'https://search.example',
    host: virtualTimeHost({
      backend: (request) => (isRunning ? fake.fetch(request) : Promise.reject(new TypeError('fetch failed'))),
    }),
    send: (request) => fake.fetch(request),
    start,
    async kill() {
      isRunning = false;
    },
    async keep() {
      kept = fake.copy();
    },
    async startOlder() {
      fake.restore(kept);
      await start();
    },
  };
}

/** A real engine in a folder of its own, which keeps its port. */
async function realEngine(version: string): Promise<Backend> {
  const available = await distributions();
  const distribution = typeof available === 'string' ? undefined : available.find((each) => each.version === version);
  if (!distribution) throw new Error(`Expected OpenSearch ${version} on this machine`);
  const base = await mkdtemp(join(tmpdir(), 'portico-opensearch-'));
  const [folder, copy] = [join(base, 'data'), join(base, 'kept')];
  let running: RunningEngine = await startEngine(distribution, folder);
  const { url } = running;
  onTestFinished(async () => {
    await running.kill().catch(() => undefined);
    await rm(base, { recursive: true, force: true });
  }, 60_000);
  const start = async () => {
    running = await startEngine(distribution, folder, { port: new URL(url).port });
  };
  return {
    ...{ url, start },
    host: realHost(),
    send: (request) => fetch(request),
    kill: () => running.kill(),
    async keep() {
      await running.stop();
      await cp(folder, copy, { recursive: true });
      await start();
    },
    async startOlder() {
      await rm(folder, { recursive: true, force: true });
      await cp(copy, folder, { recursive: true });
      await start();
    },
  };
}
