import { runInSlices } from '../../core/lib/turn.ts';
import type { Pixels } from '../../production/transcoding/public-reading.ts';
import { readPixels } from './pixels.ts';
import type { Box } from './sheet-layout.ts';

/** Red, green, blue and how much of it is seen, each from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

export function emptyPixels(width: number, height: number, colour: Colour): Pixels {
  const data = new Uint8Array(width * height * 4);
  data.set(colour);
  // Each copy doubles what is filled.
  for (let filled = 4; filled < data.byteLength; filled *= 2) data.copyWithin(filled, 0, filled);
  return { width, height, data };
}

/** The size of a picture in a box, with its proportions. A small picture keeps its size. */
export function fitted(of: Pick<Pixels, 'width' | 'height'>, into: Pick<Pixels, 'width' | 'height'>) {
  const scale = Math.min(1, into.width / of.width, into.height / of.height);
  return { width: Math.max(1, Math.round(of.width * scale)), height: Math.max(1, Math.round(of.height * scale)) };
}

/** Pixels that are looked at in one step. */
const step = 20_000;

/** Draws a picture into the middle of a box, row by row: each pixel is the mean of those that it stands for. */
export function* drawInto(sheet: Pixels, picture: Pixels, box: Box): Generator<number, void> {
  const { width, height } = fitted(picture, box);
  const [left, top] = [box.x + ((box.width - width) >> 1), box.y + ((box.height - height) >> 1)];
  const begins = (length: number, of: number) =>
    Int32Array.from({ length: length + 1 }, (_, at) => Math.floor((at * of) / length));
  const [columns, rows] = [begins(width, picture.width), begins(height, picture.height)];
  let work = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let [red, green, blue, alpha, count] = [0, 0, 0, 0, 0];
      for (let y = rows[row]!; y < rows[row + 1]!; y++) {
        // A small box has one pixel for millions.
        if (work > step) {
          yield work;
          work = 0;
        }
        work += 1 + columns[column + 1]! - columns[column]!;
        for (let x = columns[column]!; x < columns[column + 1]!; x++) {
          const at = (y * picture.width + x) * 4;
          const seen = picture.data[at + 3]!;
          red += picture.data[at]! * seen;
          green += picture.data[at + 1]! * seen;
          blue += picture.data[at + 2]! * seen;
          alpha += seen;
          count++;
        }
      }
      blend(sheet.data, ((top + row) * sheet.width + left + column) * 4, [red, green, blue, alpha / count], alpha);
    }
    work += width;
  }
  yield work;
}

/** Colours are sums, weighted by what is seen of them. */
export function blend(data: Uint8Array, at: number, [red, green, blue, seen]: Colour, weight: number): void {
  if (weight === 0) return;
  const behind = (data[at + 3]! * (255 - seen)) / 255;
  const all = seen + behind;
  const mixed = (sum: number, old: number) => Math.round(((sum / weight) * seen + old * behind) / all);
  data[at] = mixed(red, data[at]!);
  data[at + 1] = mixed(green, data[at + 1]!);
  data[at + 2] = mixed(blue, data[at + 2]!);
  data[at + 3] = Math.round(all);
}

/** A picture in the middle of a box. */
export interface TileTask {
  readonly picture: Uint8Array<ArrayBuffer>;
  readonly box: Pick<Box, 'width' | 'height'>;
  readonly background: Colour;
}

/** Pixels of a whole box. Undefined: the picture cannot be read. */
export async function tileHere({ picture, box, background }: TileTask): Promise<Pixels | undefined> {
  const pixels = await readPixels(picture);
  if (!pixels) return undefined;
  const tile = emptyPixels(box.width, box.height, background);
  await runInSlices(drawInto(tile, pixels, { x: 0, y: 0, ...tile }));
  return tile;
}
