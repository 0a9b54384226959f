import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/lib/clock.ts';
import { systemRandom } from '../../../src/core/lib/random.ts';
import { runRunner } from '../../../src/entry/runner/run.ts';
import { MediaFault } from '../../../src/production/checking/public-reading.ts';
import { openRunners, otherMachine } from '../../extensions/runners/support.ts';
import { fakeTranscoder } from '../../production/transcoding/fake-transcoder.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { setPreset, shippedHere, type TranscodingWorld, withOriginal } from '../../support/media.ts';
import { ask, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';

type Log = (readonly [event: string, fields: object])[];

/** A runner as its process has it, with a transcoder that needs no program. It reaches the service by the Fetch entry. */
async function startRunner(world: TranscodingWorld, user = 'machine', more: { name?: string } = {}) {
  const headers = { accept: 'text/plain' };
  const { body: token } = await world.send({ as: admin, request: `GET /API/user/${user}/token?seconds=9999`, headers });
  const stop = new AbortController();
  const log: Log = [];
  const transcoder = fakeTranscoder();
  /** Set: the network is gone. */
  const line = { isCut: false };
  const running = runRunner({
    url: 'http://test/API',
    token,
    name: user,
    labels: [],
    tasks: 1,
    transcoders: [transcoder],
    media: shippedHere(),
    async fetch(input, init) {
      if (line.isCut) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
      // A claim that waits would wait for the clock of the test.
      return world.service.fetch(new Request(String(input).replace('?wait=20', '?wait=0'), init));
    },
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) },
    random: systemRandom,
    signal: stop.signal,
    log: (event, fields) => log.push([event, fields]),
    ...more,
  });
  return { transcoder, line, log, running, stop: () => stop.abort() };
}

const start = async (world: TranscodingWorld, tag: string): Promise<string> =>
  (await done<JobSeen>(world, ask(`POST /API/item/VX-100/transcode?tag=${tag}&storageId=VX-2`))).jobId;

const outcomes = (log: Log) =>
  log.filter(([event]) => event === 'task').map(([, fields]) => (fields as { outcome: string }).outcome);

it('an idle runner of a service that does not wait comes back later and later, and at once behind a task', async () => {
  const stop = new AbortController();
  const [slept, answers]: [number[], number[]] = [[], []];
  let now = 0;
  const task = { id: 'c', type: 'PROBE', order: '{}', source: 'http://test/source', size: 0, lease: 60 };
  await runRunner({
    ...{ url: 'http://test/API', token: 'x', name: 'box', labels: [], tasks: 1, transcoders: [], media: shippedHere() },
    ...{ random: systemRandom, signal: stop.signal, log: () => undefined },
    async fetch(input) {
      if (!String(input).includes('/claim?')) return Response.json({ id: 'VX-1' });
      answers.push(now);
      if (answers.length === 8) return Response.json(task);
      return new Response(null, { status: 204, headers: { 'retry-after': '60' } });
    },
    clock: {
      now: () => now,
      async sleep(milliseconds, signal) {
        // The lease of the task.
        if (milliseconds === 15_000) return new Promise((_, reject) => signal?.addEventListener('abort', reject));
        slept.push(milliseconds / 1000);
        now += milliseconds;
        if (slept.length === 9) stop.abort();
      },
    },
  });
  expect(slept).toEqual([2, 4, 8, 16, 32, 60, 60, 2, 4]);
});

it('a runner with several places for tasks asks for one at a time, and again once a task ends', async () => {
  const stop = new AbortController();
  const log: Log = [];
  const claims = { open: 0, most: 0, all: 0 };
  const sleeping: AbortSignal[] = [];
  let finish: (answer: Response) => void = () => undefined;
  const finished = new Promise<Response>((resolve) => {
    finish = resolve;
  });
  const task = { id: 'c', type: 'PROBE', order: '{}', source: 'http://test/source', size: 1, lease: 60 };
  const running = runRunner({
    ...{ url: 'http://test/API', token: 'x', name: 'box', labels: [], tasks: 3, transcoders: [], media: shippedHere() },
    ...{ random: systemRandom, signal: stop.signal, log: (event, fields) => void log.push([event, fields]) },
    async fetch(input) {
      const url = String(input);
      if (url.startsWith('http://test/source')) return finished;
      if (!url.includes('/claim?')) return Response.json({ id: 'VX-1' });
      claims.most = Math.max(claims.most, ++claims.open);
      await Promise.resolve();
      claims.open--;
      if (++claims.all === 1) return Response.json(task);
      return new Response(null, { status: 204, headers: { 'retry-after': '60' } });
    },
    clock: {
      now: () => 0,
      async sleep(milliseconds, signal) {
        // The lease of the task has no end here.
        if (milliseconds !== 15_000) sleeping.push(signal!);
        return new Promise((_, reject) => signal?.addEventListener('abort', reject, { once: true }));
      },
    },
  });
  await expect.poll(() => sleeping.length).toBe(1);
  expect(claims).toEqual({ open: 0, most: 1, all: 2 });
  finish(new Response('x'));
  await expect.poll(() => sleeping.length).toBe(2);
  expect(outcomes(log)).toHaveLength(1);
  expect(claims).toEqual({ open: 0, most: 1, all: 3 });
  stop.abort();
  await running;
});

