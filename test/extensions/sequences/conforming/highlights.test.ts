import { describe, expect, it } from 'vitest';
import { ended, told } from '../../../support/files.ts';
import { fileWith, shapeOf, shapeWith } from '../../../support/media.ts';
import { ask, done } from '../../../support/requests.ts';
import { bytesOf, datum, first, nothingLeft, opened, renderer, start, whyOf } from './rendering.ts';

const frame = { numerator: 1, denominator: 25 };
const film = '/API/item/VX-101/shape/VX-2';

/** The shape VX-2 of VX-101 is a film of 4 seconds with sound, at 25 pictures a second. */
async function filmed(video: object = {}) {
  const world = await opened();
  const file = [{ id: await fileWith(world, 'long.mp4', bytesOf('bytes of a long film')) }];
  const document = {
    containerComponent: { format: 'mp4', duration: { samples: 100, timeBase: frame }, file },
    videoComponent: [
      {
        codec: 'h264',
        resolution: { width: 641, height: 360 },
        averageFrameRate: { numerator: 25, denominator: 1 },
        file,
        ...video,
      },
    ],
    audioComponent: [{ codec: 'aac', file }],
  };
  const shape = await shapeWith(world, document, 'long', 'VX-101');
  return { ...world, shape: `/API/item/VX-101/shape/${shape}`, id: shape };
}

type World = Awaited<ReturnType<typeof filmed>>;
const edlOf = async (world: World, request: string) => {
  const answer = await world.send({ ...ask(`GET ${request}`), headers: { accept: 'text/plain' } });
  expect(answer.status, answer.body).toBe(200);
  return answer.body.split('\r\n').filter((line) => line !== '');
};

