import { describe, expect, it } from 'vitest';
import { ended, told } from '../../../support/files.ts';
import { fieldsOf, shapeOf } from '../../../support/media.ts';
import { ask, done } from '../../../support/requests.ts';
import { admin } from '../../../support/service.ts';
import { at, cuts, datum, first, nothingLeft, opened, renderer, start, whyOf } from './rendering.ts';

/** A part of an item, in pictures at 25 a second. */
const part = (id: string, from?: number, to?: number, destination?: readonly [from: number, to?: number]) => ({
  source: {
    id,
    ...(from !== undefined && { interval: { start: at(from), ...(to !== undefined && { end: at(to) }) } }),
  },
  ...(destination && {
    destination: {
      interval: { start: at(destination[0]), ...(destination[1] !== undefined && { end: at(destination[1]) }) },
    },
  }),
});
const request = (segment: readonly object[], more: object = {}) => ({ conform: { timeline: { segment }, ...more } });
const trim = request([part('VX-101', 25, 75)]);

describe('a conform job', () => {
  it('cuts one interval out of an item into a new one, with its metadata', async () => {
    const world = await opened();
    const before = await world.sequence();
    const timespan = [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Trim' }] }] }];
    const job = await start(world, 'POST /API/conform?tag=cut', { ...trim, metadata: { timespan } });
    expect(job).toMatchObject({ type: 'CONFORM', status: 'READY' });
    const end = await ended(world, job.jobId);
    expect([end.status, whyOf(end)]).toEqual(['FINISHED', undefined]);
    expect(end.log!.task.map(({ step, description, status }) => `${step} ${description} ${status}`)).toEqual([
      ...['100 Preparing FINISHED', '200 Transcoding FINISHED', '300 Creating shape FINISHED'],
      ...['400 Finalizing media check FINISHED', '500 Creating thumbnails FINISHED'],
    ]);
    const [order] = world.fake.joinOrders;
    expect(order!.canvas).toEqual({ width: 642, height: 360, frame: { numerator: 1, denominator: 25 } });
    expect(order!.parts.map(({ source, ...rest }) => [source?.size, rest])).toEqual([
      [15, { from: 1, seconds: 2, pictures: 'moving', hasSound: true, ...first }],
    ]);
    const item = datum(end, 'itemId')!;
    expect((await fieldsOf(world, item))['title']).toBe('Trim');
    expect((await shapeOf(world, datum(end, 'shapeIds')!, item)).tag).toEqual(['cut', 'original']);
    expect((await told(world, before, /^item\//))[0]).toBe(`item/create ${item}`);
    await nothingLeft(world);
  });

  it.each([
    [
      'several parts of several items, a still among them',
      [part('VX-101', 25, 50), part('VX-100', 0, 25)],
      {},
      [
        [15, 1, 1],
        [16, 0, 1],
      ],
    ],
    [
      'parts at their times, with a gap between',
      [part('VX-101', 0, 25, [0, 25]), part('VX-101', 50, 75, [50])],
      {},
      [
        [15, 0, 1],
        [undefined, 0, 1],
        [15, 2, 1],
      ],
    ],
    [
      'times without a time base, in that of the request',
      [{ source: { id: 'VX-101', interval: { start: { samples: 50 }, end: { samples: 100 } } } }],
      { timeBase: { numerator: 1, denominator: 50 } },
      [[15, 1, 1]],
    ],
  ] as const)('puts %s one behind the other', async (_what, segments, more, expected) => {
    const world = await opened();
    const sent = request(segments, more);
    const { jobId } = await start(world, 'PUT /API/item/VX-100/conform?tag=cut&createThumbnails=false', sent);
    const end = await ended(world, jobId);
    expect([end.status, whyOf(end), datum(end, 'itemId')]).toEqual(['FINISHED', undefined, 'VX-100']);
    const [order] = world.fake.joinOrders;
    expect(order!.parts.map(({ source, from, seconds }) => [source?.size, from, seconds])).toEqual(expected);
    await nothingLeft(world);
  });

  it('runs the script of the tag with an empty shape, and fails with its message', async () => {
    const world = await opened();
    const script = (body: string) =>
      world.send({
        as: admin,
        headers: { 'content-type': 'application/javascript' },
        request: 'PUT /API/shape-tag/cut/script',
        body,
      });
    const run = async () => ended(world, (await start(world, 'POST /API/item/VX-100/conform?tag=cut', trim)).jobId);
    await script('if (shape.getVideoComponent() === null) preset.setFormat("mov");');
    await run();
    expect(world.fake.joinOrders[0]!.order.format).toBe('mov');
    await script('shape.getVideoComponent().get(0)');
    const failed = await run();
    expect([failed.status, whyOf(failed)]).toEqual(['FAILED_TOTAL', expect.stringContaining('TypeError')]);
    await nothingLeft(world);
  });

  it('begins with a timeline of the item, which has to be a ConformDocument', async () => {
    const world = await opened();
    const put = (format: string, body: string | object) =>
      done(world, ask(`PUT /API/item/VX-100/timeline/${format}`, body));
    await put('cut', trim.conform);
    await put('edl', 'TITLE: A');
    const end = await ended(world, (await start(world, 'POST /API/item/VX-100/timeline/cut/conform?tag=cut')).jobId);
    expect([end.type, end.status, datum(end, 'itemId')]).toEqual(['CONFORM', 'FINISHED', 'VX-100']);
    const status = async (format: string) =>
      (await world.send(ask(`POST /API/item/VX-100/timeline/${format}/conform?tag=cut`))).status;
    expect([await status('edl'), await status('none')]).toEqual([400, 404]);
  });

  it.each([
    ['no tag', '', trim, 400, '"id":"tag"'],
    ['an unknown tag', '?tag=unknown', trim, 404, '"id":"unknown"'],
    ['nothing to put together', '?tag=cut', request([]), 400, 'Expected a part of an item: none'],
    [
      'more parts than a job takes',
      '?tag=cut',
      request(Array(51).fill(part('VX-101', 0, 1))),
      400,
      'at most 50 segments: \\"51\\"',
    ],
    ['an unknown item', '?tag=cut', request([part('VX-999')]), 404, '"id":"VX-999"'],
    [
      'an item without media',
      '?tag=cut',
      request([part('VX-1', 0, 1)]),
      400,
      'Expected an item with media that the caller may read: \\"VX-1\\"',
    ],
    [
      'a part without an end, of media of unknown duration',
      '?tag=cut',
      request([part('VX-101', 25)]),
      400,
      'the duration of the media is unknown',
    ],
    ['an end before the start', '?tag=cut', request([part('VX-101', 25, 25)]), 400, 'Expected an end behind the start'],
    ['a negative time', '?tag=cut', request([part('VX-101', -25, 25)]), 400, 'Expected a time within a day: \\"-25\\"'],
    [
      'parts above each other',
      '?tag=cut',
      request([part('VX-101', 0, 25), part('VX-101', 0, 25, [10])]),
      400,
      'Expected segments one behind the other',
    ],
    [
      'another speed',
      '?tag=cut',
      request([part('VX-101', 0, 25, [0, 50])]),
      501,
      'Expected the duration of the part of the item',
    ],
    [
      'pictures over others',
      '?tag=cut',
      request([part('VX-101', 0, 25)], { overlay: [{ id: 'VX-100', x: 0, y: 0 }] }),
      501,
      'no pictures over others',
    ],
    [
      'no rate of pictures',
      '?tag=cut',
      request([part('VX-101', 0, 25)], { timeBase: { numerator: 1, denominator: 7 } }),
      400,
      '"context":"/ConformRequestDocument/conform/timeBase"',
    ],
    [
      'metadata for an item that is there',
      '?tag=cut&destinationItem=VX-100',
      { ...trim, metadata: {} },
      400,
      'no metadata beside destinationItem',
    ],
  ] as const)('is refused at the request, without a job or an item: %s', async (_what, query, body, status, text) => {
    const world = await opened();
    await done(world, ask('POST /API/import/placeholder'));
    const before = await world.sequence();
    const answer = await world.send(ask(`POST /API/conform${query}`, body));
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(text)]);
    expect(await world.events(before)).toEqual([]);
  });

  it('needs rights on the items that it reads and changes, and the role _import for a new one', async () => {
    const world = await opened(cuts);
    const status = async (path: string) => (await world.send(ask(`POST /API${path}?tag=cut`, trim, renderer))).status;
    expect([await status('/conform'), await status('/item/VX-100/conform')]).toEqual([403, 403]);
    for (const [item, permission] of [
      ['VX-101', 'READ'],
      ['VX-100', 'WRITE'],
    ])
      await done(world, ask(`POST /API/item/${item}/access`, { user: renderer[0], permission }));
    expect([await status('/conform'), await status('/item/VX-100/conform')]).toEqual([403, 200]);
  });
});
