import { pngFile } from '../../production/transcoding/public-reading.ts';
import type { PaletteColour, WaveformStyle } from '../../room/pictures.ts';

/** A picture of a few colours. `rows`: each row begins with a zero, and then has the number of a colour for each pixel. */
const pngOf = (
  width: number,
  height: number,
  colours: readonly PaletteColour[],
  rows: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> => pngFile({ width, height, palette: Uint8Array.from(colours.flat()), rows });

/** Lines closer than two pixels would be an area. */
const closest = 2;

/** A waveform as a PNG. */
export function drawWaveform(values: readonly number[], style: WaveformStyle): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, least, max, isMirrored, start, end, background, foreground, grids } = style;
  const colours: PaletteColour[] = [background, foreground];
  const stride = width + 1;
  const rows = new Uint8Array(stride * height);
  const rowOf = (value: number): number =>
    Math.min(height - 1, Math.max(0, Math.round(((max - value) / (max - least)) * (height - 1))));

  for (const { vertical, horizontal, verticalColour, horizontalColour } of grids) {
    const [ofVertical, ofHorizontal] = [colours.push(verticalColour) - 1, colours.push(horizontalColour) - 1];
    for (const column of linesAt(vertical, start, end, width)) {
      for (let row = 0; row < height; row++) rows[row * stride + 1 + column] = ofVertical;
    }
    for (const line of linesAt(horizontal, least, max, height)) {
      const begin = (height - 1 - line) * stride + 1;
      rows.fill(ofHorizontal, begin, begin + width);
    }
  }
  for (const [column, value] of values.entries()) {
    const top = rowOf(value);
    const bottom = isMirrored ? rowOf(-value) : height - 1;
    for (let row = top; row <= bottom; row++) rows[row * stride + 1 + column] = 1;
  }
  return pngOf(width, height, colours, rows);
}

/** The pixels of the multiples of a distance between two values. */
function linesAt(distance: number | undefined, from: number, to: number, pixels: number): readonly number[] {
  if (distance === undefined || distance <= 0 || (distance / (to - from)) * pixels < closest) return [];
  const ticks: number[] = [];
  for (let at = Math.ceil(from / distance); at * distance <= to; at++) {
    ticks.push(Math.round(((at * distance - from) / (to - from)) * (pixels - 1)));
  }
  return ticks;
}