describe('highlights of a shape', () => {
  it('are rendered in the order of the caller, into a shape for each tag', async () => {
    const world = await filmed();
    const before = await world.sequence();
    const job = await start(world, `POST ${world.shape}/highlight-render?tag=cut&interval=2-3.5&interval=0@PAL-10@PAL`);
    expect(job).toMatchObject({ type: 'TIMELINE', status: 'READY' });
    const end = await ended(world, job.jobId);
    expect([end.status, whyOf(end)]).toEqual(['FINISHED', undefined]);
    const [order] = world.fake.joinOrders;
    expect(order!.canvas).toEqual({ width: 642, height: 360, frame });
    expect(order!.parts.map(({ source, ...rest }) => [source?.size, rest])).toEqual([
      [20, { from: 2, seconds: 1.52, pictures: 'moving', hasSound: true, ...first }],
      [20, { from: 0, seconds: 0.4, pictures: 'moving', hasSound: true, ...first }],
    ]);
    const shape = await shapeOf(world, datum(end, 'shapeIds')!, 'VX-101');
    expect(shape.tag).toEqual(['cut']);
    expect(JSON.stringify(shape.metadata)).toContain(`highlights of ${world.id}`);
    expect(await told(world, before, /^shape\//)).toEqual(['shape/create VX-101', 'shape/modify VX-101']);
    await nothingLeft(world);
  });

  it('take the place of those that were rendered before, and of nothing else', async () => {
    const world = await filmed();
    const shapes = async () => (await done<{ uri: string[] }>(world, ask('GET /API/item/VX-101/shape'))).uri;
    const before = await shapes();
    const made: string[] = [];
    for (const interval of ['0-1', '1-2']) {
      const { jobId } = await start(world, `POST ${world.shape}/highlight-render?tag=cut&interval=${interval}`);
      made.push(datum(await ended(world, jobId), 'shapeIds')!);
    }
    expect(await shapes()).toEqual([...before, made[1]]);
  });

  it('are refused at once where a deletion lock keeps the shape that they take the place of', async () => {
    const world = await filmed();
    const request = `POST ${world.shape}/highlight-render?tag=cut&interval=0-1`;
    await ended(world, (await start(world, request)).jobId);
    const lock = { expiryTime: '2999-01-01T00:00:00Z' };
    await done(world, ask('POST /API/item/VX-101/deletion-lock', lock));
    const refused = await world.send(ask(request));
    expect([refused.status, refused.headers.get('portico-error')]).toEqual([409, 'entity-locked']);
    const other = `POST ${world.shape}/smartcrop-render?tag=cut&width=20&height=20`;
    expect((await ended(world, (await start(world, other)).jobId)).status).toBe('FINISHED');
  });

  it('end with the shape, and reach another item', async () => {
    const world = await filmed();
    const request = `POST ${world.shape}/highlight-render?tag=cut&interval=3-9&destinationItem=VX-100`;
    const end = await ended(world, (await start(world, request)).jobId);
    expect(world.fake.joinOrders[0]!.parts).toMatchObject([{ from: 3, seconds: 1 }]);
    expect((await shapeOf(world, datum(end, 'shapeIds')!, 'VX-100')).tag).toEqual(['cut']);
  });

  it('are listed as an EDL of pictures and sound', async () => {
    const world = await filmed();
    expect(await edlOf(world, `${world.shape}/highlighter-edl?interval=2-3,0-1`)).toEqual([
      'TITLE: VX-101',
      'FCM: NON-DROP FRAME',
      ...['001  VX101    V     ', '002  VX101    A     '].flatMap((event) => [
        `${event}C        00:00:02:00 00:00:03:00 00:00:00:00 00:00:01:00`,
        '* FROM CLIP NAME: VX-101',
        '* ITEM: VX-101',
      ]),
      ...['003  VX101    V     ', '004  VX101    A     '].flatMap((event) => [
        `${event}C        00:00:00:00 00:00:01:00 00:00:01:00 00:00:02:00`,
        '* FROM CLIP NAME: VX-101',
        '* ITEM: VX-101',
      ]),
    ]);
  });

  it.each([
    ['no part', '', /nothing here finds highlights/],
    ['a time alone', 'interval=4', /a start and an end/],
    ['three times', 'interval=1-2-3', /a start and an end/],
    ['no time', 'interval=a-b', /a time code/],
    ['an end before the start', 'interval=2-1', /an end behind the start/],
    ['a part shorter than a picture', 'interval=1-1.001', /by a picture at least/],
    ['a part behind the end', 'interval=4-5', /before the end of the shape/],
    ['more than 50 parts', Array(51).fill('interval=0-1').join('&'), /at most 50 parts/],
  ])('are refused for %s', async (_title, query, says) => {
    const world = await filmed();
    for (const [method, path] of [
      ['POST', 'highlight-render'],
      ['GET', 'highlighter-edl'],
    ]) {
      const answer = await world.send(ask(`${method} ${world.shape}/${path}?tag=cut&${query}`));
      expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(says)]);
    }
  });

  it('are refused for a picture, and for a shape that no media check has seen', async () => {
    const world = await filmed();
    const still = await world.send(ask('POST /API/item/VX-100/shape/VX-1/highlight-render?tag=cut&interval=0-1'));
    expect([still.status, still.body]).toEqual([400, expect.stringContaining('it is a picture')]);
    const unseen = await shapeWith(world, {}, 'unseen', 'VX-101');
    const answer = await world.send(ask(`POST /API/item/VX-101/shape/${unseen}/highlight-render?tag=cut&interval=0-1`));
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('a media check found neither')]);
  });
});

