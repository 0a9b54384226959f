import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { ended, type JobSeen, told } from '../../support/files.ts';
import {
  fieldsOf,
  openTranscoding,
  setPreset,
  shapeOf,
  type TranscodingWorld,
  withOriginal,
} from '../../support/media.ts';
import { ask, done, rowsOf } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';

const start = (world: TranscodingWorld, query: string, item = 'VX-100') =>
  done<JobSeen>(world, ask(`POST /API/item/${item}/transcode?${query}`));
const datum = (job: JobSeen, key: string) => job.data?.find((each) => each.key === key)?.value;
const errorOf = (job: JobSeen) =>
  job.log!.task.findLast(({ errorMessage }) => errorMessage !== undefined)?.errorMessage;

/** Checks that no outputs, busy files or open results are left when a job has ended. */
async function nothingLeft(world: TranscodingWorld): Promise<void> {
  expect(await rowsOf(world, 'transcode_output')).toEqual([]);
  expect((await rowsOf(world, 'file')).map(({ state }) => state)).not.toContain('BEING_READ');
  expect(world.fake.open).toBe(0);
}

it('a shape for each tag, by numbered steps, with its file and the media check', async () => {
  const world = await openTranscoding();
  const { shapeId } = await withOriginal(world);
  await setPreset(world, 'lowres', {
    format: 'wav',
    audio: { codec: 'aac', bitrate: 64_000 },
    shapeMetadata: [{ key: 'quality', value: 'low' }],
  });
  await setPreset(world, 'web');
  const before = await world.sequence();
  const job = await start(world, 'tag=lowres,web&storageId=VX-2');
  expect(job).toMatchObject({ status: 'READY', type: 'TRANSCODE', priority: 'MEDIUM' });
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
  expect(end.log!.task.map(({ step, status }) => `${step} ${status}`)).toEqual(
    [100, 200, 300, 400, 500, 600].map((step) => `${step} FINISHED`),
  );
  const made = datum(end, 'shapeIds')!.split(',');
  const shapes = await Promise.all(made.map((id) => shapeOf(world, id)));
  expect(shapes.map(({ tag }) => tag)).toEqual([['lowres'], ['web']]);
  expect(shapes[0]).toMatchObject({
    essenceVersion: 0,
    mimeType: [expect.stringMatching(/^audio\//)],
    containerComponent: { file: [{ storage: 'VX-2', state: 'CLOSED' }] },
    audioComponent: [{ codec: expect.stringMatching(/^pcm/) }],
  });
  expect(JSON.stringify(shapes[0]!.metadata)).toContain('"quality"');
  expect(JSON.stringify(shapes[0]!.metadata)).toContain(shapeId);
  expect(world.fake.orders[0]).toMatchObject({
    format: 'wav',
    seconds: 25,
    audio: { codec: 'aac', bitrate: 64_000 },
    fastStart: true,
  });
  expect((await fieldsOf(world))['shapeTag']).toBe('original|lowres|web');
  expect(await told(world, before, /^(shape|file)\//)).toEqual([
    ...['file/new VX-2', 'file/change VX-2', 'file/close VX-2', 'file/hash VX-2'],
    ...['file/new VX-3', 'file/change VX-3', 'file/close VX-3', 'file/hash VX-3'],
    ...['shape/create VX-100', 'shape/create VX-100', 'shape/modify VX-100', 'shape/modify VX-100'],
  ]);
  await nothingLeft(world);
});

it('the data of the job say by what, how far and how long it transcodes, and keep the end of it', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  for (const tag of ['lowres', 'web']) await setPreset(world, tag);
  const { run } = world.fake;
  const seen: unknown[] = [];
  const { jobId } = await start(world, 'tag=lowres,web&storageId=VX-2');
  const now = async () => {
    const job = await done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
    return Object.fromEntries((job.data ?? []).map(({ key, value }) => [key, value]));
  };
  world.fake.run = async (source, order, options) => {
    await world.clock.advance(10_000);
    const made = await run(source, order, options);
    const far = seen.length === 0 ? '25' : '75';
    await expect.poll(now).toMatchObject({ transcodeProgress: far });
    seen.push(await now());
    return made;
  };
  const end = await ended(world, jobId);
  expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
  expect(seen).toMatchObject([
    { transcodeProgress: '25', transcodeWallTime: '10.0', transcodeEstimatedTimeLeft: '30.0', transcoder: 'fake' },
    { transcodeProgress: '75', transcodeWallTime: '20.0', transcodeEstimatedTimeLeft: '6.7' },
  ]);
  expect(await now()).toMatchObject({ transcoder: 'fake', transcodeProgress: '100', shapeIds: expect.any(String) });
  expect(end.data!.filter(({ key }) => key === 'tags').map(({ value }) => value)).toEqual(['lowres', 'web']);
  expect(end.data!.filter(({ key }) => key.startsWith('transcode')).map(({ key }) => key)).toEqual([
    'transcoder',
    'transcodeProgress',
    'transcodeWallTime',
  ]);
});

it('a job tells the step that runs from its beginning, and how far it is', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const { run } = world.fake;
  const { jobId } = await start(world, 'tag=lowres&createThumbnails=true');
  const now = () => done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
  const seen: unknown[] = [];
  const look = async () => {
    const { status, currentStep, log } = await now();
    const { step, status: ofStep } = log!.task.at(-1)!;
    seen.push([status, currentStep!.description, currentStep!.status, `${step} ${ofStep}`]);
  };
  world.fake.run = async (source, order, options) => {
    await look();
    const made = await run(source, order, options);
    await expect.poll(async () => (await now()).log!.task.at(-1)!.progress?.value).toBe(50);
    return made;
  };
  const { stills } = world.fake;
  world.fake.stills = async (...given) => {
    await look();
    return stills(...given);
  };
  const end = await ended(world, jobId);
  expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
  expect(seen).toEqual([
    ['STARTED', 'Transcoding', 'STARTED', '200 STARTED'],
    ['STARTED', 'Creating thumbnails', 'STARTED', '500 STARTED'],
  ]);
});

