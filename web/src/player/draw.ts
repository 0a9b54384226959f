import type { ThumbnailSpriteSheetDocument } from 'portico/types';
import { peaks, secondsAt, type View } from './scale.ts';

export interface Sheet {
  readonly image: HTMLImageElement;
  readonly tiles: readonly Tile[];
}

export interface Tile {
  readonly from: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const tilesOf = ({ thumbnail = [] }: ThumbnailSpriteSheetDocument): readonly Tile[] =>
  thumbnail.map(({ timecode, x = 0, y = 0, width = 0, height = 0 }) => ({
    from: timecode ? (timecode.samples * timecode.timeBase.numerator) / timecode.timeBase.denominator : 0,
    ...{ x, y, width, height },
  }));

/** The picture that is nearest before a time. */
export const tileAt = (tiles: readonly Tile[], seconds: number): Tile | undefined =>
  tiles.findLast(({ from }) => from <= seconds + 0.001) ?? tiles[0];

/** A canvas with sharp pixels, empty. Undefined: it is not shown. */
function cleared(
  canvas: HTMLCanvasElement,
): { context: CanvasRenderingContext2D; width: number; height: number } | undefined {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return undefined;
  const scale = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  return { context, width, height };
}

export function drawStrip(canvas: HTMLCanvasElement, { image, tiles }: Sheet, view: View): void {
  const ready = cleared(canvas);
  const first = tiles[0];
  if (!ready || !first || first.height === 0) return;
  const { context, width, height } = ready;
  const each = (first.width * height) / first.height;
  for (let x = 0; x < width; x += each) {
    const tile = tileAt(tiles, secondsAt(view, (x + each / 2) / width));
    if (tile) context.drawImage(image, tile.x, tile.y, tile.width, tile.height, x, 0, each, height);
  }
}

/** The waveform in the colour of the canvas, louder as higher. Quiet sound is still seen. */
export function drawWave(
  canvas: HTMLCanvasElement,
  tracks: readonly (readonly number[])[],
  view: View,
  duration: number,
): void {
  const ready = cleared(canvas);
  if (!ready) return;
  const { context, width, height } = ready;
  context.fillStyle = getComputedStyle(canvas).color;
  const columns = Math.floor(width / 2);
  for (const [column, peak] of peaks(tracks, view, duration, columns).entries()) {
    const tall = Math.max(1, Math.sqrt(Math.min(1, peak)) * (height - 2));
    context.fillRect(column * 2, (height - tall) / 2, 1.5, tall);
  }
}
