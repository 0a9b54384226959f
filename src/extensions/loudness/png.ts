import { pngFile } from '../../lib/png.ts';

/** A colour of red, green and blue, each from 0 to 255. */
export type PaletteColour = readonly [number, number, number];

/** A picture of a few colours. `rows`: each row begins with a zero, and then has the number of a colour for each pixel. */
export const pngOf = (
  width: number,
  height: number,
  colours: readonly PaletteColour[],
  rows: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> => pngFile({ width, height, palette: Uint8Array.from(colours.flat()), rows });