it('the same tag again takes the place of the shape that it made before', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const first = await ended(world, (await start(world, 'tag=lowres')).jobId);
  const second = await ended(world, (await start(world, 'tag=lowres&original=lowres')).jobId);
  const shapes = await done<{ uri: string[] }>(world, ask('GET /API/item/VX-100/shape'));
  expect(shapes.uri).toContain(datum(second, 'shapeIds'));
  expect(shapes.uri).not.toContain(datum(first, 'shapeIds'));
  expect((await shapeOf(world, datum(second, 'shapeIds')!)).tag).toEqual(['lowres', 'original']);
  await nothingLeft(world);
});

it('a transcode whose former shape a deletion lock keeps is refused before it begins', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  await setPreset(world, 'web');
  const first = await ended(world, (await start(world, 'tag=lowres')).jobId);
  const lock = { expiryTime: '2999-01-01T00:00:00Z' };
  const { id } = await done<{ id: string }>(world, ask('POST /API/item/VX-100/deletion-lock', lock));
  const before = await rowsOf(world, 'job');
  const refused = await world.send(ask('POST /API/item/VX-100/transcode?tag=web,lowres'));
  expect([refused.status, refused.headers.get('portico-error')]).toEqual([409, 'entity-locked']);
  expect(await rowsOf(world, 'job')).toEqual(before);
  // Nothing of it goes for a shape of another tag.
  expect((await ended(world, (await start(world, 'tag=web')).jobId)).status).toBe('FINISHED');
  await done(world, ask(`DELETE /API/deletion-lock/${id}`));
  const second = await ended(world, (await start(world, 'tag=lowres')).jobId);
  expect([second.status, datum(second, 'shapeIds')]).not.toEqual(['FINISHED', datum(first, 'shapeIds')]);
});

it('is made from the shape that the preset prefers, else from the original of the latest version', async () => {
  const world = await openTranscoding();
  const { shapeId } = await withOriginal(world);
  await setPreset(world, 'proxy', {});
  await setPreset(world, 'lowres', { format: 'wav', preferredSourceTag: 'proxy' });
  const madeFrom = async () => {
    const end = await ended(world, (await start(world, 'tag=lowres')).jobId);
    expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
    return JSON.stringify((await shapeOf(world, datum(end, 'shapeIds')!)).metadata);
  };
  expect(await madeFrom()).toContain(`"${shapeId}"`);
  const { id: next } = await done<{ id: string }>(world, ask(`POST /API/item/VX-100/shape/${shapeId}/version`));
  expect(await madeFrom()).toContain(`"${next}"`);
  const { id: proxy } = await done<{ id: string }>(world, ask(`POST /API/item/VX-100/shape/${next}/version`));
  await done(world, ask(`PUT /API/item/VX-100/shape/${proxy}/tag/proxy`));
  expect(await madeFrom()).toContain(`"${proxy}"`);
});

