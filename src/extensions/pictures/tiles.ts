import { drawableSize } from '../../production/transcoding/public-reading.ts';
import type { Pictures } from '../../room/pictures.ts';
import type { DrawSheet } from './sheet-drawing.ts';
import { layoutOf, sheetLayout, squareGrid } from './sheet-layout.ts';

export const black = [0, 0, 0, 255] as const;
/** The box of thumbnails where the first one cannot be read. */
export const defaultTile = { width: 320, height: 180 };

/** Sheets of tiles for other extensions. */
export const tilesBy = (draw: DrawSheet): Pick<Pictures, 'grid' | 'sheet'> => ({
  async grid(count, first) {
    const size = (first && drawableSize(first)) ?? defaultTile;
    const { width, height } = sheetLayout(count, size).boxes[0]!;
    return { ...squareGrid(count, size), width, height };
  },
  sheet({ name, grid, count, open }, caller) {
    const { width, height, boxes } = layoutOf(grid.columns * grid.rows, grid, grid);
    const layout = async () => ({ width, height, boxes: boxes.slice(0, count) });
    return draw({ name, layout, background: black, type: 'image/jpeg', open }, caller);
  },
});
