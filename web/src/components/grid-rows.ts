/** Pixels of a height that grows with the size of texts. */
export const asText = (pixels: number): number =>
  (pixels * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / 14;

/** The shape of a list of equal rows, each with the same number of columns. */
export interface Rows {
  readonly count: number;
  readonly columns: number;
  readonly rowHeight: number;
}

/** Columns of tiles that are at least `tile` wide. Tiles share what is left of the width. */
export function columnsOf(width: number, tile: number, gap: number): number {
  return Math.max(1, Math.floor((width + gap) / (tile + gap)));
}

export function rowsOf({ count, columns }: Rows): number {
  return Math.ceil(count / columns);
}

/** The rows to draw: those in view, and `over` rows above and below. `last` is exclusive. */
export function windowOf(rows: Rows, top: number, height: number, over: number): { first: number; last: number } {
  const all = rowsOf(rows);
  const first = Math.min(Math.max(0, Math.floor(top / rows.rowHeight) - over), Math.max(0, all - 1));
  return { first, last: Math.min(all, Math.max(first, Math.ceil((top + height) / rows.rowHeight) + over)) };
}

/** The nearest scroll position that shows the whole row. */
export function topFor(row: number, rowHeight: number, top: number, height: number): number {
  const begin = row * rowHeight;
  if (begin < top || rowHeight > height) return begin;
  return begin + rowHeight > top + height ? begin + rowHeight - height : top;
}

/** The cell that a key moves to. `page` is the number of whole rows in view. `undefined`: the key moves nothing. */
export function targetIndex(key: string, from: number, rows: Rows, page: number): number | undefined {
  const { count, columns } = rows;
  if (count === 0) return undefined;
  const steps: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from - columns,
    ArrowDown: from + columns,
    PageUp: from - columns * Math.max(1, page),
    PageDown: from + columns * Math.max(1, page),
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  if (to === undefined) return undefined;
  if (to < 0) return key === 'ArrowUp' ? from : 0;
  if (to < count) return to;
  // A last row that is not full still takes the arrow from the full row above it.
  const below = Math.floor(from / columns) < rowsOf(rows) - 1;
  return key === 'ArrowDown' && !below ? from : count - 1;
}

/** Entries of different heights between two distances from the begin of their list. `last` is exclusive. */
export function spanOf(heights: readonly number[], top: number, bottom: number): { first: number; last: number } {
  let [at, first, last] = [0, heights.length, heights.length];
  for (const [index, height] of heights.entries()) {
    if (at + height > top) first = Math.min(first, index);
    if (at >= bottom) {
      last = index;
      break;
    }
    at += height;
  }
  return { first: Math.min(first, last), last };
}