it('the shape goes to another item, and its file where the rules say', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  await done(world, ask('PUT /API/shape-tag/storage-rule/lowres', { storage: ['VX-3'] }));
  const end = await ended(world, (await start(world, 'tag=lowres&destinationItem=VX-101')).jobId);
  expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
  expect(await done(world, ask('GET /API/item/VX-101/shape'))).toEqual({ uri: [datum(end, 'shapeIds')] });
  expect(await shapeOf(world, datum(end, 'shapeIds')!, 'VX-101')).toMatchObject({
    tag: ['lowres', 'original'],
    containerComponent: { file: [{ storage: 'VX-3', state: 'CLOSED' }] },
  });
});

it('nothing goes to an item that the caller may not write', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const ann: Credentials = ['ann', 'password of ann'];
  await prepare(world, [newUser(ann, ['_item_read', '_item_write', '_item_shape_write', '_job_write'])]);
  const lets = (item: string, permission: string) =>
    done(world, ask(`POST /API/item/${item}/access`, { user: 'ann', permission }));
  const status = async () =>
    (await world.send({ ...ask('POST /API/item/VX-100/transcode?tag=lowres&destinationItem=VX-101'), as: ann })).status;
  await lets('VX-100', 'WRITE');
  await lets('VX-101', 'READ');
  expect(await status()).toBe(403);
  await lets('VX-101', 'WRITE');
  expect(await status()).toBe(200);
});

it('a job without a transcoder waits and says what to install, and goes on when there is one', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  world.fake.missing = 'install ffmpeg';
  const { jobId } = await start(world, 'tag=lowres');
  await world.service.tick();
  const waiting = await done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
  expect(waiting).toMatchObject({
    status: 'WAITING',
    waiting: { resourceType: 'TRANSCODER', resourceId: 'install ffmpeg', requirement: 'NoTranscoder' },
  });
  world.fake.missing = undefined;
  expect((await ended(world, jobId)).status).toBe('FINISHED');
});

interface Hopeless {
  readonly title: string;
  readonly preset: object;
  readonly says: RegExp;
  prepare?(world: TranscodingWorld): void;
}

const hopeless: readonly Hopeless[] = [
  {
    title: 'an element that no transcoder carries out fails the job with its name',
    preset: { format: 'mp4', video: { burnTimecode: true } },
    says: /"video\.burnTimecode"/,
  },
  {
    title: 'an element that the service does not know fails the job with its name',
    preset: { format: 'mp4', mediaconvert: { a: 1 } },
    says: /"mediaconvert"/,
  },
  {
    title: 'a codec that the transcoder lacks fails the job with its name',
    preset: { format: 'mp4', video: { codec: 'av9' } },
    says: /video\.codec=av9/,
    prepare({ fake }) {
      fake.beyond = 'video.codec=av9';
    },
  },
  {
    title: 'damaged media fails the job at once with the words of the transcoder',
    preset: { format: 'wav' },
    says: /Expected readable media/,
    prepare({ fake }) {
      fake.failures.push(Object.assign(new Error('Expected readable media'), { kind: 'broken' }));
    },
  },
];

it.each(hopeless)('$title', async ({ preset, says, prepare }) => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres', preset);
  prepare?.(world);
  const end = await ended(world, (await start(world, 'tag=lowres')).jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  expect(errorOf(end)).toMatch(says);
  expect(world.to.files.size).toBe(0);
  await nothingLeft(world);
});

it('an item without media is accepted, and the job fails', async () => {
  const world = await openTranscoding();
  await setPreset(world, 'lowres');
  const end = await ended(world, (await start(world, 'tag=lowres')).jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  expect(errorOf(end)).toMatch(/VX-100 has no media/);
});

it('a transcoder that fails for a while is asked again, and nothing is there twice', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  world.fake.failures.push(new Error('killed'));
  const end = await ended(world, (await start(world, 'tag=lowres&storageId=VX-2')).jobId);
  expect(end.status).toBe('FINISHED');
  expect(world.to.files.size).toBe(1);
  expect((await rowsOf(world, 'shape')).length).toBe(2);
  await nothingLeft(world);
});

