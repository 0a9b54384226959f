import { describe, expect, it } from 'vitest';
import { firstBoxes, firstTimeCode, isoHeader, timeCodeOf } from '../../../plugins/probers/iso-header.ts';
import { boxesIn } from '../../../src/core/lib/iso-boxes.ts';

const word = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const letters = (text: string) => [...new TextEncoder().encode(text)];
const box = (type: string, ...content: readonly number[][]): number[] => {
  const all = content.flat();
  return [...word(all.length + 8), ...letters(type), ...all];
};

/** A file whose first box holds the count of frames, at 8. */
function film(count: number, base: number, drops: boolean, places = box('stco', word(0), word(1), word(8))) {
  const entry = [...word(34), ...letters('tmcd'), ...new Array<number>(12).fill(0)];
  entry.push(...word(drops ? 1 : 0), ...word(30_000), ...word(1001), base, 0);
  const table = box('stbl', box('stsd', word(0), word(1), entry), places);
  const bytes = new Uint8Array([
    ...box('mdat', word(count)),
    ...box('moov', box('trak', box('mdia', box('minf', box('stbl')))), box('trak', box('mdia', box('minf', table)))),
  ]);
  return { size: bytes.length, read: async ({ from, end }: { from: number; end: number }) => bytes.slice(from, end) };
}

const read = async (source: ReturnType<typeof film>) =>
  firstTimeCode(source, await isoHeader(source, await firstBoxes(source, 8)));

describe('the first time code of a film', () => {
  it.each([
    [0, 25, false, '00:00:00:00'],
    [900_012, 25, false, '10:00:00:12'],
    [1799, 30, true, '00:00:59;29'],
    [1800, 30, true, '00:01:00;02'],
    [17_982, 30, true, '00:10:00;00'],
    [107_894, 30, true, '01:00:00;02'],
    [3600, 60, true, '00:01:00;04'],
    [25 * 86_400, 25, false, '00:00:00:00'],
  ])('of %d frames, %d a second, drops %s: %s', async (count, base, drops, text) => {
    expect(timeCodeOf(count, base, drops)).toBe(text);
    expect(await read(film(count, base, drops))).toBe(text);
  });

  it('is found by addresses of 64 bits', async () => {
    const far = box('co64', word(0), word(1), word(0), word(8));
    expect(await read(film(26, 25, false, far))).toBe('00:00:01:01');
  });

  it.each([
    ['an address behind the end', film(1, 25, false, box('stco', word(0), word(1), word(0xfffffff0)))],
    ['an address of more than a number holds', film(1, 25, false, box('co64', word(0), word(1), word(-1), word(-1)))],
    ['no address', film(1, 25, false, box('stco'))],
    ['no frames a second', film(1, 0, false)],
  ])('is none with %s', async (_what, source) => expect(await read(source)).toBeUndefined());
});

describe('boxes', () => {
  it('end with the first one that lies', async () => {
    const bytes = new Uint8Array([...box('ftyp', word(1)), ...word(4), ...letters('moov')]);
    const source = {
      size: bytes.length,
      read: async ({ from, end }: { from: number; end: number }) => bytes.slice(from, end),
    };
    expect((await firstBoxes(source, 8)).map(({ type }) => type)).toEqual(['ftyp']);
    const view = new DataView(new Uint8Array([...word(99), ...letters('free')]).buffer);
    expect(boxesIn(view, 0, 8)).toEqual([]);
  });
});
