import { expect, it, vi } from 'vitest';
import type { TranscodeOrder } from '../../../src/spi/index.ts';
import { wav } from '../../production/checking/samples.ts';
import { cmaf } from '../../production/transcoding/cmaf-samples.ts';
import { jpeg } from '../../production/transcoding/fake-transcoder.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { ended, type JobSeen, told } from '../../support/files.ts';
import type { World } from '../../support/matrix.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { fileWith, setPreset, shapeOf, shapeWith, withOriginal } from '../../support/media.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { ask, done, rowsOf, sqlIn } from '../../support/requests.ts';
import { abilities, as, machine, newRunner, openRunners, otherMachine, put, source, type TaskSeen } from './support.ts';

const sound = async () => new Uint8Array(await wav({ seconds: 0.1 }));
const start = (world: World, query = 'tag=lowres&storageId=VX-2', path = 'item/VX-100/transcode') =>
  done<JobSeen>(world, ask(`POST /API/${path}?${query}`));

const soundTrack = { kind: 'audio', codec: 'pcm_s16le', index: 0, sampleRate: 8_000, channels: 1 };
const probed = {
  by: 'x',
  format: 'wav',
  mimeType: 'audio/x-wav',
  tracks: [soundTrack],
  isPartial: false,
  warnings: [],
};

/** Lets a runner do what a job needs, until it has ended. Answers the types of the tasks. */
async function doneBy(world: World, runner: Awaited<ReturnType<typeof newRunner>>, jobId: string): Promise<string[]> {
  const types: string[] = [];
  for (let at = 0; at < 20; at++) {
    await world.service.tick();
    const { status } = await done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
    if (status !== 'WAITING' && status !== 'STARTED' && status !== 'READY') return types;
    // The runner is busy elsewhere: what it alone can do is not taken back.
    await world.clock.advance(11_000);
    await world.service.tick();
    const task = await runner.task();
    types.push(task.type);
    const { seconds = [] } = JSON.parse(task.order) as { seconds?: number[] };
    if (task.type === 'TRANSCODE') await put(world, task, await sound());
    if (task.type === 'STILLS')
      for (const [at] of seconds.entries()) await put(world, task, jpeg(`still ${at}`), `&still=${at}`);
    const end = await runner.done(task, task.type === 'PROBE' ? { probe: JSON.stringify(probed) } : {});
    expect(end.status, end.body).toBe(200);
  }
  throw new Error(`Expected the job to end: ${types}`);
}

describeMatrix('runners', ({ open }) => {
  it('a runner transcodes by signed addresses, and the job goes on with its bytes', async () => {
    const world = await openRunners({}, open);
    await withOriginal(world);
    await setPreset(world, 'lowres');
    const runner = await newRunner(world);
    expect((await runner.claim()).status).toBe(204);
    const { jobId } = await start(world);
    await world.service.tick();
    const task = await runner.task();
    expect(task).toMatchObject({ type: 'TRANSCODE', size: 15, extension: 'mp4' });
    expect(JSON.parse(task.order)).toMatchObject({ format: 'wav', seconds: 25 });
    expect(await source(world, task)).toMatchObject({ status: 200, body: 'bytes of a clip' });
    expect((await runner.renew(task, 40)).status).toBe(200);
    const seen = await done<object>(world, ask('GET /API/runner'));
    expect(seen).toMatchObject({
      runner: [
        { name: 'box', user: 'machine', state: 'ONLINE', task: [{ type: 'TRANSCODE', job: jobId, progress: 40 }] },
      ],
    });
    expect((await put(world, task, await sound())).status).toBe(200);
    expect((await runner.done(task, { warning: ['Expected more'] })).status).toBe(200);
    const job = await ended(world, jobId);
    expect(job.status, JSON.stringify(job.log)).toBe('FINISHED_WARNING');
    const shape = await shapeOf(world, job.data!.find(({ key }) => key === 'shapeIds')!.value);
    expect(shape).toMatchObject({
      tag: ['lowres'],
      containerComponent: { file: [{ storage: 'VX-2', state: 'CLOSED' }] },
    });
    expect(world.fake.orders).toEqual([]);
    expect(await rowsOf(world, 'runner_task')).toEqual([]);
  });

  it('stills of a runner become the thumbnails of the item', async () => {
    const world = await openRunners({}, open);
    await withOriginal(world);
    const runner = await newRunner(world);
    const { jobId } = await done<JobSeen>(
      world,
      ask('POST /API/item/VX-100/thumbnail?createThumbnails=1@25,50@25&createPosters='),
    );
    await world.service.tick();
    const task = await runner.task();
    const { seconds } = JSON.parse(task.order) as { seconds: number[] };
    for (const [number] of seconds.entries()) {
      expect((await put(world, task, jpeg(`still ${number}`), `&still=${number}`)).status).toBe(200);
    }
    expect((await put(world, task, jpeg(), `&still=${seconds.length}`)).status).toBe(400);
    await runner.done(task);
    const job = await ended(world, jobId);
    expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
    expect(await rowsOf(world, 'picture')).toHaveLength(seconds.length);
    expect(await rowsOf(world, 'runner_still')).toEqual([]);
    expect(world.fake.stillOrders).toEqual([]);
  });
});

