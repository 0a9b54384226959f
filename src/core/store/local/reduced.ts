import { inByteOrder } from '../../lib/bytes.ts';
import type { Distinct, Reduced, Row, Tally } from '../contract.ts';

/** Numbers that lie so far from each other are sorted: a mark for each that there could be would take too much. */
const marksForOne = 100;

/** Distinct numbers of a JSON array: their number, a page of them as JSON, and the length of the page. */
export function dedupedPage([row]: readonly Row[], { from, below, before, limit, offset, atMost }: Distinct): Row[] {
  const serials = JSON.parse(String(row?.[0] ?? '[]')) as readonly number[];
  if (serials.length > atMost) return [];
  const numbers = distinctNumbers(serials, from, below);
  const first = numbers.findIndex((number) => number < before);
  const page = first < 0 ? [] : numbers.slice(first + offset, first + offset + limit);
  return [[numbers.length, JSON.stringify(page), page.length]];
}

/** The highest first. */
export function distinctNumbers(serials: readonly number[], from: number, below: number): readonly number[] {
  let [lowest, highest] = [Number.MAX_SAFE_INTEGER, -1];
  const numbers = new Float64Array(serials.length);
  let length = 0;
  for (let at = 0; at < serials.length; at++) {
    const number = Math.abs(serials[at]!);
    if (number < from || number >= below) continue;
    numbers[length++] = number;
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  if (length === 0) return [];
  const some = numbers.subarray(0, length);
  return highest - lowest < length * marksForOne ? marked(some, lowest, highest) : sorted(some);
}

function marked(numbers: Float64Array, lowest: number, highest: number): readonly number[] {
  const marks = new Uint8Array(highest - lowest + 1);
  for (let at = 0; at < numbers.length; at++) marks[numbers[at]! - lowest] = 1;
  const descending: number[] = [];
  for (let at = marks.length - 1; at >= 0; at--) if (marks[at] === 1) descending.push(at + lowest);
  return descending;
}

function sorted(numbers: Float64Array): readonly number[] {
  numbers.sort();
  const descending: number[] = [];
  for (let at = numbers.length - 1; at >= 0; at--) if (numbers[at] !== descending.at(-1)) descending.push(numbers[at]!);
  return descending;
}

/** Distinct texts of a JSON array with their frequency, the most frequent first. */
export function tallied([row]: readonly Row[], { least, max, atMost }: Tally): Row[] {
  const texts = JSON.parse(String(row?.[0] ?? '[]')) as readonly (string | null)[];
  if (texts.length > atMost) return [];
  const counts = new Map<string, number>();
  for (const text of texts) {
    if (text === null) return [];
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count >= least);
  const sorted = frequent.sort(([one, many], [other, more]) => more - many || inByteOrder(one, other));
  return sorted.slice(0, max);
}

/** Reduces the JSON array on the reader thread. */
export const reduced = (rows: readonly Row[], how: Reduced): Row[] =>
  'least' in how ? tallied(rows, how) : dedupedPage(rows, how);
