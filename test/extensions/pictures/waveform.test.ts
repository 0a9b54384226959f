import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { drawWaveform } from '../../../src/extensions/pictures/waveform.ts';
import type { WaveformStyle } from '../../../src/room/pictures.ts';

const none = {
  vertical: undefined,
  horizontal: undefined,
  verticalColour: [0, 0, 255],
  horizontalColour: [0, 255, 0],
} as const;
const drawing: WaveformStyle = {
  ...{ width: 40, height: 21, least: -1, max: 1, isMirrored: true, start: 0, end: 4 },
  background: [0, 0, 0],
  foreground: [255, 128, 0],
  grids: [{ ...none, horizontal: 0.5, vertical: 2 }],
};

/** Size and colours of a PNG with a colour table. */
function pictureOf(bytes: Uint8Array) {
  const view = Buffer.from(bytes);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < view.length; at += view.readUInt32BE(at) + 12) {
    chunks.set(view.toString('latin1', at + 4, at + 8), view.subarray(at + 8, at + 8 + view.readUInt32BE(at)));
  }
  const [width, height] = [chunks.get('IHDR')!.readUInt32BE(0), chunks.get('IHDR')!.readUInt32BE(4)];
  const rows = inflateSync(chunks.get('IDAT')!);
  const colour = (x: number, y: number) => {
    const at = 3 * rows[y * (width + 1) + 1 + x]!;
    return chunks.get('PLTE')!.toString('hex', at, at + 3);
  };
  return { width, height, colour };
}

const [black, orange, green, blue] = ['000000', 'ff8000', '00ff00', '0000ff'];

it('a waveform goes up and down from its middle, in front of lines', async () => {
  const { width, height, colour } = pictureOf(await drawWaveform(new Array<number>(40).fill(0.25), drawing));
  expect([width, height]).toEqual([40, 21]);
  expect([0, 3, 5, 8, 10, 12, 15].map((row) => colour(7, row))).toEqual([
    green,
    black,
    green,
    orange,
    orange,
    orange,
    green,
  ]);
  // A line for each two seconds of four: at both edges and in the middle.
  expect([0, 7, 20, 39].map((column) => colour(column, 3))).toEqual([blue, black, blue, blue]);
});

it('decibels stand on the lower edge, and lines that would be an area are left out', async () => {
  const close = { ...none, vertical: 0.01, horizontal: 1 };
  const shown = { ...drawing, least: -60, max: 0, isMirrored: false, grids: [close] };
  const { colour } = pictureOf(await drawWaveform(new Array<number>(40).fill(-30), shown));
  expect([0, 9, 10, 20].map((row) => colour(3, row))).toEqual([black, black, orange, orange]);
  const quiet = pictureOf(await drawWaveform(new Array<number>(40).fill(-100), shown));
  expect([quiet.colour(3, 19), quiet.colour(3, 20)]).toEqual([black, orange]);
});