it('a script changes the preset for each job, and its error ends the job with the message', async () => {
  const world = await openTranscoding();
  const { shapeId } = await withOriginal(world);
  await setPreset(world, 'lowres', { format: 'wav', audio: { codec: 'aac' } });
  const script = 'preset.audio.bitrate = shape.videoComponent.length * 1000; preset.description = jobMetadata.mood;';
  const put = {
    ...ask('PUT /API/shape-tag/lowres/script', script),
    headers: { 'content-type': 'application/javascript' },
  };
  await done(world, put);
  const seen = await done(world, ask(`GET /API/shape-tag/lowres/item/VX-100/shape/${shapeId}`));
  expect(seen).toMatchObject({ audio: { codec: 'aac', bitrate: 1000 } });
  await ended(world, (await start(world, 'tag=lowres&jobmetadata=mood%3Dcalm')).jobId);
  expect(world.fake.orders[0]!.audio).toMatchObject({ bitrate: 1000 });
  await done(world, { ...put, body: 'throw new Error("too dark")' });
  const end = await ended(world, (await start(world, 'tag=lowres')).jobId);
  expect(errorOf(end)).toMatch(/lowres failed: .*too dark/);
  expect((await world.send(ask(`GET /API/shape-tag/lowres/item/VX-100/shape/${shapeId}`))).status).toBe(400);
});

it('refuses what no job could do', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'name', { description: 'no format' });
  await setPreset(world, 'lowres');
  const refused: readonly (readonly [string, number])[] = [
    ['VX-100/transcode?tag=unknown', 404],
    ['VX-100/transcode?tag=name', 400],
    ['VX-100/transcode', 400],
    ['VX-100/transcode?tag=lowres&original=web', 400],
    ['VX-100/transcode?tag=lowres&storageId=VX-99', 404],
    ['VX-100/transcode?tag=lowres&destinationItem=VX-999', 404],
    ['VX-999/transcode?tag=lowres', 404],
    ['VX-100/shape/VX-999/transcode?tag=lowres', 404],
    ['VX-100/thumbnail', 400],
    ['VX-100/thumbnail?createThumbnails=yesterday', 400],
    ['VX-100/thumbnail?createThumbnails=1,2&createPosters=3', 400],
    ['VX-100/thumbnail?createThumbnails=true&thumbnailWidth=100', 400],
    ['VX-100/thumbnail?createThumbnails=true&thumbnailPeriod=often', 400],
  ];
  const found = [];
  for (const [target] of refused) found.push([target, (await world.send(ask(`POST /API/item/${target}`))).status]);
  expect(found).toEqual(refused);
});

it('of two jobs for one tag the later shape takes the place of the other, and both jobs finish', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'lowres');
  const first = await start(world, 'tag=lowres&storageId=VX-2');
  const second = await start(world, 'tag=lowres&storageId=VX-2');
  // Between the shape of one job and its check, the other job makes its shape.
  const { store } = world.service;
  const commit = store.commit.bind(store);
  const made: string[] = [];
  let go: () => void;
  const bothMade = new Promise<void>((resolve) => {
    go = resolve;
  });
  store.commit = async (work, ...rest) => {
    const events = work.events.map(({ name, entityId }) => `${name} ${entityId}`);
    if (made.length === 1 && events.includes(`job/update ${made[0]}`)) await bothMade;
    const result = await commit(work, ...rest);
    if (!events.includes('shape/create VX-100')) return result;
    made.push(JSON.stringify(work.changes).includes(`"${first.jobId}"`) ? first.jobId : second.jobId);
    if (made.length === 2) go();
    return result;
  };
  const ends = [await ended(world, first.jobId), await ended(world, second.jobId)];
  expect(ends.map(({ status, log }) => [status, status === 'FINISHED' ? '' : JSON.stringify(log)])).toEqual([
    ['FINISHED', ''],
    ['FINISHED', ''],
  ]);
  const ids = ends.map((job) => datum(job, 'shapeIds'));
  expect(new Set(ids).size).toBe(1);
  expect((await shapeOf(world, ids[0]!)).tag).toEqual(['lowres']);
  expect(JSON.stringify(ends.map(({ log }) => log))).toContain('took the place of it');
  await nothingLeft(world);
});