describe('a crop of a shape', () => {
  it('keeps the rectangle of all its pictures, in even numbers', async () => {
    const world = await filmed();
    const request = `POST ${world.shape}/smartcrop-render?tag=cut&left=11&top=5&width=201&height=100`;
    const end = await ended(world, (await start(world, request)).jobId);
    expect([end.status, whyOf(end)]).toEqual(['FINISHED', undefined]);
    const [order] = world.fake.joinOrders;
    expect(order!.canvas).toEqual({ width: 200, height: 100, frame });
    const crop = { left: 11, top: 5, width: 200, height: 100 };
    expect(order!.parts).toMatchObject([{ from: 0, seconds: 4, crop }]);
    const shape = await shapeOf(world, datum(end, 'shapeIds')!, 'VX-101');
    expect(JSON.stringify(shape.metadata)).toContain(`crop of ${world.id}`);
    await nothingLeft(world);
  });

  it('keeps the proportions of pixels that are not square', async () => {
    const world = await filmed({ pixelAspectRatio: { horizontal: 4, vertical: 3 } });
    const { jobId } = await start(world, `POST ${world.shape}/smartcrop-render?tag=cut&width=90&height=90`);
    await ended(world, jobId);
    expect(world.fake.joinOrders[0]!.canvas).toMatchObject({ width: 120, height: 90 });
  });

  it('is of a picture that is stored on its side as it is shown', async () => {
    const world = await filmed({ mediaInfo: { property: [{ key: 'Rotation', value: '90' }] } });
    const request = (size: string) => ask(`GET ${world.shape}/smartcrop-edl?${size}`);
    expect((await world.send(request('width=360&height=640'))).status).toBe(200);
    expect((await world.send(request('width=640&height=360'))).status).toBe(400);
  });

  it('is of parts that the caller names, and of a still picture', async () => {
    const world = await filmed();
    const ofParts = `POST ${world.shape}/smartcrop-render?tag=cut&width=20&height=20&interval=1-2`;
    await ended(world, (await start(world, ofParts)).jobId);
    expect(world.fake.joinOrders[0]!.parts).toMatchObject([{ from: 1, seconds: 1 }]);
    const ofStill = 'POST /API/item/VX-100/shape/VX-1/smartcrop-render?tag=cut&width=20&height=20';
    await ended(world, (await start(world, ofStill)).jobId);
    expect(world.fake.joinOrders[1]!.parts).toMatchObject([{ pictures: 'still', seconds: 0.04 }]);
  });

  it('is listed as an EDL, with the rectangle at each part', async () => {
    const world = await filmed();
    const lines = await edlOf(world, `${world.shape}/smartcrop-edl?left=4&top=2&width=20&height=10&interval=0-1,2-3`);
    expect(lines.filter((line) => line === '* CROP: 4 2 20 10')).toHaveLength(4);
  });

  it.each([
    ['no size', 'width=20', /height/],
    ['an empty rectangle', 'width=0&height=10', /from 2 to 8192/],
    ['a rectangle beyond the right edge', 'left=632&width=10&height=10', /within 641 pixels/],
    ['a rectangle below the picture', 'top=351&width=10&height=10', /within 360 pixels/],
  ])('is refused for %s', async (_title, query, says) => {
    const world = await filmed();
    const answer = await world.send(ask(`POST ${world.shape}/smartcrop-render?tag=cut&${query}`));
    expect([answer.status, answer.body]).toEqual([400, expect.stringMatching(says)]);
  });

  it('is refused for a whole shape of unknown duration, and for sound', async () => {
    const world = await filmed();
    const answer = await world.send(ask(`POST ${film}/smartcrop-render?tag=cut&width=20&height=20`));
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('duration of the shape is unknown')]);
    const sound = await shapeWith(world, { audioComponent: [{ codec: 'aac' }] }, 'sound', 'VX-101');
    const path = `/API/item/VX-101/shape/${sound}/smartcrop-render`;
    const heard = await world.send(ask(`POST ${path}?tag=cut&width=20&height=20&interval=0-1`));
    expect([heard.status, heard.body]).toEqual([400, expect.stringContaining('sound only')]);
  });
});

it.each(['highlight-render', 'smartcrop-render'])('%s gives out no bytes that its user may not read', async (path) => {
  const world = await filmed();
  const access = (item: string, permission: string, operation?: object) =>
    done(world, ask(`POST /API/item/${item}/access`, { permission, user: renderer[0], operation }));
  await access('VX-101', 'READ');
  await access('VX-100', 'WRITE');
  const query = 'tag=cut&interval=0-1&width=20&height=20&destinationItem=VX-100&holdJob=true';
  const request = { ...ask(`POST ${world.shape}/${path}?${query}`), as: renderer };
  const { jobId } = await done<{ jobId: string }>(world, request);
  await access('VX-101', 'NONE', { uri: {} });
  await done(world, ask(`PUT /API/job/${jobId}?status=READY`));
  const end = await ended(world, jobId);
  expect([end.status, whyOf(end)]).toEqual(['FAILED_TOTAL', expect.stringContaining('that its user may read')]);
  expect(world.fake.joinOrders).toEqual([]);
});
