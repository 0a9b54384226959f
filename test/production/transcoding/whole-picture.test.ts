import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import { drawableSize } from '../../../src/production/transcoding/codecs/picture-bounds.ts';
import { pngFile } from '../../../src/production/transcoding/codecs/png.ts';
import { createPictureCheck, wholePicture } from '../../../src/production/transcoding/codecs/whole-picture.ts';
import { jpeg as headsAlone, png } from '../checking/samples.ts';
import { jpegOfSegments, jpegOfSteps, jpegOfTables, plainPng } from './hostile-pictures.ts';
import { plainJpeg, samples } from './jpeg-samples.ts';

const pixels = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: 4 * width * height }, (_, at) => (at * 89) & 255),
});
const bytesOf = (...parts: readonly (Uint8Array | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => [...part]));
const begin = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The parts of a PNG by what is in them, with a header of its own. */
const pngOf = (header: readonly number[], packed: Uint8Array) => {
  const whole = png(1, 1);
  const part = (type: string, data: Uint8Array) => {
    // The check sum of the sample is kept where the data is.
    const made = new Uint8Array(12 + data.byteLength);
    const view = new DataView(made.buffer);
    view.setUint32(0, data.byteLength);
    made.set(new TextEncoder().encode(type), 4);
    made.set(data, 8);
    let crc = 0xffffffff;
    for (const byte of made.subarray(4, 8 + data.byteLength)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    view.setUint32(8 + data.byteLength, (crc ^ 0xffffffff) >>> 0);
    return made;
  };
  return bytesOf(begin, part('IHDR', new Uint8Array(header)), part('IDAT', packed), whole.subarray(-12));
};
const header = (width: number, height: number, ...more: readonly number[]) => [
  ...[0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255],
  ...more,
];

describe('a picture that is whole', () => {
  it('tells its type and its size', async () => {
    expect(await wholePicture(bytesOf(png(7, 5)))).toEqual({ type: 'image/png', width: 7, height: 5 });
    const rows = new Uint8Array(5 * (1 + 3 * 6));
    const coloured = await pngFile({ width: 6, height: 5, rows });
    expect(await wholePicture(coloured)).toEqual({ type: 'image/png', width: 6, height: 5 });
    const jpeg = jpegFile(pixels(33, 17));
    expect(await wholePicture(jpeg)).toEqual({ type: 'image/jpeg', width: 33, height: 17 });
    // Interlaced: seven pictures of a pixel for each eight by eight, and more.
    const interlaced = pngOf(header(3, 3, 8, 0, 0, 0, 1), deflateSync(new Uint8Array(15)));
    expect(await wholePicture(interlaced)).toEqual({ type: 'image/png', width: 3, height: 3 });
  });
});

const whole = jpegFile(pixels(16, 16));
const picture = bytesOf(png(9, 9));
it.each<readonly [string, Uint8Array<ArrayBuffer>]>([
  ['nothing', new Uint8Array()],
  ['a page with the first bytes of a PNG', bytesOf(begin, new TextEncoder().encode('<script>alert(1)</script>'))],
  ['the first bytes of a JPEG', Uint8Array.of(0xff, 0xd8, 0xff)],
  ['the heads of a JPEG without pixels', bytesOf(headsAlone(4, 4))],
  ['a JPEG that was cut', whole.slice(0, -2)],
  ['a JPEG with a page behind it', bytesOf(whole, new TextEncoder().encode('<script>'))],
  ['a JPEG without pixels in its size', bytesOf(headsAlone(0, 4))],
  ['a PNG that was cut', picture.slice(0, -1)],
  ['a PNG with a page behind it', bytesOf(picture, new TextEncoder().encode('<script>'))],
  ['a PNG with a changed byte', picture.map((byte, at) => (at === 50 ? byte ^ 1 : byte))],
  ['a PNG whose pixels are fewer than it says', bytesOf(png(9, 9, { width: 9, height: 10 }))],
  ['a PNG whose pixels are more than it says', bytesOf(png(9, 9, { width: 9, height: 8 }))],
  ['a PNG that says gigabytes', bytesOf(png(9, 9, { width: 60_000, height: 60_000 }))],
  ['a PNG with bits that none has', pngOf(header(1, 1, 3, 0, 0, 0, 0), deflateSync(new Uint8Array(2)))],
  ['a PNG that unpacks to nothing', pngOf(header(1, 1, 8, 0, 0, 0, 0), new Uint8Array([1, 2, 3]))],
])('is not %s', async (_, bytes) => {
  expect(await wholePicture(bytes)).toMatch(/^Expected /);
});

const small = plainJpeg({ width: 8, height: 8 });
const [sides, chunks, segments] = [
  'Expected a picture of at most 16384 pixels a side, found ',
  'Expected a PNG of at most 5000 chunks',
  'Expected a JPEG of at most 5000 segments and tables',
];
it.each<readonly [string, string, () => Uint8Array<ArrayBuffer>]>([
  ['a PNG of one long row', `${sides}4200000 by 1`, () => plainPng({ width: 4_200_000, height: 1, bits: 16 })],
  ['a JPEG of one long column', `${sides}8 by 16385`, () => plainJpeg({ width: 8, height: 16_385 })],
  ['a PNG of empty chunks', chunks, () => plainPng({ width: 8, height: 8, filler: 'IDAT' })],
  ['a PNG of texts', chunks, () => plainPng({ width: 8, height: 8, filler: 'tEXt' })],
  ['a JPEG of empty segments', segments, () => jpegOfSegments(small)],
  ['a JPEG of tables without codes', segments, () => jpegOfTables(small)],
  ['a JPEG of tables of steps', segments, () => jpegOfSteps(small)],
])('attack: %s is refused with its bound', async (_, expected, make) => {
  expect(await wholePicture(make())).toBe(expected);
});

it('a picture at its bounds is taken', async () => {
  const [wide, parts] = [plainPng({ width: 16_384, height: 2 }), { width: 8, height: 8, filler: 'IDAT', count: 4_997 }];
  expect(await wholePicture(wide)).toMatchObject({ width: 16_384, height: 2 });
  expect(await wholePicture(plainPng(parts as never))).toMatchObject({ width: 8, height: 8 });
});

it('a header says the size of a picture that may be drawn', () => {
  const sizes = [picture, small, whole, samples.progressive, samples.inks].map((bytes) => drawableSize(bytes));
  expect(sizes.map((size) => [size?.width, size?.height])).toEqual([
    [9, 9],
    [8, 8],
    [16, 16],
    [37, 29],
    [19, 21],
  ]);
  for (const bytes of [
    new Uint8Array(),
    picture.slice(0, 20),
    small.slice(0, 3),
    bytesOf(headsAlone(0, 4)),
    jpegOfSegments(small),
    plainPng({ width: 2_100, height: 2_100 }),
    plainPng({ width: 16_385, height: 1 }),
  ])
    expect(drawableSize(bytes)).toBeUndefined();
});

it('a picture that is not small is read on a thread, and one that takes too long is none', async () => {
  const away: number[] = [];
  let isSlow = false;
  const check = createPictureCheck(({ fails, tooSlow, by }) => async (sent) => {
    away.push((sent as { bytes: Uint8Array }).bytes.byteLength);
    expect(by(sent)).toBe('somebody');
    if (isSlow) throw fails(tooSlow);
    return (await wholePicture((sent as { bytes: Uint8Array<ArrayBuffer> }).bytes)) as never;
  });
  const large = plainJpeg({ width: 1_000, height: 1_000 });
  const outcomes = async () => Promise.all([picture, large].map((bytes) => check({ bytes, by: 'somebody' })));
  expect(await outcomes()).toMatchObject([{ width: 9 }, { width: 1_000 }]);
  isSlow = true;
  expect(await outcomes()).toMatchObject([{ width: 9 }, 'Expected a picture that is read within 10 seconds']);
  expect(away).toEqual([large.byteLength, large.byteLength]);
});