it('a runner draws the thumbnail of a sound, where it says that it can', async () => {
  const world = await openRunners({ settings: { mediaHere: false } });
  const file = [{ id: await fileWith(world, 'a.wav', await sound()) }];
  await shapeWith(world, { containerComponent: { format: 'wav', file }, audioComponent: [{ file }] });
  const thumbnail = async () => {
    const { jobId } = await done<JobSeen>(world, ask('POST /API/item/VX-100/thumbnail?createThumbnails=true'));
    await world.service.tick();
    return jobId;
  };
  await newRunner(world, 'plain');
  expect((await ended(world, await thumbnail())).status).toBe('FINISHED');
  expect(await rowsOf(world, 'picture')).toEqual([]);
  const artist = await newRunner(world, 'artist', [], otherMachine, ['kind:stills', 'draws:audio']);
  const jobId = await thumbnail();
  const task = await artist.task();
  expect(JSON.parse(task.order)).toMatchObject({ seconds: [0], draws: 'audio' });
  expect((await put(world, task, jpeg('wave'), '&still=0')).status).toBe(200);
  await artist.done(task);
  expect((await ended(world, jobId)).status).toBe('FINISHED');
  expect(await rowsOf(world, 'picture')).toHaveLength(1);
});

it('a service without transcoders leaves the thumbnail of an imported sound to a runner', async () => {
  const world = await openRunners({ transcoders: [] });
  world.from.put('a.wav', await wav({ seconds: 0.1 }));
  const artist = await newRunner(world, 'artist', [], machine, ['kind:stills', 'draws:audio']);
  const { jobId } = await done<JobSeen>(world, ask('POST /API/import?uri=memory:///in/a.wav&filename=a.wav'));
  await vi.waitFor(async () => {
    await world.service.tick();
    expect(await rowsOf(world, 'runner_task')).toHaveLength(1);
  });
  const task = await artist.task();
  expect((await put(world, task, jpeg('wave'), '&still=0')).status).toBe(200);
  await artist.done(task);
  expect((await ended(world, jobId)).status).toBe('FINISHED');
  expect(await rowsOf(world, 'picture')).toHaveLength(1);
});

