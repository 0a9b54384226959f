export interface Extent {
  readonly count: number;
  readonly columns: number;
  readonly rowHeight: number;
}

/** Rows that are drawn: those in sight, and some above and below. `to` is not drawn. */
export function rowsInView({ count, columns, rowHeight }: Extent, top: number, height: number, more = 2) {
  const rows = Math.ceil(count / columns);
  const from = Math.max(0, Math.floor(top / rowHeight) - more);
  return { from: Math.min(from, rows), to: Math.min(rows, Math.ceil((top + height) / rowHeight) + more) };
}

/** Columns of at least this width. */
export const columnsIn = (width: number, least: number): number => Math.max(1, Math.floor(width / least));

/** Index that a key leads to. Undefined: the key is none of the grid. */
export function moved(key: string, index: number, { count, columns, rowHeight }: Extent, height: number, rtl = false) {
  const page = Math.max(1, Math.floor(height / rowHeight)) * columns;
  const side = rtl ? -1 : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: index + side,
    ArrowLeft: index - side,
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  if (next === undefined || count === 0) return undefined;
  // Below the last row and above the first the column stays.
  if ((key === 'ArrowDown' || key === 'ArrowUp') && (next < 0 || next >= count)) {
    const isShorter = key === 'ArrowDown' && Math.floor(index / columns) < Math.floor((count - 1) / columns);
    return isShorter ? count - 1 : index;
  }
  return Math.min(count - 1, Math.max(0, next));
}

/** How far the list scrolls so that a row is seen. */
export function scrollFor(row: number, { rowHeight }: Pick<Extent, 'rowHeight'>, top: number, height: number): number {
  if (row * rowHeight < top) return row * rowHeight;
  return Math.max(top, (row + 1) * rowHeight - height);
}
