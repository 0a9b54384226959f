import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { edgeModule, edgeService } from '../../src/entry/edge.ts';
import { key } from '../plugins/storages/support.ts';
import { jpeg } from '../production/checking/samples.ts';
import { isLong } from '../support/long.ts';
import { basic } from '../support/matrix.ts';
import { fakeS3 } from '../support/s3/fake.ts';
import { admin, testSecretKey } from '../support/service.ts';
import { type Sqld, sqldBinary, startPreparedSqld } from '../support/sqld.ts';

/** Calls that the plan allows in one invocation. */
const limit = 50;
const maxTicks = 12;
const files = isLong ? 20 : 3;
const receivers = 3;

describe.skipIf(sqldBinary() === undefined)('an edge that may make 50 calls in an invocation', () => {
  const invocation = new AsyncLocalStorage<{ calls: number }>();
  const told: string[] = [];
  const refused: string[] = [];
  /** Calls of each invocation. */
  const spent: number[] = [];
  const bucket = fakeS3({ key, bucket: 'media', host: 's3.example', now: Date.now });
  let server: Sqld;

  beforeAll(async () => {
    server = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: admin[1] });
    const network = globalThis.fetch;
    vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
      const request = new Request(...given);
      const count = invocation.getStore();
      if (count && ++count.calls > limit) {
        refused.push(request.url);
        throw new Error('Too many subrequests');
      }
      const { host, pathname } = new URL(request.url);
      if (host === 's3.example') return bucket.fetch(request);
      if (host !== 'receiver.example') return network(request);
      told.push(`${pathname} ${await request.text()}`);
      return new Response(null, { status: 204 });
    });
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server.stop();
  });

  /** `moduleOf`: the isolate of the next invocation. */
  function openEdge(moduleOf: () => ReturnType<typeof edgeModule>) {
    const environment = {
      PORTICO_DATABASE: server.url,
      PORTICO_LOG_LEVEL: 'error',
      PORTICO_SECRET_KEY: testSecretKey.reveal(),
    };
    const invoke = <T>(run: () => Promise<T>): Promise<T> => {
      const count = { calls: 0 };
      return invocation.run(count, run).finally(() => spent.push(count.calls));
    };
    async function ask(
      method: string,
      path: string,
      body?: Uint8Array<ArrayBuffer> | object,
      type = 'application/json',
    ) {
      const behind: Promise<unknown>[] = [];
      const headers = {
        authorization: basic(admin),
        accept: type === 'text/plain' ? type : 'application/json',
        'content-type': type,
        ...(body instanceof Uint8Array && { 'content-length': String(body.byteLength) }),
      };
      const sent = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);
      const request = new Request(
        path.startsWith('https:') ? path : `https://portico.test${path.startsWith('/API') ? '' : '/API'}${path}`,
        { method, headers, ...(sent && { body: sent }) },
      );
      const context = { waitUntil: (work: Promise<unknown>) => void behind.push(work) };
      return invoke(async () => {
        const answer = await moduleOf().fetch(request, environment, context);
        const text = await answer.text();
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}: ${text}`);
        await Promise.all(behind);
        return text;
      });
    }
    const secret = encodeURIComponent(key.secret);
    const method = (folder: string) => ({
      uri: `s3://${key.accessKey}:${secret}@media/${folder}/?endpoint=https://s3.example&region=${key.region}`,
    });
    const tick = () => invoke(() => moduleOf().scheduled(undefined, environment));
    const observer = edgeService(environment);
    onTestFinished(() => observer.close());
    return { ask, tick, method, rows: (sql: string) => observer.store.read(sql) };
  }

  it('imports a picture with its media check and thumbnail, and tells three receivers', {
    timeout: 300_000,
  }, async () => {
    const module = edgeModule();
    const { ask, tick, method, rows } = openEdge(() => module);
    const [storage] = /VX-\d+/.exec(await ask('POST', '/storage', { method: [method('in')] }))!;
    for (let index = 0; index < receivers; index++) {
      const action = { http: { url: `https://receiver.example/${index}`, contentType: 'application/json' } };
      await ask('POST', '/job/notification', { action, trigger: { job: { finished: '' } } });
    }
    const picture = new Uint8Array(jpeg(64, 48));
    await ask('POST', `/import/raw?filename=a.jpg&storageId=${storage}`, picture, 'application/octet-stream');

    const isOver = async (jobs: number) =>
      told.length >= jobs * receivers && (await rows('SELECT 1 FROM job WHERE finished_at IS NULL')).length === 0;
    let ticks = 0;
    async function tickUntilOver(jobs: number): Promise<void> {
      while (!(await isOver(jobs)) && ticks < maxTicks) {
        ticks++;
        await tick();
        // A lease is released with its part: the next tick need not wait for its end.
        expect(await rows('SELECT id FROM job WHERE lease_until > 0')).toEqual([]);
      }
    }
    await tickUntilOver(1);
    await ask('POST', '/item/VX-1/thumbnail?createThumbnails=true');
    await tickUntilOver(2);
    expect(refused).toEqual([]);
    expect(await rows('SELECT status FROM job')).toEqual([['FINISHED'], ['FINISHED']]);
    expect(told.map((line) => line.slice(0, 2)).toSorted()).toEqual(['/0', '/0', '/1', '/1', '/2', '/2']);
    expect(await rows('SELECT count(*) FROM item')).toEqual([[1]]);
    expect(await rows("SELECT count(*) FROM event WHERE name = 'job/stop'")).toEqual([[2]]);
    const mediaTypes = await ask('GET', '/item/VX-1/metadata?field=mediaType,width');
    expect(mediaTypes).toContain('image');
    expect(await ask('GET', '/item/VX-1?content=thumbnail')).toMatch(/"uri":\s*\["[^"]+"\]/);
    expect([...bucket.objects.keys()]).toEqual(['in/VX-1.jpg']);
  });

  it('an upload of 95 MB takes few calls more than one of 9 MB', {
    timeout: 300_000,
  }, async () => {
    const { ask, method } = openEdge(() => edgeModule());
    refused.length = 0;
    const [storage] = /VX-\d+/.exec(await ask('POST', '/storage', { method: [method('large')], capacity: 1e12 }))!;
    const calls: number[] = [];
    for (const size of [9_000_000, 95_000_000]) {
      const before = spent.length;
      const path = `/storage/${storage}/file/data?path=${size}.mov`;
      await ask('POST', path, new Uint8Array(size), 'application/octet-stream');
      calls.push(Math.max(...spent.slice(before)));
    }
    const [few = 0, many = 0] = calls;
    expect(refused).toEqual([]);
    // A part of 8 MiB is one call, and there are ten more.
    expect(many - few, `${calls}`).toBeLessThanOrEqual(12);
    expect([...bucket.objects.keys()].filter((key) => key.includes('tmp/'))).toEqual([]);
  });

  it(`imports ${files} files by ticks in fresh isolates: no call is refused, and no tick waits for a lease`, {
    timeout: 300_000,
  }, async () => {
    const { ask, tick, method, rows } = openEdge(() => edgeModule());
    refused.length = 0;
    const [storage] = /VX-\d+/.exec(await ask('POST', '/storage', { method: [method('many')] }))!;
    const picture = new Uint8Array(jpeg(64, 48));
    const before = Number((await rows('SELECT count(*) FROM job'))[0]![0]);
    for (let file = 0; file < files; file++)
      await ask('POST', `/import/raw?filename=${file}.jpg&storageId=${storage}`, picture, 'application/octet-stream');
    const open = async () => (await rows('SELECT 1 FROM job WHERE finished_at IS NULL')).length;
    let ticks = 0;
    for (; (await open()) > 0 && ticks < files * maxTicks; ticks++) {
      await tick();
      expect(await rows('SELECT id FROM job WHERE lease_until > 0'), `tick ${ticks}`).toEqual([]);
      expect(await rows("SELECT id FROM job WHERE step_status = 'STARTED' AND lease_until > 0")).toEqual([]);
    }
    expect(refused).toEqual([]);
    expect(await open()).toBe(0);
    expect(await rows(`SELECT status FROM job LIMIT -1 OFFSET ${before}`)).toEqual(Array(files).fill(['FINISHED']));
  });
});
