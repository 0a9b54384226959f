import { expect, it } from 'vitest';
import {
  Cutter,
  fragmentIn,
  fragmentName,
  leastOf,
  pieceAt,
  pieceFor,
  type Segment,
  segmentsBetween,
} from '../../../plugins/storages/s3/pieces.ts';
import { uploadParts } from '../../../plugins/storages/s3/publish.ts';
import { InFlight } from '../../../plugins/storages/s3/upload-flow.ts';

const mebibyte = 1024 * 1024;
const fragment = (from: number, length: number, order = 'a') => fragmentIn(fragmentName(from, length, order), length)!;
const placed = (segments: readonly Segment[] | undefined) =>
  segments?.map(({ fragment: { name }, from, end }) => `${name}:${from}-${end}`);

it.each([
  ['one behind the other', [fragment(3, 2), fragment(0, 3)], ['0-3-a:0-3', '3-2-a:3-5']],
  ['a hole', [fragment(0, 2), fragment(3, 2)], undefined],
  ['an end too early', [fragment(0, 4)], undefined],
  ['bytes beyond the end', [fragment(0, 9)], ['0-9-a:0-5']],
  ['the later of two', [fragment(0, 5, 'b'), fragment(0, 5, 'a')], ['0-5-b:0-5']],
  ['a later one within', [fragment(0, 5, 'a'), fragment(1, 2, 'b')], ['0-5-a:0-1', '1-2-b:1-3', '0-5-a:3-5']],
])('fragments become a file: %s', (_what, fragments, expected) => {
  expect(placed(segmentsBetween(fragments, 0, 5))).toEqual(expected);
});

it.each(['', 'x', '1-2', '-1-2-a', '1-2-../a', '1-2-A', 'size-3', 'upload-1'])('the name %j is no fragment', (name) => {
  expect(fragmentIn(name, 1)).toBeUndefined();
});

it('no part but the last is too small, and an upload never has more than ten thousand', () => {
  const lengths = (segments: readonly Segment[], size: number) =>
    uploadParts(segments, size, 5 * mebibyte).map((part) =>
      ('copy' in part ? [part.copy] : part.read).reduce((sum, { from, end }) => sum + end - from, 0),
    );
  for (const [size, piece] of [
    [40 * mebibyte + 1, 3 * mebibyte],
    [40 * mebibyte + 1, 8 * mebibyte],
    [200_000 * mebibyte, 8 * mebibyte],
    [200_000 * mebibyte, pieceFor(200_000 * mebibyte)],
  ] as const) {
    const segments: Segment[] = [];
    for (let from = 0; from < size; from += piece) {
      const length = Math.min(piece, size - from);
      segments.push({ fragment: fragment(from, length), from, end: from + length });
    }
    const found = lengths(segments, size);
    expect(found.reduce((sum, length) => sum + length, 0)).toBe(size);
    expect(Math.min(...found.slice(0, -1))).toBeGreaterThanOrEqual(Math.max(5 * mebibyte, leastOf(size)));
    expect(found.length).toBeLessThanOrEqual(10_000);
  }
});

it('half a terabyte of unknown length fits', () => {
  let bytes = 0;
  for (let index = 0; index < 9_000; index++) bytes += pieceAt(index);
  expect(bytes).toBeGreaterThan(0.4 * 1024 ** 4);
});

it('chunks of any size are cut into pieces, each with its place', async () => {
  const pieces: (readonly [from: number, text: string])[] = [];
  const cutter = new Cutter(
    10,
    (index) => index + 2,
    async (piece, from) => void pieces.push([from, new TextDecoder().decode(piece)]),
  );
  for (const chunk of ['a', 'bcdefg', '', 'hi']) await cutter.add(new TextEncoder().encode(chunk));
  await cutter.end();
  await cutter.end();
  expect(pieces).toEqual([
    [10, 'ab'],
    [12, 'cde'],
    [15, 'fghi'],
  ]);
});

it('work in flight never has more bytes than fit, but for one that is larger alone', async () => {
  const running = new InFlight(10);
  const held: (() => void)[] = [];
  let [bytes, max] = [0, 0];
  const work = (size: number) => async () => {
    bytes += size;
    max = Math.max(max, bytes);
    await new Promise<void>((resolve) => held.push(resolve));
    bytes -= size;
  };
  const adding = (async () => {
    for (const size of [4, 4, 4, 25, 4]) await running.add(size, work(size));
    await running.ended();
  })();
  for (let turn = 0; turn < 100; turn++) {
    held.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await adding;
  expect(max).toBe(25);
});

it('the first failure in flight is told, and the others are waited for', async () => {
  const running = new InFlight(10);
  let ended = false;
  await running.add(1, async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    ended = true;
  });
  await running.add(1, async () => {
    throw new Error('first');
  });
  await expect(running.ended()).rejects.toThrow('first');
  expect(ended).toBe(true);
});