for (const mediaHere of [true, false]) {
  it(`a service without a transcoder has a film made playable by a runner, mediaHere=${mediaHere}`, async () => {
    const world = await openRunners({ transcoders: [], settings: { mediaHere } });
    await setPreset(world, 'lowres');
    await withOriginal(world);
    const runner = await newRunner(world);
    const { jobId } = await start(world, 'tag=lowres&storageId=VX-2&createThumbnails=true');
    const done = await doneBy(world, runner, jobId);
    expect(done).toEqual(['TRANSCODE', ...(mediaHere ? [] : ['PROBE']), 'STILLS']);
    const job = await ended(world, jobId);
    expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
    expect(job.data).toContainEqual({ key: 'transcoder', value: 'box' });
    expect((await rowsOf(world, 'picture')).length).toBeGreaterThan(1);
    expect(JSON.stringify(job.log)).not.toContain('DISAPPEARED');
    world.from.put('a.wav', await sound());
    const before = await world.sequence();
    const imported = await start(world, 'uri=memory:///in/a.wav&filename=a.wav&tag=lowres', 'import');
    await doneBy(world, runner, imported.jobId);
    const { status, log } = await ended(world, imported.jobId);
    expect(status, JSON.stringify(log)).toBe('FINISHED');
    expect(await told(world, before, /^shape\/create/)).toHaveLength(2);
    expect(await rowsOf(world, 'runner_task')).toEqual([]);
  });
}

it('a shape tag that asks for labels waits for a runner that has them, whatever else is free', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  await done(world, ask('PUT /API/shape-tag/lowres/metadata/runnerLabels', 'gpu, site=oslo'));
  const plain = await newRunner(world, 'plain', ['gpu']);
  const { jobId } = await start(world);
  await world.service.tick();
  expect(await done<JobSeen>(world, ask(`GET /API/job/${jobId}`))).toMatchObject({
    status: 'WAITING',
    waiting: { requirement: 'NoRunner', resourceType: 'RUNNER', resourceId: 'gpu,site=oslo' },
  });
  expect((await plain.claim()).status).toBe(204);
  await world.clock.advance(60_000);
  const able = await newRunner(world, 'able', ['site=oslo', 'gpu', 'more']);
  await world.service.tick();
  const task = await able.task();
  expect((await plain.claim()).status).toBe(204);
  await put(world, task, await sound());
  await able.done(task);
  expect((await ended(world, jobId)).status).toBe('FINISHED');
  expect(world.fake.orders).toEqual([]);
});

it('without a runner the server does the work itself, and with mediaHere=false the job waits', async () => {
  for (const [mediaHere, status] of [
    [true, 'FINISHED'],
    [false, 'WAITING'],
  ] as const) {
    const world = await openRunners({ settings: { mediaHere } });
    await withOriginal(world);
    await setPreset(world, 'lowres');
    const { jobId } = await start(world);
    for (let at = 0; at < 3; at++) await world.service.tick();
    expect(await done<JobSeen>(world, ask(`GET /API/job/${jobId}`))).toMatchObject({ status });
    expect(world.fake.orders).toHaveLength(mediaHere ? 1 : 0);
  }
});

it('the result of a lease that ended is refused, and another runner does the task once', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const [one, two] = [await newRunner(world, 'one'), await newRunner(world, 'two', [], otherMachine)];
  const { jobId } = await start(world);
  await world.service.tick();
  const lost = await one.task();
  expect((await two.claim()).status).toBe(204);
  await world.clock.advance(60_000);
  expect((await put(world, lost, await sound())).status).toBe(404);
  const task = await two.task();
  expect(task.id).not.toBe(lost.id);
  const refusals = [
    await one.renew(lost),
    await one.done(lost),
    await one.failed(lost, { message: 'x' }),
    await one.giveBack(lost),
    await put(world, lost, await sound()),
    await source(world, lost),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  await put(world, task, await sound());
  expect((await two.done(task)).status).toBe(200);
  expect((await two.done(task)).status).toBe(404);
  expect((await ended(world, jobId)).status).toBe('FINISHED');
  expect((await rowsOf(world, 'file')).filter(({ storage_id }) => storage_id === 'VX-2')).toHaveLength(1);
});

