import { imageSize } from 'image-size';
import { expect, it } from 'vitest';
import { readJpeg } from '../../../src/extensions/pictures/jpeg-pixels.ts';
import { zigzag } from '../../../src/production/transcoding/codecs/jpeg-scan.ts';
import { jpegFile, jpegSteps, typicalTables } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';

// Decoding of such pictures by FFmpeg is tested by `npm run test:media`.

function noise(width: number, height: number) {
  const data = new Uint8Array(width * height * 4);
  let state = 7;
  for (let at = 0; at < data.length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    data[at] = state >>> 8;
  }
  return { width, height, data };
}

it.each([
  [1, 1],
  [8, 8],
  [17, 3],
  [320, 180],
])('a JPEG of %i by %i pixels says its size and ends as one', (width, height) => {
  const bytes = jpegFile(noise(width, height));
  expect(imageSize(bytes)).toMatchObject({ type: 'jpg', width, height });
  expect([...bytes.slice(-2)]).toEqual([0xff, 0xd9]);
});

it('no byte of the picture looks like a marker', () => {
  const bytes = jpegFile(noise(64, 64), 100);
  const begin = Buffer.from(bytes).indexOf(Uint8Array.from([0xff, 0xda])) + 14;
  const markers = [...bytes.subarray(begin, -2)].filter((byte, at, all) => byte === 0xff && all[at + 1] !== 0);
  expect(markers).toEqual([]);
});

it('a plain picture takes few bytes, and a finer one more', () => {
  const plain = { width: 320, height: 180, data: new Uint8Array(320 * 180 * 4).fill(90) };
  expect(jpegFile(plain).byteLength).toBeLessThan(3_000);
  expect(jpegFile(noise(64, 64), 95).byteLength).toBeGreaterThan(jpegFile(noise(64, 64), 60).byteLength);
});

it('frequencies are written from the corner to the corner', () => {
  expect([...zigzag.slice(0, 10)]).toEqual([0, 1, 8, 16, 9, 2, 3, 10, 17, 24]);
  expect([...zigzag.slice(-3)]).toEqual([55, 62, 63]);
  expect(new Set(zigzag).size).toBe(64);
});

it('codes are no beginnings of each other, have at most sixteen bits, and none is of ones alone', () => {
  for (const { lengths, codes, counts, symbols } of typicalTables) {
    expect(counts.reduce((sum, count) => sum + count)).toBe(symbols.length);
    expect(new Set(symbols).size).toBe(symbols.length);
    const texts = [...symbols].map((symbol) => codes[symbol]!.toString(2).padStart(lengths[symbol]!, '0'));
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(16);
      expect(text).toContain('0');
      expect(texts.filter((other) => other.startsWith(text))).toEqual([text]);
    }
  }
});

it('a large JPEG is written in many steps', () => {
  expect([...jpegSteps(noise(800, 800))]).toHaveLength(100);
});

it('a JPEG shows the colours that were written', async () => {
  const pixels = { width: 20, height: 11, data: new Uint8Array(20 * 11 * 4) };
  for (let at = 0; at < pixels.data.length; at += 4) pixels.data.set([200, 20 + (at % 80), 60, 255], at);
  const { data } = (await readJpeg(jpegFile(pixels, 100)))!;
  const largest = data.reduce((max, value, at) => Math.max(max, Math.abs(value - pixels.data[at]!)), 0);
  expect(largest).toBeLessThan(6);
});
