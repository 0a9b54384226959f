/** Bytes from `from` up to `end`, without that one. */
export type Interval = readonly [from: number, end: number];

/** Sorted, and none touches another: what a transfer has received. */
export type Intervals = readonly Interval[];

/** Part of the bytes, present or missing. */
export interface BytePiece {
  readonly from: number;
  readonly end: number;
  readonly there: boolean;
}

/** Intervals in the row of a transfer. */
export const readIntervals = (text: string): Intervals => JSON.parse(text) as Intervals;

export function withInterval(intervals: Intervals, [from, end]: Interval): Intervals {
  if (from >= end) return intervals;
  const before = intervals.filter(([, otherEnd]) => otherEnd < from);
  const after = intervals.filter(([otherFrom]) => otherFrom > end);
  const touched = intervals.slice(before.length, intervals.length - after.length);
  const least = Math.min(from, ...touched.slice(0, 1).map(([first]) => first));
  const max = Math.max(end, ...touched.slice(-1).map(([, last]) => last));
  return [...before, [least, max], ...after];
}

export function withoutInterval(intervals: Intervals, [from, end]: Interval): Intervals {
  if (from >= end) return intervals;
  return intervals
    .flatMap(([otherFrom, otherEnd]): Interval[] => [
      [otherFrom, Math.min(otherEnd, from)],
      [Math.max(otherFrom, end), otherEnd],
    ])
    .filter(([otherFrom, otherEnd]) => otherFrom < otherEnd);
}

export const bytesOfIntervals = (intervals: Intervals): number =>
  intervals.reduce((sum, [from, end]) => sum + end - from, 0);

/** Bytes at the beginning without a gap. */
export const beginningOf = (intervals: Intervals): number => {
  const [first] = intervals;
  return first?.[0] === 0 ? first[1] : 0;
};

/** Cuts a part at the bounds of bytes that are present. */
export function piecesOf(intervals: Intervals, [from, end]: Interval): readonly BytePiece[] {
  const pieces: BytePiece[] = [];
  let at = from;
  for (const [otherFrom, otherEnd] of intervals) {
    if (otherEnd <= at) continue;
    if (otherFrom >= end || at >= end) break;
    if (otherFrom > at) pieces.push({ from: at, end: otherFrom, there: false });
    const begin = Math.max(at, otherFrom);
    at = Math.min(otherEnd, end);
    pieces.push({ from: begin, end: at, there: true });
  }
  if (at < end) pieces.push({ from: at, end, there: false });
  return pieces;
}