it('an attack: what a runner sends in the moment in which another one gets its task is refused, and changes nothing', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await openRunners({ database });
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const one = await newRunner(world, 'one');
  await start(world);
  await world.service.tick();
  const task = await one.task();
  await put(world, task, await sound());
  const sent = [
    () => one.renew(task, 50),
    () => one.done(task),
    () => one.failed(task, { message: 'x' }),
    () => one.giveBack(task),
    async () => put(world, task, await sound()),
  ];
  for (const send of sent) {
    await sqlIn(world, `UPDATE runner_task SET claim = ?`, task.id);
    let others: unknown;
    database.beforeNextWrite(async () => {
      await sqlIn(world, `UPDATE runner_task SET claim = 'of another'`);
      others = await rowsOf(world, 'runner_task');
    }, 'runner_task');
    expect([(await send()).status, await rowsOf(world, 'runner_task')], String(send)).toEqual([404, others]);
  }
});

it('a task that is given back, or fails by no fault of the media, goes to the next runner; broken media fails the job', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await start(world);
  await world.service.tick();
  await runner.giveBack(await runner.task());
  await runner.failed(await runner.task(), { message: 'no disk' });
  await runner.failed(await runner.task(), { message: 'Expected pictures', kind: 'broken' });
  const job = await ended(world, jobId);
  expect(job.status).toBe('FAILED_TOTAL');
  expect(JSON.stringify(job.log)).toContain('Expected pictures');
  expect(await rowsOf(world, 'runner_task')).toEqual([]);
});

it('a media that ends each of its runners fails its job after five of them', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await start(world);
  await world.service.tick();
  for (let times = 0; times < 5; times++) {
    await runner.task();
    await world.clock.advance(61_000);
  }
  expect((await ended(world, jobId)).status).toBe('FAILED_TOTAL');
  expect((await runner.claim()).status).toBe(204);
});

it('two runners, one of which dies amid 20 transcodes, do each once', async () => {
  const world = await openRunners();
  await withOriginal(world);
  const tags = Array.from({ length: 20 }, (_, at) => `tag${at}`);
  for (const tag of tags) await setPreset(world, tag);
  const [one, two] = [await newRunner(world, 'one'), await newRunner(world, 'two', [], otherMachine)];
  const jobs = await Promise.all(tags.map((tag) => start(world, `tag=${tag}&storageId=VX-2`)));
  const allEnded = async () => {
    const statuses: string[] = [];
    for (const { jobId } of jobs) statuses.push((await ended(world, jobId)).status);
    return statuses;
  };
  await world.service.tick();
  const doneBy: string[] = [];
  const work = async (runner: typeof one, task: TaskSeen) => {
    await put(world, task, await sound());
    if ((await runner.done(task)).status === 200) doneBy.push(task.id);
  };
  for (let at = 0; at < 5; at++) await work(one, await one.task());
  const lost = await one.task();
  for (let at = 0; at < 14; at++) await work(two, await two.task());
  await world.clock.advance(61_000);
  await two.claim().then(async ({ body }) => work(two, JSON.parse(body) as TaskSeen));
  expect((await one.done(lost)).status).toBe(404);
  expect(await allEnded()).toEqual(tags.map(() => 'FINISHED'));
  expect(doneBy).toHaveLength(20);
  expect((await rowsOf(world, 'file')).filter(({ storage_id }) => storage_id === 'VX-2')).toHaveLength(20);
  expect(world.fake.orders).toEqual([]);
});

