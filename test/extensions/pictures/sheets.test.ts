import { expect, it } from 'vitest';
import type { StartThread } from '../../../src/core/lib/thread-task.ts';
import type { Drawing } from '../../../src/extensions/pictures/drawing-thread.ts';
import { run } from '../../../src/extensions/pictures/drawing-worker.ts';
import { readPixels, writePixels } from '../../../src/extensions/pictures/pixels.ts';
import { createDrawing } from '../../../src/extensions/pictures/sheet-drawing.ts';
import { layoutOf } from '../../../src/extensions/pictures/sheet-layout.ts';
import type { Pixels } from '../../../src/production/transcoding/public-reading.ts';
import { newUser } from '../../support/cast.ts';
import { settle, testClock } from '../../support/clock.ts';
import { openTranscoding, type TranscodingWorld } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';

type Rgb = readonly [number, number, number];
const colours: readonly Rgb[] = [
  [200, 20, 20],
  [20, 200, 20],
  [20, 20, 200],
  [200, 200, 20],
  [20, 200, 200],
];

function plain(colour: Rgb, type: 'image/jpeg' | 'image/png', width = 64, height = 36) {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([...colour, 255], at);
  return writePixels({ width, height, data }, type);
}

/** VX-100 has five thumbnails, ten seconds apart. */
async function openSheets(): Promise<TranscodingWorld> {
  const world = await openTranscoding();
  const { uri } = await done<{ uri: string[] }>(world, ask('PUT /API/item/VX-100/thumbnailresource'));
  for (const [at, colour] of colours.entries()) {
    const type = at % 2 === 0 ? 'image/jpeg' : 'image/png';
    const body = await plain(colour, type);
    const sent = { as: admin, headers: { 'content-type': type }, request: `PUT ${uri[0]}/${at * 250}@PAL`, body };
    expect((await world.send(sent)).status).toBe(200);
  }
  return world;
}

const path = '/API/item/VX-100/thumbnail/spritesheet';
const get = (target: string, accept = 'application/json', as: Credentials | undefined = admin) => ({
  as,
  headers: { accept },
  request: `GET ${target}`,
});
const anonymously = (target: string, accept = '*/*') => ({ request: `GET ${target}`, headers: { accept } });
const targetOf = (url: string) => url.slice(url.indexOf('/API'));

interface Sheet {
  readonly etag: string;
  readonly url: readonly string[];
  readonly thumbnail: readonly { x: number; y: number; width: number; height: number; [key: string]: unknown }[];
}

async function pictureAt(world: TranscodingWorld, request: ReturnType<typeof anonymously>) {
  const answer = await world.service.fetch(
    new Request(`http://portico.test${request.request.slice('GET '.length)}`, { headers: request.headers }),
  );
  expect(answer.status).toBe(200);
  const pixels = await readPixels(new Uint8Array(await answer.arrayBuffer()));
  const at = (x: number, y: number) => [
    ...pixels!.data.subarray((y * pixels!.width + x) * 4, (y * pixels!.width + x) * 4 + 4),
  ];
  return {
    type: answer.headers.get('content-type'),
    caching: answer.headers.get('cache-control'),
    pixels: pixels!,
    at,
  };
}

const near = (found: readonly number[], [red, green, blue]: Rgb) =>
  found.length === 4 && [red, green, blue].every((value, at) => Math.abs(found[at]! - value) < 12);

const frames = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });

