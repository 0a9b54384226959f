import { expect, it } from 'vitest';
import { runInSlices } from '../../../src/core/lib/turn.ts';
import { drawInto, emptyPixels, fitted } from '../../../src/extensions/pictures/canvas.ts';
import { readPixels, writePixels } from '../../../src/extensions/pictures/pixels.ts';
import { samples } from '../../production/transcoding/jpeg-samples.ts';

/** Colours that run over a picture, and are seen more and more downwards. */
function slope(width: number, height: number, isSeen = true) {
  const data = new Uint8Array(width * height * 4);
  for (let line = 0; line < height; line++) {
    for (let column = 0; column < width; column++) {
      const alpha = isSeen ? 255 : Math.round((255 * line) / height);
      data.set([(255 * column) / width, (255 * line) / height, 128, alpha], (line * width + column) * 4);
    }
  }
  return { width, height, data };
}

const furthest = (one: Uint8Array, other: Uint8Array): number =>
  one.reduce((max, value, at) => Math.max(max, Math.abs(value - other[at]!)), 0);

it.each([
  [1, 1],
  [8, 8],
  [37, 29],
  [320, 180],
])('a JPEG of %i by %i pixels has the pixels that it was written from', async (width, height) => {
  const pixels = slope(width, height);
  const found = await readPixels(await writePixels(pixels, 'image/jpeg'));
  expect([found?.width, found?.height]).toEqual([width, height]);
  expect(furthest(found!.data, pixels.data)).toBeLessThan(8);
});

it('a PNG has exactly the pixels that it was written from, with their opacity', async () => {
  const pixels = slope(37, 29, false);
  expect(await readPixels(await writePixels(pixels, 'image/png'))).toEqual(pixels);
});

it('a progressive JPEG of shared colours is read', async () => {
  const found = await readPixels(samples.progressive);
  expect([found?.width, found?.height]).toEqual([37, 29]);
  const meanOf = ([left, top, right, bottom]: readonly [number, number, number, number]) => {
    const sums = [0, 0, 0];
    for (let line = top; line < bottom; line++) {
      for (let column = left; column < right; column++) {
        for (let part = 0; part < 3; part++) sums[part]! += found!.data[(line * 37 + column) * 4 + part]!;
      }
    }
    return sums.map((sum) => sum / ((right - left) * (bottom - top)));
  };
  // As FFmpeg reads the values of brightness and colours.
  for (const [box, mean] of [
    [
      [0, 0, 16, 16],
      [63, 81, 101],
    ],
    [
      [16, 0, 32, 16],
      [126, 146, 150],
    ],
    [
      [0, 16, 16, 29],
      [95, 151, 135],
    ],
    [
      [16, 16, 37, 29],
      [167, 109, 87],
    ],
  ] as const) {
    expect(furthest(Uint8Array.from(meanOf(box)), Uint8Array.from(mean))).toBeLessThan(3);
  }
});

it('broken, cut and huge pictures have no pixels, and do no harm', async () => {
  const jpeg = await writePixels(slope(64, 64), 'image/jpeg');
  const png = await writePixels(slope(64, 64), 'image/png');
  for (const whole of [jpeg, png]) {
    for (let length = 0; length < whole.byteLength; length += 37)
      expect(await readPixels(whole.slice(0, length))).toBeUndefined();
    let state = 7;
    for (let round = 0; round < 200; round++) {
      const broken = whole.slice();
      for (let flips = 0; flips < 5; flips++) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        broken[state % broken.byteLength] = state >>> 16;
      }
      const found = await readPixels(broken);
      if (found) expect(found.data.byteLength).toBe(found.width * found.height * 4);
    }
  }
  const huge = jpeg.slice();
  const size = huge.findIndex((byte, at) => byte === 0xff && huge[at + 1] === 0xc0) + 5;
  huge.set([0xff, 0xff, 0xff, 0xff], size);
  expect(await readPixels(huge)).toBeUndefined();
  expect(await readPixels(new TextEncoder().encode('<svg/>'))).toBeUndefined();
});

it('a picture is made smaller to the mean of its pixels, keeps its proportions, and is never made larger', async () => {
  expect(fitted({ width: 400, height: 100 }, { width: 100, height: 100 })).toEqual({ width: 100, height: 25 });
  expect(fitted({ width: 10, height: 20 }, { width: 100, height: 100 })).toEqual({ width: 10, height: 20 });
  const sheet = emptyPixels(4, 4, [0, 0, 0, 255]);
  const picture = {
    width: 2,
    height: 2,
    data: Uint8Array.from(
      [255, 255, 255, 255, 0, 0, 0, 255].flatMap((v) => [v]).concat([255, 255, 255, 255, 0, 0, 0, 255]),
    ),
  };
  await runInSlices(drawInto(sheet, picture, { x: 1, y: 1, width: 1, height: 1 }));
  expect([...sheet.data.subarray(20, 24)]).toEqual([128, 128, 128, 255]);
  expect([...sheet.data.subarray(24, 28)]).toEqual([0, 0, 0, 255]);
  const clear = emptyPixels(1, 1, [0, 0, 0, 0]);
  const seenThrough = { width: 1, height: 1, data: Uint8Array.of(10, 20, 30, 100) };
  await runInSlices(drawInto(clear, seenThrough, { x: 0, y: 0, width: 1, height: 1 }));
  expect([...clear.data]).toEqual([10, 20, 30, 100]);
});
