import { joined } from '../joined.ts';
import { frequencies, stepsFor, zigzag } from './blocks.ts';
import { type HuffmanTable, huffmanTable } from './huffman.ts';

/** Red, green, blue and nothing, a byte each, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A run of sixteen zeros, and the end of a block. */
const [zeros, end] = [0xf0, 0];

/** A baseline JPEG with all of its colours. `quality`: from 50 to 100. */
export function jpegFile(pixels: Pixels, quality = 82): Uint8Array<ArrayBuffer> {
  const steps = jpegSteps(pixels, quality);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps, for large pictures. It yields the pixels of each step. */
export function* jpegSteps(pixels: Pixels, quality = 82): Generator<number, Uint8Array<ArrayBuffer>> {
  const steps = stepsFor(quality);
  const blocks = yield* blocksOf(pixels, steps);
  // Two kinds of blocks, of brightness and colour. Each has a table for its first values, and one for the others.
  const seen = [0, 1, 2, 3].map(() => new Array<number>(256).fill(0));
  eachSymbol(blocks, (table, symbol) => void seen[table]![symbol]!++);
  yield pixels.width * pixels.height;
  const tables = seen.map(huffmanTable);
  const bits = new Bits(blocks.length);
  eachSymbol(blocks, (table, symbol, size, value) => {
    bits.add(tables[table]!.codes[symbol]!, tables[table]!.lengths[symbol]!);
    if (size > 0) bits.add(value, size);
  });
  return joined([headOf(pixels, steps, tables), bits.end(), Uint8Array.of(0xff, 0xd9)]);
}

/** All blocks: one of brightness and two of colours, for each 8 by 8 pixels. Edge pixels are repeated. */
function* blocksOf({ width, height, data }: Pixels, steps: ReturnType<typeof stepsFor>): Generator<number, Int16Array> {
  const [columns, rows] = [Math.ceil(width / 8), Math.ceil(height / 8)];
  const blocks = new Int16Array(columns * rows * 3 * 64);
  const [y, blue, red] = [new Float32Array(64), new Float32Array(64), new Float32Array(64)];
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let cell = 0; cell < 64; cell++) {
        const line = Math.min(row * 8 + (cell >> 3), height - 1);
        const pixel = (line * width + Math.min(column * 8 + (cell & 7), width - 1)) * 4;
        const [r, g, b] = [data[pixel]!, data[pixel + 1]!, data[pixel + 2]!];
        y[cell] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
        blue[cell] = -0.168736 * r - 0.331264 * g + 0.5 * b;
        red[cell] = 0.5 * r - 0.418688 * g - 0.081312 * b;
      }
      frequencies(y, steps[0], blocks, at);
      frequencies(blue, steps[1], blocks, at + 64);
      frequencies(red, steps[1], blocks, at + 128);
      at += 192;
    }
    yield width * 8;
  }
  return blocks;
}

type Each = (table: number, symbol: number, size: number, value: number) => void;

/** Calls back for all output in order: a symbol of a table, and its following bits. */
function eachSymbol(blocks: Int16Array, each: Each): void {
  const before = [0, 0, 0];
  for (let at = 0, part = 0; at < blocks.length; at += 64, part = (part + 1) % 3) {
    const kind = part === 0 ? 0 : 2;
    const first = blocks[at]!;
    const difference = first - before[part]!;
    before[part] = first;
    tell(each, kind, 0, difference);
    let run = 0;
    for (let place = 1; place < 64; place++) {
      const value = blocks[at + place]!;
      if (value === 0) {
        run++;
        continue;
      }
      for (; run > 15; run -= 16) each(kind + 1, zeros, 0, 0);
      tell(each, kind + 1, run << 4, value);
      run = 0;
    }
    if (run > 0) each(kind + 1, end, 0, 0);
  }
}

/** A value by the number of its bits. A negative one is written as its complement. */
function tell(each: Each, table: number, run: number, value: number): void {
  const size = 32 - Math.clz32(Math.abs(value));
  each(table, run | size, size, value < 0 ? value + (1 << size) - 1 : value);
}

/** Bits in a row. A zero follows each byte of ones alone: a decoder would take that for a marker. */
class Bits {
  #bytes: Uint8Array;
  #length = 0;
  #waiting = 0;
  #count = 0;

  constructor(likely: number) {
    this.#bytes = new Uint8Array(likely + 1024);
  }

  add(value: number, size: number): void {
    this.#waiting = (this.#waiting << size) | value;
    this.#count += size;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#push((this.#waiting >>> this.#count) & 255);
    }
    this.#waiting &= (1 << this.#count) - 1;
  }

  /** The rest of the last byte is ones. */
  end(): Uint8Array {
    if (this.#count > 0) this.add((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length + 2 > this.#bytes.byteLength) {
      const more = new Uint8Array(this.#bytes.byteLength * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes[this.#length++] = byte;
    if (byte === 0xff) this.#bytes[this.#length++] = 0;
  }
}

const segment = (marker: number, bytes: Iterable<number>): readonly number[] => {
  const body = [...bytes];
  const length = body.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...body];
};

function headOf({ width, height }: Pixels, steps: ReturnType<typeof stepsFor>, tables: readonly HuffmanTable[]) {
  const inOrder = (table: Uint8Array) => Array.from(zigzag, (cell) => table[cell]!);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  // The part, its samples for each pixel, and its table of steps.
  const parts = [1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1];
  const codes = ([0x00, 0x10, 0x01, 0x11] as const).flatMap((id, at) => [
    id,
    ...tables[at]!.counts,
    ...tables[at]!.symbols,
  ]);
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...inOrder(steps[0]), 1, ...inOrder(steps[1])]),
    ...segment(0xc0, [8, ...size, 3, ...parts]),
    ...segment(0xc4, codes),
    ...segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ]);
}