it('an administrator removes a runner: its task goes on at another, and events tell of both', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const [one, two] = [await newRunner(world, 'one'), await newRunner(world, 'two', [], otherMachine)];
  const { jobId } = await start(world);
  await world.service.tick();
  const lost = await one.task();
  expect(await told(world, 0, /^runner./)).toEqual([
    ['runner/create', one.id].join(' '),
    ['runner/create', two.id].join(' '),
  ]);
  const before = await world.sequence();
  expect((await world.send(ask(`DELETE /API/runner/${one.id}`))).status).toBe(204);
  expect(await told(world, before, /^runner./)).toEqual([['runner/delete', one.id].join(' ')]);
  expect((await one.done(lost)).status).toBe(404);
  expect((await one.claim()).status).toBe(404);
  const task = await two.task();
  await put(world, task, await sound());
  await two.done(task);
  expect((await ended(world, jobId)).status).toBe('FINISHED');
});

it('a runner registers five times at once: it is one runner, made once, and no call fails', async () => {
  const world = await openRunners();
  const before = await world.sequence();
  const register = () => world.send(as(machine, 'POST /runner', { name: 'box', version: '1', ability: abilities }));
  const answers = await Promise.all(Array.from({ length: 5 }, register));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set([`200 ${answers[0]!.body}`]));
  expect((await world.events(before)).map(({ name }) => name)).toEqual(['runner/create']);
});

it('a paused runner ends its task and claims nothing, restarted or not, until it is resumed', async () => {
  const world = await openRunners();
  await withOriginal(world);
  for (const tag of ['lowres', 'web']) await setPreset(world, tag);
  const runner = await newRunner(world);
  const steer = (verb: string) => done(world, ask(`POST /API/runner/${runner.id}/${verb}`));
  const seen = async () => done<{ state: string; paused?: string }>(world, ask(`GET /API/runner/${runner.id}`));
  const first = await start(world);
  await world.service.tick();
  const task = await runner.task();
  const second = await start(world, 'tag=web&storageId=VX-2');
  await world.service.tick();
  const before = await world.sequence();
  await steer('pause');
  await steer('pause');
  expect(await seen()).toMatchObject({ state: 'ONLINE', paused: expect.any(String) });
  expect((await runner.claim()).status).toBe(204);
  expect((await runner.renew(task, 50)).status).toBe(200);
  expect((await put(world, task, await sound())).status).toBe(200);
  expect((await runner.done(task)).status).toBe(200);
  expect((await ended(world, first.jobId)).status).toBe('FINISHED');
  expect(world.fake.orders).toEqual([]);
  await newRunner(world);
  expect((await runner.claim()).status).toBe(204);
  await steer('resume');
  await steer('resume');
  expect((await seen()).paused).toBeUndefined();
  expect(await told(world, before, /^runner./)).toEqual([`runner/pause ${runner.id}`, `runner/resume ${runner.id}`]);
  const later = await start(world);
  await world.service.tick();
  const next = await runner.task();
  await put(world, next, await sound());
  await runner.done(next);
  for (const { jobId } of [second, later]) expect((await ended(world, jobId)).status).toBe('FINISHED');
});

it('jobs wait for no paused runner: this server does them, or they say that none is there', async () => {
  for (const [mediaHere, status] of [
    [true, 'FINISHED'],
    [false, 'WAITING'],
  ] as const) {
    const world = await openRunners({ settings: { mediaHere } });
    await withOriginal(world);
    await setPreset(world, 'lowres');
    const runner = await newRunner(world);
    await done(world, ask(`POST /API/runner/${runner.id}/pause`));
    const { jobId } = await start(world);
    for (let at = 0; at < 3; at++) await world.service.tick();
    const job = await done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
    expect(job).toMatchObject({ status, ...(!mediaHere && { waiting: { requirement: 'NoRunner' } }) });
  }
});

it('a claim that waits while its runner is paused gets a task as soon as it is resumed', async () => {
  const world = await openRunners({ settings: { mediaHere: false } });
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await start(world);
  await world.service.tick();
  await done(world, ask(`POST /API/runner/${runner.id}/pause`));
  const waiting = world.send(as(machine, `POST /runner/${runner.id}/claim?wait=20`));
  await done(world, ask(`POST /API/runner/${runner.id}/resume`));
  const { status, body } = await waiting;
  expect(status).toBe(200);
  const task = JSON.parse(body) as TaskSeen;
  expect((await runner.failed(task, { kind: 'broken', message: 'x' })).status).toBe(200);
  expect((await ended(world, jobId)).status).toBe('FAILED_TOTAL');
});

