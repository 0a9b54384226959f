import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginningOf,
  bytesOfIntervals,
  type Interval,
  type Intervals,
  piecesOf,
  withInterval,
  withoutInterval,
} from '../../../src/storage/bytes/transfers/intervals.ts';
import { shareOfTries } from '../../support/long.ts';

const size = 40;
const interval = fc
  .tuple(fc.integer({ min: 0, max: size }), fc.integer({ min: 0, max: size }))
  .map(([a, b]): Interval => [Math.min(a, b), Math.max(a, b)]);

/** Each byte by itself: what the intervals stand for. */
const bytesOf = (intervals: Intervals): boolean[] =>
  Array.from({ length: size }, (_, at) => intervals.some(([from, end]) => from <= at && at < end));

const isNeat = (intervals: Intervals): boolean =>
  intervals.every(([from, end], index) => from < end && (index === 0 || intervals[index - 1]![1] < from));

type Step = readonly [adds: boolean, interval: Interval];
const steps = fc.array(fc.tuple(fc.boolean(), interval), { maxLength: 20 });

const resultOf = (list: readonly Step[]): Intervals =>
  list.reduce<Intervals>((all, [adds, one]) => (adds ? withInterval(all, one) : withoutInterval(all, one)), []);

describe('what a transfer has received', () => {
  it('is the bytes that came, whatever their order, sorted and without two that touch', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const model = Array.from({ length: size }, () => false);
        for (const [adds, [from, end]] of list) model.fill(adds, from, end);
        const intervals = resultOf(list);
        expect(bytesOf(intervals)).toEqual(model);
        expect(isNeat(intervals)).toBe(true);
        expect(bytesOfIntervals(intervals)).toBe(model.filter(Boolean).length);
        const gap = model.indexOf(false);
        expect(beginningOf(intervals)).toBe(gap < 0 ? size : gap);
      }),
      { numRuns: shareOfTries(5, 500) },
    );
  });

  it('cuts a part so that its pieces follow each other, each there or missing', () => {
    fc.assert(
      fc.property(steps, interval, (list, part) => {
        const intervals = resultOf(list);
        const there = bytesOf(intervals);
        const pieces = piecesOf(intervals, part);
        let at = part[0];
        for (const piece of pieces) {
          expect(piece.from).toBe(at);
          expect(piece.end).toBeGreaterThan(piece.from);
          for (let byte = piece.from; byte < piece.end; byte++) expect(there[byte]).toBe(piece.there);
          at = piece.end;
        }
        expect(at).toBe(part[1]);
      }),
      { numRuns: shareOfTries(5, 500) },
    );
  });
});
