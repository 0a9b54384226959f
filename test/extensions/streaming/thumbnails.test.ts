import { describe, expect, it } from 'vitest';
import { readPixels } from '../../../src/extensions/pictures/pixels.ts';
import { hlsImages } from '../../../src/extensions/streaming/hls.ts';
import { sheetsOf, storyboardName, storyboardPart } from '../../../src/extensions/streaming/storyboard.ts';
import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import type { TranscodingWorld } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { addresses, addressOf, ann, hls, open, read, streamed } from './support.ts';

/** Three thumbnails of 64 by 36 pixels, five seconds apart: red, green and blue. */
async function withThumbnails(world: TranscodingWorld): Promise<void> {
  const { uri } = await done<{ uri: string[] }>(world, ask('PUT /API/item/VX-100/thumbnailresource'));
  for (let at = 0; at < 3; at++) {
    const data = new Uint8Array(64 * 36 * 4);
    for (let pixel = 0; pixel < data.length; pixel += 4)
      data.set(
        [0, 1, 2].map((each) => (each === at ? 220 : 0)),
        pixel,
      );
    const body = jpegFile({ width: 64, height: 36, data });
    const headers = { 'content-type': 'image/jpeg' };
    await done(world, { as: admin, headers, request: `PUT ${uri[0]}/${at * 5}`, body });
  }
}

/** Colours in the middle of the tiles of a sheet. */
async function tilesOf(world: TranscodingWorld, uri: string, columns: number, count: number) {
  const answer = await world.service.fetch(new Request(uri));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const pixels = (await readPixels(new Uint8Array(await answer.arrayBuffer())))!;
  const colours = Array.from({ length: count }, (_tile, at) => {
    const [x, y] = [(at % columns) * 64 + 32, Math.floor(at / columns) * 36 + 18];
    const values = [...pixels.data.subarray((y * pixels.width + x) * 4, (y * pixels.width + x) * 4 + 3)];
    return values.map((value) => (value > 180 ? 'x' : value < 40 ? '.' : '?')).join('');
  });
  return { colours, size: [pixels.width, pixels.height] };
}

describeMatrix('thumbnails of a stream', (entry) => {
  it('stand in the playlist for HLS as sheets of tiles', async () => {
    const { world } = await streamed(entry.open);
    expect((await read(world)).body).not.toContain('IMAGE');
    await withThumbnails(world);
    const { body } = await read(world);
    const [, uri] = /^#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=\d+,RESOLUTION=64x36,CODECS="jpeg",URI="(.*)"$/m.exec(body)!;
    const playlist = await open(world, uri!);
    expect([playlist.status, playlist.headers.get('content-type')]).toEqual([200, hls.accept]);
    const lines = playlist.body.split('\n');
    expect(lines.filter((line) => line.startsWith('#'))).toEqual([
      ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:14', '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-IMAGES-ONLY'],
      ...['#EXTINF:13.500000,', '#EXT-X-TILES:RESOLUTION=64x36,LAYOUT=2x2,DURATION=5.000', '#EXT-X-ENDLIST'],
    ]);
    const sheet = lines.find((line) => line.startsWith('http'))!;
    expect(await tilesOf(world, sheet, 2, 4)).toEqual({ colours: ['x..', '.x.', '..x', '...'], size: [128, 72] });
    expect((await read(world, '?thumbnails=false')).body).not.toContain('IMAGE');
  });

  it('stand in the manifest for DASH as tiles by the guidelines of DASH-IF', async () => {
    const { world } = await streamed(entry.open);
    await withThumbnails(world);
    const { body } = await read(world, '', 'application/dash+xml');
    const set = body.split('<AdaptationSet contentType="image"')[1]!;
    expect(set).toMatch(/^ mimeType="image\/jpeg">/);
    expect(set).toContain('<EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="2x2"/>');
    expect(set).toMatch(/<Representation id="thumbnails" bandwidth="\d+" width="128" height="72">/);
    const [, media, more] = /<SegmentTemplate media="([^"]*)" (.*)\/>/.exec(set)!;
    expect(more).toBe('timescale="1000" duration="20000" startNumber="1"');
    expect(media).toMatch(/\.\$Number\$\.jpg\?grant=/);
    const sheet = (number: number) => media!.replace('$Number$', String(number));
    expect((await tilesOf(world, sheet(1), 2, 3)).colours).toEqual(['x..', '.x.', '..x']);
    for (const number of [0, 2, 9999]) expect((await open(world, sheet(number))).status).toBe(404);
  });
});

it('a long film has several sheets of 25 tiles, all of one size', async () => {
  const plan = { grid: { columns: 5, rows: 5, width: 320, height: 180 }, step: 10_000, seconds: 601 };
  expect(sheetsOf(plan)).toEqual([250, 250, 101]);
  expect(hlsImages(plan, (sheet) => `http://host/${sheet}`).match(/^(?:#EXTINF.*|http.*)$/gm)).toEqual([
    ...['#EXTINF:250.000000,', 'http://host/1', '#EXTINF:250.000000,', 'http://host/2'],
    ...['#EXTINF:101.000000,', 'http://host/3'],
  ]);
  expect(storyboardPart(`${storyboardName(plan)}.3.jpg`)).toEqual({ grid: plan.grid, step: 10_000, sheet: 3 });
});

describe('an attack on a stream', () => {
  it('with a forged address of thumbnails, or without the role for them, gets none', async () => {
    const { world, shapeId, original } = await streamed();
    await withThumbnails(world);
    await prepare(world, [newUser(ann, ['_item_shape_read', '_item_read'])]);
    await done(world, ask('POST /API/item/VX-100/access', { permission: 'READ', user: ann[0] }));
    const { status, body } = await read(world, '', hls.accept, ann);
    expect([status, body.includes('IMAGE')]).toEqual([200, false]);
    const [, playlist] = /IMAGE-STREAM-INF.*URI="(.*)"/.exec((await read(world, '?duration=10')).body)!;
    const [sheet] = addresses((await open(world, playlist!)).body);
    const query = (uri: string) => uri.slice(uri.indexOf('?'));
    const forged = [
      sheet!.replace('-2x2-', '-9x9-'),
      sheet!.replace('-5000-', '-1-'),
      sheet!.replace('-64x36.', '-9999x9999.'),
      sheet!.replace('.1.jpg', '.m3u8'),
      sheet!.replace(`/${shapeId}/`, `/${original}/`),
      sheet!.replace(/\?.*/, query(playlist!)),
      playlist!.replace(/\?.*/, query(sheet!)),
      addressOf((await read(world)).body, '480p').replace(/\?.*/, query(playlist!)),
    ];
    for (const each of forged) expect([each, (await open(world, each)).status]).toEqual([each, 403]);
    await world.clock.advance(10 * 60_000);
    expect([(await open(world, playlist!)).status, (await open(world, sheet!)).status]).toEqual([403, 403]);
  });
});
