import type { Point } from './graph-layout.ts';

/** Letters of five by seven dots, from the blank to the tilde. Each row is a digit of base 32; some letters go on below the line. */
const letters = (
  '0000000 4444404 aa00000 aavavaa 4fke5u4 op248j3 cik8lid 4480000 2484842 8422248 04lel40 044v440 ' +
  '000004480 000e000 00000cc 12248g0 ehjlphe 4c4444e eh1248v v2421he 26aiv22 vgu11he 68guhhe v124888 ' +
  'ehhehhe ehhf12c 0cc0cc0 0cc0c48 248g842 00v0v00 8421248 eh12404 eh1dlle ehhvhhh uhhuhhu ehggghe ' +
  'sihhhis vgguggv vgguggg ehgnhhf hhhvhhh e44444e 72222ic hikokih ggggggv hrllhhh hhpljhh ehhhhhe ' +
  'uhhuggg ehhhlid uhhukih fgge11u v444444 hhhhhhe hhhhha4 hhhllla hha4ahh hhha444 v1248gv e88888e ' +
  'g884221 e22222e 4ah0000 000000v 8420000 00e1fhf ggmphhu 00egghe 11djhhf 00ehvge 698s888 00fhhhf1e ' +
  'ggmphhh 40c444e 2062222ic ggikoki c44444e 00qllhh 00mphhh 00ehhhe 00uhhhugg 00fhhhf11 00mpggg ' +
  '00fge1u 88s8896 00hhhjd 00hhha4 00hhlla 00ha4ah 00hhhhf1e 00v248v 6448446 4444444 c44244c 008l200'
).split(' ');

/** For all characters that the font has not. */
const unknown = 'vhhhhhv';

export const letterWidth = 5;
export const letterHeight = 9;

const first = 0x20;

const parsed = new Map<string, readonly number[]>();

/** The rows of a letter, from the top. In each row the highest of five bits is the dot on the left. */
export function letterOf(character: string): readonly number[] {
  const parsedRows = parsed.get(character);
  if (parsedRows) return parsedRows;
  const digits = letters[character.charCodeAt(0) - first];
  if (character.length > 1 || digits === undefined) return rowsOf(unknown);
  const rows = rowsOf(digits);
  parsed.set(character, rows);
  return rows;
}

const rowsOf = (digits: string): readonly number[] => Array.from(digits, (digit) => Number.parseInt(digit, 32));

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
