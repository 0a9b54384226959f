import { letterOf, letterWidth } from './font.ts';
import type { Point } from './layout.ts';

/** The numbers of the colours. */
export const colour = { paper: 0, ink: 1, line: 2, box: 3, round: 4 } as const;
type Colour = (typeof colour)[keyof typeof colour];

/** Red, green and blue of each. */
export const palette = Uint8Array.from([
  ...[255, 255, 255],
  ...[32, 32, 40],
  ...[110, 116, 130],
  ...[233, 240, 250],
  ...[245, 243, 228],
]);

/** Pixels of a few colours. What is beyond the edges is left out. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  /** Rows in the format of PNG: each begins with a zero. */
  readonly rows: Uint8Array<ArrayBuffer>;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.rows = new Uint8Array((width + 1) * height);
  }

  dot(x: number, y: number, of: Colour): void {
    if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.rows[y * (this.width + 1) + 1 + x] = of;
  }

  /** Fills the pixels of a row, both ends included. */
  run(from: number, to: number, y: number, of: Colour): void {
    if (y < 0 || y >= this.height) return;
    const start = y * (this.width + 1) + 1;
    this.rows.fill(of, start + Math.max(from, 0), start + Math.min(to, this.width - 1) + 1);
  }

  line(from: Point, to: Point, of: Colour, dashed = false): void {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
    for (let step = 0; step <= steps; step++) {
      if (dashed && step % 10 >= 6) continue;
      const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
      const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
      this.dot(x, y, of);
    }
  }

  /** A shape that is given by how far its rows go to both sides of the middle. */
  shape(middle: Point, halfHeight: number, reach: (row: number) => number, fill: Colour, dashed: boolean): void {
    let before = reach(-halfHeight);
    for (let row = -halfHeight; row <= halfHeight; row++) {
      const half = Math.round(reach(row));
      const y = middle.y + row;
      this.run(middle.x - half, middle.x + half, y, fill);
      const isEnd = Math.abs(row) === halfHeight;
      // At flat parts of the outline the line is as long as the step from the row before.
      const inner = isEnd ? 0 : Math.min(half, before, Math.round(reach(row + Math.sign(row))) || half);
      before = half;
      if (dashed && !isEnd && (row + halfHeight) % 8 >= 5) continue;
      for (const side of [-1, 1]) {
        for (let x = isEnd ? 0 : inner; x <= half; x++) {
          if (!(dashed && isEnd && x % 10 >= 6)) this.dot(middle.x + side * x, y, colour.ink);
        }
      }
    }
  }

  /** `at`: the upper left corner. */
  text(text: string, at: Point, scale: number, of: Colour): void {
    let left = at.x;
    for (const character of text) {
      for (const [row, bits] of letterOf(character).entries()) {
        for (let column = 0; column < letterWidth; column++) {
          if (((bits >> (letterWidth - 1 - column)) & 1) === 0) continue;
          const x = left + column * scale;
          for (let line = 0; line < scale; line++) this.run(x, x + scale - 1, at.y + row * scale + line, of);
        }
      }
      left += (letterWidth + 1) * scale;
    }
  }
}
