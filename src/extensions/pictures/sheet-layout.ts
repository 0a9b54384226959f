/** Where a picture is in another one. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A sheet of pictures: its size, and where each of them is. */
export interface Layout extends Size {
  readonly boxes: readonly Box[];
}

/** Pixels of a sheet: what a telephone still shows, and what is drawn in about a second. */
export const maxOfSheet = 4_000_000;

export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** As many columns and rows as make about a square. */
export function squareGrid(count: number, { width, height }: Size): Grid {
  const columns = Math.min(count, Math.max(1, Math.ceil(Math.sqrt((count * height) / width))));
  return { columns, rows: Math.ceil(count / columns) };
}

/** Boxes of one size side by side, each with a margin around it. */
export function layoutOf(
  count: number,
  { columns, rows }: Grid,
  tile: Size,
  margin: readonly [across: number, down: number] = [0, 0],
): Layout {
  const [width, height] = [tile.width + 2 * margin[0], tile.height + 2 * margin[1]];
  const boxes = Array.from({ length: count }, (_, at) => ({
    x: (at % columns) * width + margin[0],
    y: Math.floor(at / columns) * height + margin[1],
    width: tile.width,
    height: tile.height,
  }));
  return { width: columns * width, height: rows * height, boxes };
}

/** A sheet of pictures of one size, which are made smaller until the sheet has no more pixels than it may. */
export function sheetLayout(count: number, tile: Size): Layout {
  const grid = squareGrid(count, tile);
  const scale = Math.min(1, Math.sqrt(maxOfSheet / (grid.columns * grid.rows * tile.width * tile.height)));
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale));
  return layoutOf(count, grid, { width: scaled(tile.width), height: scaled(tile.height) });
}
