import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { edgeModule, edgeService } from '../../src/entry/edge.ts';
import type { StillOrder } from '../../src/spi/index.ts';
import { abilities, type TaskSeen } from '../extensions/runners/support.ts';
import { key } from '../plugins/storages/support.ts';
import { jpeg, mp4 } from '../production/checking/samples.ts';
import { isLong } from '../support/long.ts';
import { basic } from '../support/matrix.ts';
import { fakeS3 } from '../support/s3/fake.ts';
import { admin, testSecretKey } from '../support/service.ts';
import { type Sqld, sqldBinary, startPreparedSqld } from '../support/sqld.ts';

/** Calls that the plan allows in one invocation. */
const plan = 50;
const maxTicks = 12;
const files = isLong ? 20 : 3;
const receivers = 3;

describe.skipIf(sqldBinary() === undefined)('an edge that may make 50 calls in an invocation', () => {
  const invocation = new AsyncLocalStorage<{ calls: number }>();
  let limit = plan;
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
        ...(body instanceof Uint8Array && {
          ...{ 'content-length': String(body.byteLength), size: String(body.byteLength) },
        }),
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
        if (answer.status >= 300) await Promise.allSettled(behind);
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}: ${text}`);
        await Promise.all(behind);
        return text;
      });
    }
    const secret = encodeURIComponent(key.secret);
    const method = (folder: string) => ({
      uri: `s3://${key.accessKey}:${secret}@media/${folder}/?endpoint=https://s3.example&region=${key.region}`,
    });
    const tick = (calls = 40) =>
      invoke(() => moduleOf().scheduled(undefined, { ...environment, PORTICO_EDGE_CALLS: String(calls) }));
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

  it('a film becomes playable by a runner, in ticks of fresh isolates', { timeout: 300_000 }, async () => {
    const { ask, tick, method, rows } = openEdge(() => edgeModule());
    refused.length = 0;
    await ask('PUT', '/APIinit/preset-templates');
    const [storage] = /VX-\d+/.exec(await ask('POST', '/storage', { method: [method('film')], capacity: 1e12 }))!;
    const { id: runner } = JSON.parse(await ask('POST', '/runner', { name: 'box', ability: abilities })) as {
      id: string;
    };
    const film = new Uint8Array(await mp4({ seconds: 34 }));
    const imports = `/import/raw?filename=film.mp4&tag=__mp4&storageId=${storage}`;
    const { jobId } = JSON.parse(await ask('POST', imports, film, 'application/octet-stream')) as { jobId: string };

    const types: string[] = [];
    async function doTask(): Promise<void> {
      const claimed = await ask('POST', `/runner/${runner}/claim`);
      if (claimed === '') return;
      const { id, type, target, order } = JSON.parse(claimed) as TaskSeen;
      types.push(type);
      const put = (more: string, bytes: Uint8Array) =>
        ask('PUT', `${target}${more}`, new Uint8Array(bytes), 'application/octet-stream');
      if (type === 'TRANSCODE') await put('', await mp4({ seconds: 2 }));
      const { seconds } = JSON.parse(order) as StillOrder;
      if (type === 'STILLS') for (const number of seconds.keys()) await put(`&still=${number}`, jpeg(64, 48));
      await ask('POST', `/runner/task/${id}/done`, {});
    }
    const job = async () => (await rows(`SELECT status, step, waiting FROM job WHERE id = '${jobId}'`))[0]!;
    const isOver = async () => String((await job())[0]).startsWith('FINISHED');
    let ticks = 0;
    for (; !(await isOver()) && ticks < maxTicks; ticks++) {
      // The calls end at another place each time: a lease that stays would make the step DISAPPEARED a minute later.
      for (const calls of [30 + (ticks % 10), 39 - (ticks % 10), 40]) {
        await tick(calls);
        expect(await rows('SELECT id FROM job WHERE lease_until > 0'), `${calls} calls`).toEqual([]);
      }
      await doTask();
    }
    expect(await job()).toEqual(['FINISHED', 600, null]);
    expect(types).toEqual(['STILLS', 'TRANSCODE']);
    expect(refused).toEqual([]);
    await ask('DELETE', `/runner/${runner}`);
  });

  it('refuses a request that needs more calls than the plan allows, and says so', async () => {
    const { ask, method, rows } = openEdge(() => edgeModule());
    const before = await rows('SELECT count(*) FROM storage');
    limit = 4;
    const error = await ask('POST', '/storage', { method: [method('beyond')] }).catch(String);
    limit = plan;
    expect(error).toMatch(
      /: 503: .*Expected a call that the plan of this edge allows: the request needs more than the 4/s,
    );
    expect(await rows('SELECT count(*) FROM storage')).toEqual(before);
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
