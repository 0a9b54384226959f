import { describe, expect, it } from 'vitest';
import { joined } from '../../../src/core/lib/bytes.ts';
import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import { wholePicture } from '../../../src/production/transcoding/codecs/whole-picture.ts';
import { plainJpeg, samples } from './jpeg-samples.ts';

const { progressive, inks } = samples;
const noisy = jpegFile({
  width: 64,
  height: 48,
  data: Uint8Array.from({ length: 4 * 64 * 48 }, (_, at) => (at * 89 + (at >> 7) * 31) & 255),
});
const withOnes = joined([noisy.subarray(0, -2), Uint8Array.of(0xff, 0, 0xff, 0xd9)]);
const restarting = plainJpeg({ width: 100, height: 100, components: 3, interval: 13 });
const end = [0xff, 0xd9];

const indexOf = (bytes: Uint8Array, ...wanted: readonly number[]): number =>
  Buffer.from(bytes).indexOf(Uint8Array.from(wanted));
/** Where the pixels of the first scan begin. */
const pixelsOf = (bytes: Uint8Array): number => {
  const at = indexOf(bytes, 0xff, 0xda);
  return at + 2 + bytes[at + 3]!;
};
const without = (bytes: Uint8Array, at: number, count: number) =>
  joined([bytes.subarray(0, at), bytes.subarray(at + count)]);
const changed = (bytes: Uint8Array, at: number, byte: number) =>
  joined([bytes.subarray(0, at), [byte], bytes.subarray(at + 1)].map((each) => Uint8Array.from(each)));

describe('a JPEG that is whole', () => {
  it.each<readonly [string, Uint8Array<ArrayBuffer>, number, number]>([
    ['of one scan', noisy, 64, 48],
    ['of progressive scans', progressive, 37, 29],
    ['of four inks', inks, 19, 21],
    ['with marks to begin again', restarting, 100, 100],
    ['with a byte of ones behind its pixels, as jpeg-js writes', withOnes, 64, 48],
    ['of a pixel', plainJpeg({ width: 1, height: 1 }), 1, 1],
  ])('is taken: %s', async (_, bytes, width, height) => {
    expect(await wholePicture(bytes)).toEqual({ type: 'image/jpeg', width, height });
  });

  it('of sixteen megapixels gives the loop back all the time', async () => {
    const bytes = plainJpeg({ width: 4000, height: 4000, components: 3 });
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect(await wholePicture(bytes)).toMatchObject({ width: 4000, height: 4000 });
    isOver = true;
    // 750,000 blocks of three codes and bits each.
    expect(turns).toBeGreaterThan(40);
  });
});

const cutAt = (bytes: Uint8Array, share: number) => {
  const from = pixelsOf(bytes);
  return joined([bytes.subarray(0, from + Math.floor((bytes.byteLength - from) * share)), Uint8Array.from(end)]);
};

describe('attack: a JPEG is refused', () => {
  const mark = indexOf(restarting, 0xff, 0xd3);
  const secondScan = indexOf(progressive.subarray(pixelsOf(progressive)), 0xff, 0xda);
  it.each<readonly [string, Uint8Array<ArrayBuffer>]>([
    ['whose scan was cut, with an end behind it', cutAt(noisy, 0.5)],
    ['whose scan lacks its last byte', without(noisy, noisy.byteLength - 3, 1)],
    ['whose progressive scan was cut', cutAt(progressive, 0.98)],
    ['whose picture in inks was cut', cutAt(inks, 0.6)],
    ['whose scan has more bytes than blocks', joined([noisy.subarray(0, -2), Uint8Array.of(0x12, ...end)])],
    ['whose scan has two bytes of ones', joined([withOnes.subarray(0, -2), Uint8Array.of(0xff, 0, ...end)])],
    ['that lacks a mark to begin again', without(restarting, mark, 2)],
    ['that lacks what is between two marks', without(restarting, mark, 2 + Math.ceil((13 * 6) / 8))],
    ['whose marks are in another order', changed(restarting, mark + 1, 0xd5)],
    ['whose scan has one colour of three', plainJpeg({ width: 20, height: 20, components: 3, scanned: 1 })],
    [
      'whose scan of corrections names values that no scan began',
      changed(progressive, pixelsOf(progressive) + secondScan + 2 + 3 + 2 + 2 + 1, 0x21),
    ],
    [
      'whose codes are in no table',
      without(
        noisy,
        indexOf(noisy, 0xff, 0xc4),
        2 + noisy[indexOf(noisy, 0xff, 0xc4) + 2]! * 256 + noisy[indexOf(noisy, 0xff, 0xc4) + 3]!,
      ),
    ],
    [
      'that says gigabytes',
      changed(changed(noisy, indexOf(noisy, 0xff, 0xc0) + 5, 0xff), indexOf(noisy, 0xff, 0xc0) + 7, 0xff),
    ],
    [
      'with scans without end',
      joined([
        progressive.subarray(0, -2),
        ...Array.from({ length: 101 }, () => lastScan(progressive)),
        Uint8Array.from(end),
      ]),
    ],
  ])('%s', async (_, bytes) => {
    expect(await wholePicture(bytes)).toMatch(/^Expected a (JPEG|picture) /);
  });

  // Other changes make other values of as many bits: nobody can tell these.
  it.each([
    ['one scan', noisy, 16, 0.3],
    ['progressive scans', progressive, 1, 0.7],
  ] as const)(
    'whose changed byte moves the bits behind it, among changed bytes of %s',
    async (_, bytes, step, share) => {
      const from = pixelsOf(bytes);
      let [refused, all] = [0, 0];
      for (let at = from; at < bytes.byteLength - 2; at += step, all++) {
        if (typeof (await wholePicture(changed(bytes, at, bytes[at]! ^ 0x55))) === 'string') refused++;
      }
      expect(refused / all).toBeGreaterThan(share);
    },
  );
});

function lastScan(bytes: Uint8Array): Uint8Array {
  let at = bytes.byteLength;
  while (bytes[at] !== 0xff || bytes[at + 1] !== 0xda) at--;
  return bytes.subarray(at, -2);
}