it('two processes, one of which is cut off amid 20 transcodes, do each once', async () => {
  const world = await openRunners();
  await withOriginal(world);
  const tags = Array.from({ length: 20 }, (_, at) => `tag${at}`);
  for (const tag of tags) await setPreset(world, tag);
  const one = await startRunner(world);
  await expect.poll(() => one.log.length).toBe(1);
  const { run } = one.transcoder;
  let runs = 0;
  one.transcoder.run = async (...order) => {
    // The sixth one is never told of.
    if (++runs === 6) one.line.isCut = true;
    return run(...order);
  };
  const jobs: string[] = [];
  for (const tag of tags) jobs.push(await start(world, tag));
  await world.service.tick();
  await expect.poll(() => one.line.isCut).toBe(true);
  const two = await startRunner(world, otherMachine[0]);
  await expect.poll(() => outcomes(two.log).length).toBe(14);
  await world.clock.advance(61_000);
  await expect.poll(() => outcomes(two.log).length).toBe(15);
  two.stop();
  one.stop();
  await Promise.all([one.running, two.running]);
  for (const id of jobs) expect((await ended(world, id)).status).toBe('FINISHED');
  expect(outcomes(two.log)).toEqual(Array(15).fill('done'));
  expect(world.fake.orders).toEqual([]);
  expect((await rowsOf(world, 'file')).filter(({ storage_id }) => storage_id === 'VX-2')).toHaveLength(20);
  expect([one.transcoder.open, two.transcoder.open]).toEqual([0, 0]);
});

it('a runner that is told to stop gives its task back, and comes back to a service that was away', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await startRunner(world);
  runner.line.isCut = true;
  await expect.poll(() => runner.log.some(([event]) => event === 'service-not-reached')).toBe(true);
  runner.line.isCut = false;
  await expect.poll(() => runner.log.some(([event]) => event === 'runner-registered')).toBe(true);
  runner.transcoder.run = (_source, _order, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await start(world, 'lowres');
  await world.service.tick();
  await expect.poll(async () => (await rowsOf(world, 'runner_task'))[0]?.['state']).toBe('CLAIMED');
  runner.stop();
  await runner.running;
  expect(outcomes(runner.log)).toEqual(['The runner stops']);
  const listed = await done<{ runner: readonly object[] }>(world, ask('GET /API/runner'));
  expect(listed.runner, 'told at once').toMatchObject([{ state: 'OFFLINE' }]);
  expect(await rowsOf(world, 'runner_task')).toMatchObject([{ state: 'WAITING', claims: 0 }]);
});

it('a media that the transcoder blames fails its job with the words of the transcoder', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await startRunner(world);
  await expect.poll(() => runner.log.length).toBe(1);
  runner.transcoder.failures.push(new MediaFault('broken', 'Expected media with pictures'));
  const id = await start(world, 'lowres');
  await world.service.tick();
  await expect.poll(() => outcomes(runner.log)).toEqual(['Expected media with pictures']);
  runner.stop();
  await runner.running;
  const job = await ended(world, id);
  expect([job.status, JSON.stringify(job.log)]).toEqual(['FAILED_TOTAL', expect.stringContaining('with pictures')]);
});

it('a runner whose token is of another user ends with the role that it lacks', async () => {
  const world = await openRunners();
  const runner = startRunner(world, 'viewer').then(({ running }) => running);
  await expect(runner).rejects.toThrow('Expected a token of a user with the role _runner: 403 role-missing');
});

it('a runner whose service has other calls ends with a sentence that says what to install, and so does the other way round', async () => {
  const world = await openRunners();
  const { fetch } = world.service;
  const other = (change: (body: Record<string, unknown>) => object, answers: (body: object) => object) =>
    Object.assign(world.service, {
      fetch: async (request: Request) => {
        if (!request.url.endsWith('/runner')) return fetch(request);
        const { headers, url } = request;
        const body = JSON.stringify(change((await request.json()) as Record<string, unknown>));
        const answer = await fetch(new Request(url, { method: 'POST', headers, body }));
        if (!answer.ok) return answer;
        return Response.json(answers((await answer.json()) as object));
      },
    });
  other(
    (body) => ({ ...body, protocol: 2 }),
    (body) => body,
  );
  await expect((await startRunner(world)).running).rejects.toThrow(
    /Expected 1, the protocol of version [\w.-]+: install/,
  );
  other(
    (body) => body,
    (body) => ({ ...body, protocol: 2 }),
  );
  await expect((await startRunner(world)).running).rejects.toThrow(/found 2\. Install the version of the service/);
});