it('an attack: with mediaHere=false a runner checks media, and what it says is looked at', async () => {
  const world = await openRunners({ settings: { mediaHere: false } });
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await start(world);
  await world.service.tick();
  const task = await runner.task();
  await put(world, task, await sound());
  await runner.done(task);
  await world.service.tick();
  const check = await runner.task();
  expect(check.type).toBe('PROBE');
  expect(check.target).toBeUndefined();
  const nested = '['.repeat(20_000) + ']'.repeat(20_000);
  const attacks = [
    '{',
    nested,
    `{"tracks":${nested}}`,
    `{"a":[${'0,'.repeat(20_000)}0]}`,
    '{"by":"a\\u0000"}',
    '"\\ud800"',
  ];
  for (const probe of attacks) expect((await runner.done(check, { probe })).status, probe.slice(0, 40)).toBe(400);
  const track = { kind: 'audio', codec: 'pcm_s16le', index: 0, sampleRate: 8_000, channels: 1, secret: 'x' };
  const probe = { by: 'x', format: 'wav', mimeType: 'audio/x-wav', tracks: [track], isPartial: false, warnings: [] };
  await runner.done(check, { probe: JSON.stringify(probe) });
  const job = await ended(world, jobId);
  expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
  const shape = await shapeOf(world, job.data!.find(({ key }) => key === 'shapeIds')!.value);
  expect(shape).toMatchObject({ audioComponent: [{ codec: 'pcm_s16le' }] });
  expect(JSON.stringify(shape)).not.toContain('secret');
});

