import { describe, expect, it } from 'vitest';
import { MediaFault } from '../../../../src/production/checking/probing/faults.ts';
import { fakeTranscoder } from '../../../production/transcoding/fake-transcoder.ts';
import { ended, type JobSeen, told } from '../../../support/files.ts';
import { fieldsOf, fileWith, shapeOf, shapeWith } from '../../../support/media.ts';
import { ask, done } from '../../../support/requests.ts';
import { at, bytesOf, cuts, datum, first, nothingLeft, opened, renderer, segment, start, whyOf } from './rendering.ts';

describe('a sequence is rendered', () => {
  it('by its cuts, with black pictures between them, into a shape for each tag', async () => {
    const world = await opened();
    const before = await world.sequence();
    const job = await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut&jobmetadata=a%3Db');
    expect(job).toMatchObject({ type: 'TIMELINE', status: 'READY' });
    const end = await ended(world, job.jobId);
    expect([end.status, whyOf(end)]).toEqual(['FINISHED', undefined]);
    expect(end.log!.task.map(({ step, description, status }) => `${step} ${description} ${status}`)).toEqual([
      '100 Preparing FINISHED',
      '200 Transcoding FINISHED',
      '400 Creating the entities FINISHED',
    ]);
    const [order] = world.fake.joinOrders;
    expect(order!.canvas).toEqual({ width: 642, height: 360, frame: { numerator: 1, denominator: 25 } });
    expect(order!.order).toMatchObject({ format: 'mp4', seconds: 4, video: {}, audio: {} });
    expect(order!.parts.map(({ source, ...rest }) => [source?.size, rest])).toEqual([
      [15, { from: 1, seconds: 2, pictures: 'moving', hasSound: true, ...first }],
      [undefined, { from: 0, seconds: 1, pictures: 'none', hasSound: false, ...first }],
      [16, { from: 0, seconds: 1, pictures: 'still', hasSound: false, ...first }],
    ]);
    const shape = await shapeOf(world, datum(end, 'shapeIds')!);
    expect(shape).toMatchObject({ tag: ['cut'], containerComponent: { file: [{ state: 'CLOSED' }] } });
    expect(JSON.stringify(shape.metadata)).toContain('sequence of VX-100');
    expect(await told(world, before, /^(shape|file|item|job)\//)).toEqual([
      ...['job/create VX-1', 'job/update VX-1', 'job/update VX-1'],
      ...['file/new VX-3', 'file/change VX-3', 'file/close VX-3', 'file/hash VX-3', 'job/update VX-1'],
      ...['shape/create VX-100', 'shape/modify VX-100', 'job/update VX-1'],
      ...['job/stop VX-1', 'job/finished VX-1'],
    ]);
    await nothingLeft(world);
  });

  it('again in the place of the shape that it became before', async () => {
    const world = await opened();
    const shapes = async () => (await done<{ uri: string[] }>(world, ask('GET /API/item/VX-100/shape'))).uri;
    const request = 'POST /API/item/VX-100/sequence/render?tag=cut';
    const first = await ended(world, (await start(world, request)).jobId);
    expect(await shapes()).toContain(datum(first, 'shapeIds'));
    const second = await ended(world, (await start(world, `${request}&original=cut`)).jobId);
    expect(await shapes()).toContain(datum(second, 'shapeIds'));
    expect(await shapes()).not.toContain(datum(first, 'shapeIds'));
    expect((await shapeOf(world, datum(second, 'shapeIds')!)).tag).toEqual(['cut', 'original']);
  });

  it('beside what another sequence of a body became', async () => {
    const world = await opened();
    const made: string[] = [];
    for (const length of [50, 25, 25]) {
      const sequence = { track: [{ segment: [segment('VX-101', 0, length)] }] };
      const { jobId } = await start(world, 'POST /API/sequence/render?tag=cut&destinationItem=VX-100', { sequence });
      made.push(datum(await ended(world, jobId), 'shapeIds')!);
    }
    const own = await ended(world, (await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut')).jobId);
    made.push(datum(own, 'shapeIds')!);
    const { uri } = await done<{ uri: string[] }>(world, ask('GET /API/item/VX-100/shape'));
    expect(uri).toEqual(expect.arrayContaining(made));
    expect(new Set(made).size).toBe(4);
  });

  it('into another item, and into a new one with its metadata', async () => {
    const world = await opened();
    const into = await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut&destinationItem=VX-101');
    const other = await ended(world, into.jobId);
    expect([datum(other, 'itemId'), datum(other, 'tags')]).toEqual(['VX-101', 'cut']);
    expect((await shapeOf(world, datum(other, 'shapeIds')!, 'VX-101')).tag).toEqual(['cut']);

    const timespan = [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Both' }] }] }];
    const before = await world.sequence();
    const job = await start(world, 'POST /API/sequence/render?tag=cut', { sequence: cuts, metadata: { timespan } });
    const end = await ended(world, job.jobId);
    const id = datum(end, 'itemId')!;
    expect(end.status, whyOf(end)).toBe('FINISHED');
    expect((await fieldsOf(world, id))['title']).toBe('Both');
    expect((await shapeOf(world, datum(end, 'shapeIds')!, id)).tag).toEqual(['cut', 'original']);
    expect((await told(world, before, /^item\//))[0]).toBe(`item/create ${id}`);
    await nothingLeft(world);
  });

  it('with the sound of its cuts, or as sound alone', async () => {
    const film = [segment('VX-101', 0, 50)];
    const world = await opened({
      track: [{ segment: film }, { audio: true, segment: film }],
    });
    await ended(world, (await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut')).jobId);
    const sequence = { track: [{ audio: true, segment: film }] };
    await ended(world, (await start(world, 'POST /API/sequence/render?tag=cut', { sequence })).jobId);
    expect(world.fake.joinOrders.map(({ order }) => order.video === null)).toEqual([false, true]);
  });

  it('of the shapes that the caller names', async () => {
    const world = await opened({ track: [{ segment: [segment('VX-101', 0, 50)] }] });
    const small = await fileWith(world, 'small.mp4', bytesOf('small'));
    await shapeWith(world, { videoComponent: [{ codec: 'h264', file: [{ id: small }] }] }, 'lowres', 'VX-101');
    const job = await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut&sourceTag=none,lowres');
    await ended(world, job.jobId);
    const [order] = world.fake.joinOrders;
    expect(order!.parts.map(({ source, hasSound }) => [source!.size, hasSound])).toEqual([[5, false]]);
    expect(order!.canvas).toMatchObject({ width: 1280, height: 720 });
  });
});

it('has a type whose steps are listed, and by which jobs are found', async () => {
  const world = await opened();
  const { task } = await done<{ task: readonly { step: number; description: string }[] }>(
    world,
    ask('GET /API/task-definition/jobtype/TIMELINE'),
  );
  expect(task.map(({ step, description }) => [step, description])).toEqual([
    [100, 'Preparing'],
    [200, 'Transcoding'],
    [400, 'Creating the entities'],
  ]);
  const { jobId } = await start(world, 'POST /API/sequence/render?tag=cut', { sequence: cuts });
  const found = async (type: string) =>
    ((await done<{ job?: readonly JobSeen[] }>(world, ask(`GET /API/job?type=${type}`))).job ?? []).map(
      (job) => job.jobId,
    );
  expect([await found('TIMELINE'), await found('CONFORM')]).toEqual([[jobId], []]);
});

describe('a rendering of other tracks', () => {
  const dubbed = async () => {
    const world = await opened();
    const file = [{ id: await fileWith(world, 'dub.mp4', bytesOf('dubbed')) }];
    const streams = { videoComponent: [{ codec: 'h264', file }], audioComponent: [1, 2, 3].map(() => ({ file })) };
    await shapeWith(world, streams, 'dub', 'VX-101');
    return world;
  };
  const sound = (track: number) => ({ ...segment('VX-101', 0, 50), sourceTrack: track });
  const request = 'POST /API/sequence/render?tag=cut&sourceTag=dub&destinationItem=VX-100';

  it.each([
    ['beside pictures', [{ segment: [sound(1)] }, { audio: true, segment: [sound(3)] }], 2],
    ['alone', [{ audio: true, segment: [sound(2)] }], 1],
    ['that pictures bring', [{ segment: [sound(1)] }], 0],
  ])('takes the sound %s from the track that the segment names', async (_title, track, soundTrack) => {
    const world = await dubbed();
    const end = await ended(world, (await start(world, request, { sequence: { track } })).jobId);
    expect(end.status, whyOf(end)).toBe('FINISHED');
    expect(world.fake.joinOrders[0]!.parts).toMatchObject([
      { pictures: 'moving', hasSound: true, pictureTrack: 0, soundTrack },
    ]);
    await nothingLeft(world);
  });

  it.each([
    ['pictures', [{ segment: [sound(2)] }], /Expected 2 tracks of pictures in the media of the item VX-101: found 1/],
    ['sound', [{ audio: true, segment: [sound(4)] }], /Expected 4 tracks of sound .* found 3/],
  ])('fails for a track of %s that the media does not have', async (_title, track, says) => {
    const world = await dubbed();
    const end = await ended(world, (await start(world, request, { sequence: { track } })).jobId);
    expect([end.status, whyOf(end)]).toEqual(['FAILED_TOTAL', expect.stringMatching(says)]);
    await nothingLeft(world);
  });
});

describe('a rendering that cannot be', () => {
  it.each([
    ['where there is none', []],
    ['where another one works that puts no parts together', [{ ...fakeTranscoder(), join: undefined! }]],
  ])('waits for a transcoder that is not installed %s', async (_title, others) => {
    const fake = fakeTranscoder();
    const world = { ...(await opened(cuts, { transcoders: [...others, fake] })), fake };
    fake.missing = 'install ffmpeg';
    const { jobId } = await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut');
    await world.service.tick();
    expect(await done<JobSeen>(world, ask(`GET /API/job/${jobId}`))).toMatchObject({
      status: 'WAITING',
      waiting: { resourceId: 'install ffmpeg', requirement: 'NoTranscoder' },
    });
    fake.missing = undefined;
    expect((await ended(world, jobId)).status).toBe('FINISHED');
    expect(fake.joinOrders).toHaveLength(1);
    await nothingLeft(world);
  });

  it('waits for ffmpeg where no transcoder could put parts together', async () => {
    const world = await opened();
    Object.assign(world.fake, { join: undefined });
    const { jobId } = await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut');
    await world.service.tick();
    expect(await done<JobSeen>(world, ask(`GET /API/job/${jobId}`))).toMatchObject({
      status: 'WAITING',
      waiting: { resourceId: 'Expected ffmpeg on the path of the service', requirement: 'NoTranscoder' },
    });
  });

  it('lets go of its sources when the transcoder fails', async () => {
    const world = await opened();
    world.fake.failures.push(new MediaFault('broken', 'Expected readable media: the film ends early'));
    const end = await ended(world, (await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut')).jobId);
    expect([end.status, whyOf(end)]).toEqual(['FAILED_TOTAL', expect.stringContaining('the film ends early')]);
    await nothingLeft(world);
  });

  it.each([
    [
      'an item without media',
      'DELETE /API/item/VX-101/shape/VX-2',
      /Expected media of the item VX-101 that its user may read: there is none/,
    ],
    ['an item that is gone', 'DELETE /API/item/VX-101', /Expected media of the item VX-101/],
    ['a tag without a format', ['PUT /API/shape-tag/cut', { name: 'x' }], /Expected a preset with a format/],
  ] as const)('fails for %s', async (_title, change, says) => {
    const world = await opened();
    const { jobId } = await start(world, 'POST /API/item/VX-100/sequence/render?tag=cut&holdJob=true');
    const [request, body] = typeof change === 'string' ? [change] : change;
    expect((await world.send(ask(request, body))).status).toBe(200);
    expect((await world.send(ask(`PUT /API/job/${jobId}?status=READY`))).status).toBe(200);
    const end = await ended(world, jobId);
    expect([end.status, whyOf(end)]).toEqual(['FAILED_TOTAL', expect.stringMatching(says)]);
    await nothingLeft(world);
  });

  const film = segment('VX-101', 0, 50);
  const track = (...segments: readonly object[]) => ({ track: [{ segment: segments }] });
  it.each<[string, object, number, string]>([
    [
      'two tracks of pictures',
      { track: [{ segment: [film] }, { segment: [film] }] },
      501,
      'one track of pictures: found 2',
    ],
    [
      'two tracks of sound',
      { track: [1, 2].map(() => ({ audio: true, segment: [film] })) },
      501,
      'one track of sound: found 2',
    ],
    [
      'sound of other cuts',
      { track: [{ segment: [film] }, { audio: true, segment: [segment('VX-101', 0, 49)] }] },
      501,
      'the same cuts of the same items',
    ],
    [
      'a transition',
      { track: [{ segment: [film], transition: [{ in: at(1), out: at(2), transition: 'wipe' }] }] },
      501,
      'hard cuts alone',
    ],
    ['an effect', track({ ...film, effect: [{ name: 'blur' }] }), 501, 'no effect'],
    ['a part that is slowed down', track({ ...film, sourceOut: at(25) }), 501, 'as long as in the sequence'],
    ['parts over each other', track(film, segment('VX-100', 49, 60)), 400, 'begins behind the one before it'],
    ['no times', track({ item: 'VX-101', sourceTrack: 1 }), 400, '\\"in\\" and \\"out\\"'],
    ['nothing', {}, 400, '\\"in\\" and \\"out\\"'],
    [
      'more than 50 parts',
      track(...Array.from({ length: 26 }, (_, index) => segment('VX-101', index * 2 + 1, index * 2 + 2))),
      400,
      'at most 50 segments',
    ],
    ['far more', track(...Array.from({ length: 101 }, () => film)), 400, 'at most 50 segments'],
    ['an item that is not there', track(segment('VX-999', 0, 1)), 404, 'VX-999'],
  ])('is refused: %s', async (_title, sequence, status, part) => {
    const world = await opened();
    const before = await world.sequence();
    const answer = await world.send(ask('POST /API/sequence/render?tag=cut', { sequence }));
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(part)]);
    expect(await world.events(before)).toEqual([]);
  });

  it.each<[string, string, object | undefined, number, string]>([
    ['no tag', 'POST /API/item/VX-100/sequence/render', undefined, 400, 'a shape tag'],
    ['an unknown tag', 'POST /API/item/VX-100/sequence/render?tag=none', undefined, 404, 'none'],
    ['another original', 'POST /API/item/VX-100/sequence/render?tag=cut&original=x', undefined, 400, 'values of tag'],
    ['subtitles', 'POST /API/item/VX-100/sequence/render?tag=cut&subtitleLanguage=en', undefined, 501, 'no subtitles'],
    ['an item without a sequence', 'POST /API/item/VX-101/sequence/render?tag=cut', undefined, 404, 'sequence'],
    [
      'an unknown destination',
      'POST /API/item/VX-100/sequence/render?tag=cut&destinationItem=VX-9',
      undefined,
      404,
      'VX-9',
    ],
    ['no sequence', 'POST /API/sequence/render?tag=cut', {}, 400, 'sequence'],
    [
      'metadata for an item that is there',
      'POST /API/sequence/render?tag=cut&destinationItem=VX-100',
      { sequence: cuts, metadata: {} },
      400,
      'no metadata beside destinationItem',
    ],
  ])('is refused: %s', async (_title, request, body, status, part) => {
    const world = await opened();
    const before = await world.sequence();
    const answer = await world.send(ask(request, body));
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(part)]);
    expect(await world.events(before)).toEqual([]);
  });

  it('is refused to those who may not write the item, read its parts, or make a new one', async () => {
    const world = await opened(track(film));
    const as = (request: string, body?: object) => world.send({ ...ask(request, body), as: renderer });
    const access = (item: string, permission: string) =>
      done(world, ask(`POST /API/item/${item}/access`, { permission, user: renderer[0] }));
    const request = 'POST /API/item/VX-100/sequence/render?tag=cut';
    expect((await as(request)).status).toBe(403);
    await access('VX-100', 'READ');
    expect((await as(request)).status).toBe(404);
    await access('VX-101', 'READ');
    expect((await as(request)).status).toBe(403);
    const refused = await as('POST /API/sequence/render?tag=cut', { sequence: track(film) });
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('_import')]);
    await access('VX-100', 'WRITE');
    expect((await as(request)).status).toBe(200);
  });
});

it('the sequence of an item is rendered for those who may read sequences', async () => {
  const world = await opened();
  await done(world, ask(`DELETE /API/group/_sequence_read/user/${renderer[0]}`));
  for (const item of ['VX-100', 'VX-101']) {
    await done(world, ask(`POST /API/item/${item}/access`, { permission: 'WRITE', user: renderer[0] }));
  }
  const status = async (path: string, body?: object) => {
    const answer = await world.send({ ...ask(`POST /API${path}`, body), as: renderer });
    return [answer.status, answer.body.includes('_sequence_read')];
  };
  expect(await status('/item/VX-100/sequence/render?tag=cut')).toEqual([403, true]);
  expect(await status('/sequence/render?tag=cut&destinationItem=VX-100', { sequence: cuts })).toEqual([200, false]);
});
