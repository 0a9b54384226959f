/** A piece of staged bytes, kept as an object of its own. */
export interface Fragment {
  /** Name below the folder of the token. */
  readonly name: string;
  /** Offset in the file. */
  readonly from: number;
  readonly length: number;
}

/** Part of a fragment, with its position in the file. */
export interface Segment {
  readonly fragment: Fragment;
  /** Start in the file. */
  readonly from: number;
  readonly end: number;
}

/** Name of a fragment. `order` tells which of two fragments with the same bytes came later. */
export const fragmentName = (from: number, length: number, order: string): string => `${from}-${length}-${order}`;

export function fragmentIn(name: string): Fragment | undefined {
  const [, from, length] = /^(\d{1,16})-(\d{1,16})-[0-9a-z]+$/.exec(name) ?? [];
  return from === undefined ? undefined : { name, from: Number(from), length: Number(length) };
}

const orderOf = ({ fragment: { name } }: Segment): string => name.slice(name.lastIndexOf('-') + 1);

/**
 * The bytes from `from` up to `end`, put together from fragments: where several have a byte, the one that came last.
 * Undefined: there is a hole.
 */
export function segmentsBetween(fragments: readonly Fragment[], from: number, end: number): Segment[] | undefined {
  const cut = fragments
    .map((fragment) => ({
      fragment,
      from: Math.max(from, fragment.from),
      end: Math.min(end, fragment.from + fragment.length),
    }))
    .filter((segment) => segment.from < segment.end)
    .sort(byOffset);
  const isClean = cut.every((segment, index) => index === 0 || cut[index - 1]!.end <= segment.from);
  const segments = isClean ? cut : overlaid(cut);
  let at = from;
  for (const segment of segments) {
    if (segment.from !== at) return undefined;
    at = segment.end;
  }
  return at === end ? segments : undefined;
}

const byOffset = (one: Segment, other: Segment): number => one.from - other.from;

/** Removes overlaps, which arise if bytes were sent again after a crash. */
function overlaid(given: readonly Segment[]): Segment[] {
  let segments: Segment[] = [];
  for (const added of given.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))) {
    segments = segments.flatMap((segment) => around(segment, added));
    segments.push(added);
  }
  return segments.sort(byOffset);
}

/** Parts of a segment outside of a range. */
function around({ fragment, from, end }: Segment, range: { readonly from: number; readonly end: number }): Segment[] {
  return [
    { fragment, from, end: Math.min(end, range.from) },
    { fragment, from: Math.max(from, range.end), end },
  ].filter((part) => part.from < part.end);
}

export const isWholeFragment = ({ fragment, from, end }: Segment): boolean =>
  from === fragment.from && end - from === fragment.length;
