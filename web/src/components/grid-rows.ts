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

/** Rows above and below those in view: one is enough for a turn of the wheel between two frames. */
const over = 1;

/** The rows to draw: those in view, some around them, and those that come next. `last` is exclusive. */
export function windowOf(rows: Rows, top: number, height: number, ahead = 0): { first: number; last: number } {
  const all = rowsOf(rows);
  const before = Math.max(over, -ahead);
  const first = Math.min(Math.max(0, Math.floor(top / rows.rowHeight) - before), Math.max(0, all - 1));
  const last = Math.ceil((top + height) / rows.rowHeight) + Math.max(over, ahead);
  return { first, last: Math.min(all, Math.max(first, last)) };
}

/** Milliseconds of scrolling that are drawn before they are seen. */
const aheadMs = 150;

/** Rows that come next at a speed in pixels a millisecond: negative above, and fewer than are in view. */
export function rowsAhead(speed: number, rowHeight: number, height: number): number {
  const max = Math.max(0, Math.floor(height / rowHeight) - 1);
  return Math.max(-max, Math.min(max, Math.round((speed * aheadMs) / rowHeight)));
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