it('the thumbnails of an item are on one picture, and the sheet says where', async () => {
  const world = await openSheets();
  const sheet = await done<Sheet>(world, get(`${path}?noauth-url=true`));
  expect(sheet.url).toHaveLength(1);
  expect(sheet.url[0]).toMatch(/^http.*\/APInoauth\/item\/VX-100\/thumbnail\/spritesheet\/image;version=0\?hash=/);
  expect(sheet.thumbnail.map(({ timecode, endTimecode }) => [timecode, endTimecode])).toEqual([
    [frames(0), frames(250)],
    [frames(250), frames(500)],
    [frames(500), frames(750)],
    [frames(750), frames(1000)],
    [frames(1000), { samples: 50_000, timeBase: { numerator: 1, denominator: 1000 } }],
  ]);
  const drawn = await pictureAt(world, anonymously(targetOf(sheet.url[0]!)));
  expect([drawn.type, drawn.caching]).toEqual(['image/jpeg', 'private, max-age=31536000, immutable']);
  const seen = sheet.thumbnail.map(({ x, y, width, height }) => drawn.at(x + width / 2, y + height / 2));
  expect(seen.map((each, at) => near(each, colours[at]!))).toEqual([true, true, true, true, true]);
  const xml = await world.send(get(path, 'application/xml'));
  expect(xml.body).toContain('<ThumbnailSpriteSheetDocument');
  expect(xml.body).toMatch(
    /<thumbnail><width>64<\/width><height>36<\/height><x>0<\/x><y>0<\/y><timecode><samples>0<\/samples><timeBase><numerator>1</,
  );
  const vtt = await world.send(get(path, 'text/vtt'));
  expect([vtt.status, vtt.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/vtt')]);
  const cues = vtt.body.split('\n\n');
  expect(cues[0]).toBe('WEBVTT');
  expect(cues[2]).toMatch(/^00:00:10\.000 --> 00:00:20\.000\nhttp.*\/API\/item\/VX-100\/.*#xywh=64,0,64,36$/);
});

it('only readers of an item have its sheet, and other thumbnails make another one', async () => {
  const world = await openSheets();
  const stranger: Credentials = ['passer', 'password of passer'];
  await world.send(newUser(stranger, ['_thumbnail_read', '_item_read']));
  expect((await world.send(get(path, 'application/json', stranger))).status).toBe(403);
  expect((await world.send(get(`${path}/image`, 'image/jpeg', stranger))).status).toBe(403);
  expect((await world.send(get(`${path}/image`, 'image/jpeg'))).headers.get('cache-control')).toBe(
    'private, max-age=60',
  );
  expect((await world.send(get('/API/item/VX-101/thumbnail/spritesheet'))).status).toBe(404);
  expect((await world.send(get(`${path};version=7`))).status).toBe(404);
  const sheet = await done<Sheet>(world, get(`${path}?noauth-url=true`));
  const target = targetOf(sheet.url[0]!);
  for (const other of [
    target.split('?')[0]!,
    `${target}x`,
    '/APInoauth/item/VX-9/thumbnail/spritesheet/image?hash=a',
  ]) {
    expect((await world.send(anonymously(other))).status, other).toBe(404);
  }
  await done(world, ask('DELETE /API/thumbnail/VX-1/VX-100/0@PAL'));
  expect((await world.send(anonymously(target))).status).toBe(404);
  expect((await done<Sheet>(world, get(path))).etag).not.toBe(sheet.etag);
});

it('pictures are stitched for whom has their hashes, in boxes with margins', async () => {
  const world = await openSheets();
  const { uri } = await done<{ uri: string[] }>(world, get('/API/thumbnail/VX-1/VX-100?noauth-url=true'));
  const query = uri.map((each) => `uri=${encodeURIComponent(each)}`).join('&');
  const drawn = await pictureAt(
    world,
    anonymously(`/APInoauth/stitch/?geometry=32x18%2B2%2B4&tile=2x&background=none&${query}`),
  );
  expect([drawn.type, drawn.pixels.width, drawn.pixels.height]).toEqual(['image/png', 72, 78]);
  expect(drawn.at(0, 0)).toEqual([0, 0, 0, 0]);
  expect(near(drawn.at(18, 13), colours[0]!)).toBe(true);
  expect(near(drawn.at(54, 13), colours[1]!)).toBe(true);
  expect(near(drawn.at(18, 65), colours[4]!)).toBe(true);
  expect(drawn.at(54, 65)).toEqual([0, 0, 0, 0]);
  const whole = await pictureAt(world, anonymously(`/APInoauth/stitch?format=jpeg&tile=5x1&${query}`));
  expect([whole.type, whole.pixels.width, whole.pixels.height]).toEqual(['image/jpeg', 320, 36]);
  expect((await pictureAt(world, anonymously(`/APInoauth/stitch?${query}`, 'image/jpeg'))).type).toBe('image/jpeg');
});

it.each([
  ['no picture', '', 400],
  ['an address of elsewhere', 'uri=http://169.254.169.254/latest/meta-data', 400],
  ['a file of the server', 'uri=file:///etc/passwd', 400],
  ['a picture without its hash', 'uri=/APInoauth/thumbnail/VX-1/VX-100;version=0/0@PAL', 400],
  ['a picture with another hash', 'uri=/APInoauth/thumbnail/VX-1/VX-100;version=0/0@PAL?hash=x', 404],
  ['a geometry of nothing', 'OWN&geometry=0x0', 400],
  ['a sheet of too many pixels', 'OWN&geometry=9000x9000', 400],
  ['a tile without a place for each', 'OWN&OWN&tile=1x1', 400],
  ['an unknown colour', 'OWN&background=mauve', 400],
  ['a JPEG that is seen through', 'OWN&format=jpeg&background=none', 400],
])('a sheet is refused for %s', async (_what, query, status) => {
  const world = await openSheets();
  const { uri } = await done<{ uri: string[] }>(world, get('/API/thumbnail/VX-1/VX-100?noauth-url=true'));
  const own = `uri=${encodeURIComponent(uri[0]!)}`;
  const answer = await world.send(anonymously(`/APInoauth/stitch?${query.replaceAll('OWN', own)}`));
  expect([answer.status, answer.body]).toEqual([
    status,
    expect.stringContaining(status === 400 ? 'Expected' : 'notFound'),
  ]);
});

it('attack: a flood of sheets is refused, and keeps no other network out', async () => {
  const draw = createDrawing({ clock: testClock(), sharesWork: true });
  const bytes = await plain([1, 2, 3], 'image/png', 1, 1);
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const layout = async () => ({ width: 1, height: 1, boxes: [{ x: 0, y: 0, width: 1, height: 1 }] });
  const open = () => begun.then(() => bytes);
  const from = (address: string, number: number) =>
    draw(
      { name: `${address} ${number}`, layout, background: [0, 0, 0, 255], type: 'image/png', open },
      { subject: undefined, address },
    ).then(
      () => 200,
      (error) => [error.status, error.headers],
    );
  const flood = Array.from({ length: 40 }, (_, number) => from('198.51.100.7', number));
  await settle();
  const other = from('203.0.113.9', 0);
  begin();
  const answers = await Promise.all(flood);
  expect(answers.filter((answer) => answer === 200)).toHaveLength(16);
  expect(answers.find((answer) => answer !== 200)).toEqual([503, { 'retry-after': '5' }]);
  expect(await other).toBe(200);
});

it('a sheet is the same from a thread, and a picture that takes too long leaves its box empty', async () => {
  const pictures = await Promise.all(colours.map((colour) => plain(colour, 'image/png', 4, 3)));
  const layout = async () => layoutOf(5, { columns: 5, rows: 1 }, { width: 8, height: 8 });
  const drawnBy = async (thread?: StartThread) => {
    const draw = createDrawing({ clock: testClock(), sharesWork: true, ...(thread && { thread }) });
    const open = async (index: number) => pictures[index];
    const sheet = { name: 'a', layout, background: [0, 0, 0, 255], type: 'image/png', open } as const;
    return (await readPixels(await draw(sheet, { subject: undefined, address: '203.0.113.9' })))!;
  };
  const isSlow = (drawing: Drawing) => 'picture' in drawing && drawing.picture === pictures[3];
  const here = await drawnBy();
  expect(await drawnBy(() => run as never)).toEqual(here);
  const slow = await drawnBy(({ fails, tooSlow }) => async (drawing) => {
    if (isSlow(drawing as Drawing)) throw fails(tooSlow);
    return (await run(drawing as Drawing)) as never;
  });
  const middles = ({ data }: Pixels) =>
    colours.map((_, at) => [...data.subarray((4 * 40 + at * 8 + 4) * 4).slice(0, 3)]);
  expect(middles(here)).toEqual(colours);
  expect(middles(slow)).toEqual(colours.with(3, [0, 0, 0]));
});