it('a runner registers with a bounded number of words: each is in the list of runners', async () => {
  const world = await openRunners();
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w:${at}`);
  const register = async (label: readonly string[], ability: readonly string[]) =>
    (await world.send(as(machine, 'POST /runner', { name: 'box', version: '1', label, ability }))).status;
  expect(await register(words(20), words(200))).toBe(200);
  expect(await register(words(21), [])).toBe(400);
  expect(await register([], words(201))).toBe(400);
});

it('eight results of one claim, at once or one after the other, leave the bytes of the last one alone', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await start(world);
  await world.service.tick();
  const task = await runner.task();
  const bytes = await sound();
  await Promise.all(Array.from({ length: 4 }, () => put(world, task, bytes)));
  for (let turn = 0; turn < 4; turn++) expect((await put(world, task, bytes)).status).toBe(200);
  expect(world.to.staged.size).toBe(1);
  await runner.done(task);
  expect((await ended(world, jobId)).status).toBe('FINISHED');
});

it('a job tells that it has started, and how far it is, while a runner works; it waits before and after', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await start(world);
  const job = async () => {
    await world.service.tick();
    return done<JobSeen & { readonly currentStep?: object }>(world, ask(`GET /API/job/${jobId}?metadata=true`));
  };
  expect(await job()).toMatchObject({ status: 'WAITING', waiting: { requirement: 'RunnerWorks' } });
  const before = await world.sequence();
  const task = await runner.task();
  expect(await job()).toMatchObject({ status: 'STARTED', currentStep: { status: 'STARTED' } });
  await runner.renew(task, 40);
  const working = await job();
  expect(working.status).toBe('STARTED');
  expect(working.data).toContainEqual({ key: 'transcodeProgress', value: '40' });
  expect(await rowsOf(world, 'job_task')).toContainEqual(
    expect.objectContaining({ job_id: jobId, status: 'STARTED', progress: 40, progress_total: 100 }),
  );
  await runner.renew(task, 60);
  expect((await job()).data).toContainEqual({ key: 'transcodeProgress', value: '60' });
  const told = (await world.events(before)).filter(({ name }) => name === 'job/update');
  expect(told.map(({ payload }) => payload['status'])).toEqual(['READY', 'STARTED']);
  await runner.giveBack(task);
  expect((await job()).status).toBe('WAITING');
  const again = await runner.task();
  await put(world, again, await sound());
  await runner.done(again);
  expect((await ended(world, jobId)).status).toBe('FINISHED');
});

it('a job that a runner works on is aborted like any other', async () => {
  const world = await openRunners();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const runner = await newRunner(world);
  const { jobId } = await start(world);
  await world.service.tick();
  const task = await runner.task();
  await world.service.tick();
  await done(world, ask(`DELETE /API/job/${jobId}`));
  expect((await ended(world, jobId)).status).toBe('ABORTED');
  expect((await runner.renew(task)).status).toBe(404);
});

it('a runner is OFFLINE 45 seconds after its last call, or as soon as it says that it stops', async () => {
  const world = await openRunners();
  const runner = await newRunner(world);
  const state = async () => (await done<{ readonly state: string }>(world, ask(`GET /API/runner/${runner.id}`))).state;
  await world.clock.advance(44_999);
  expect(await state()).toBe('ONLINE');
  await world.clock.advance(1);
  expect(await state()).toBe('OFFLINE');
  await runner.claim();
  expect(await state()).toBe('ONLINE');
  await withOriginal(world);
  await setPreset(world, 'lowres');
  await start(world);
  await world.service.tick();
  const task = await runner.task();
  await done(world, as(machine, 'POST /runner', { name: 'box', state: 'OFFLINE' }));
  expect(await state()).toBe('OFFLINE');
  expect((await runner.renew(task)).status).toBe(404);
  expect(await rowsOf(world, 'runner_task')).toMatchObject([{ state: 'WAITING' }]);
  await newRunner(world);
  expect(await state()).toBe('ONLINE');
});

it('a runner of another protocol is refused with a sentence', async () => {
  const world = await openRunners();
  const sent = { name: 'box', version: '9', protocol: 2, ability: ['kind:probe'] };
  const { status, body } = await world.send(as(machine, 'POST /runner', sent));
  expect([status, body]).toEqual([400, expect.stringContaining('Expected 1, the protocol of version')]);
  expect(await rowsOf(world, 'runner')).toEqual([]);
});

it('the renditions of a stream go to runners, and their index is read as the bytes come', async () => {
  const world = await openRunners();
  await withOriginal(world, true);
  await done(world, ask('PUT /APIinit/preset-templates'));
  const runner = await newRunner(world, 'box', [], machine, [...abilities, 'container:cmaf']);
  const { jobId } = await start(world, 'tag=__hls&storageId=VX-2');
  for (let at = 0; at < 4; at++) {
    await world.service.tick();
    const task = await runner.task();
    const { format, video } = JSON.parse(task.order) as TranscodeOrder;
    const height = video?.scaling?.height;
    expect(format).toBe('cmaf');
    if (at === 0) {
      const broken = await put(world, task, new Uint8Array(500));
      expect([broken.status, broken.body]).toEqual([400, expect.stringContaining('fragmented MP4')]);
      expect(world.to.staged.size).toBe(0);
    }
    const size = height === undefined ? {} : { size: [640, height] as const };
    expect((await put(world, task, cmaf(size))).status).toBe(200);
    await runner.done(task);
  }
  const job = await ended(world, jobId);
  expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
  expect(world.fake.orders).toEqual([]);
  const headers = { accept: 'application/vnd.apple.mpegurl' };
  const manifest = await world.send({ ...ask('GET /API/item/VX-100/stream'), headers });
  expect([manifest.status, manifest.body.match(/RESOLUTION=/g)]).toEqual([
    200,
    expect.arrayContaining(['RESOLUTION=']),
  ]);
});
