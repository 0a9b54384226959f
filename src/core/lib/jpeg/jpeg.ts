import { joined } from '../joined.ts';
import { frequencies, stepsFor, zigzag } from './blocks.ts';
import { type HuffmanTable, typicalTables } from './huffman.ts';

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

/** Writes a large picture in steps of eight rows, and yields the pixels of each step. Edge pixels are repeated. */
export function* jpegSteps({ width, height, data }: Pixels, quality = 82): Generator<number, Uint8Array<ArrayBuffer>> {
  const steps = stepsFor(quality);
  // Brightness and two colours of 8 by 8 pixels.
  const samples = [new Float32Array(64), new Float32Array(64), new Float32Array(64)] as const;
  const [y, blue, red] = samples;
  const values = new Int16Array(64);
  const before = [0, 0, 0];
  const bits = new Bits(width * height);
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      for (let cell = 0; cell < 64; cell++) {
        const line = Math.min(top + (cell >> 3), height - 1);
        const pixel = (line * width + Math.min(left + (cell & 7), width - 1)) * 4;
        const [r, g, b] = [data[pixel]!, data[pixel + 1]!, data[pixel + 2]!];
        y[cell] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
        blue[cell] = -0.168736 * r - 0.331264 * g + 0.5 * b;
        red[cell] = 0.5 * r - 0.418688 * g - 0.081312 * b;
      }
      for (let part = 0; part < 3; part++) {
        const isColour = part > 0;
        frequencies(samples[part]!, steps[isColour ? 1 : 0], values);
        writeBlock(bits, values, before[part]!, isColour ? 2 : 0);
        before[part] = values[0]!;
      }
    }
    yield width * 8;
  }
  return joined([headOf({ width, height }, steps), bits.end(), Uint8Array.of(0xff, 0xd9)]);
}

/** Writes the first value as its distance from the one before, and runs of zeros with the others. */
function writeBlock(bits: Bits, values: Int16Array, before: number, kind: 0 | 2): void {
  const [first, others] = [typicalTables[kind]!, typicalTables[kind + 1]!];
  writeValue(bits, first, 0, values[0]! - before);
  let run = 0;
  for (let place = 1; place < 64; place++) {
    const value = values[place]!;
    if (value === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) bits.add(others.codes[zeros]!, others.lengths[zeros]!);
    writeValue(bits, others, run << 4, value);
    run = 0;
  }
  if (run > 0) bits.add(others.codes[end]!, others.lengths[end]!);
}

/** A value by the number of its bits. A negative one is written as its complement. */
function writeValue(bits: Bits, { codes, lengths }: HuffmanTable, run: number, value: number): void {
  const size = 32 - Math.clz32(Math.abs(value));
  bits.add(codes[run | size]!, lengths[run | size]!);
  if (size > 0) bits.add(value < 0 ? value + (1 << size) - 1 : value, size);
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

function headOf({ width, height }: Omit<Pixels, 'data'>, steps: ReturnType<typeof stepsFor>) {
  const inOrder = (table: Uint8Array) => Array.from(zigzag, (cell) => table[cell]!);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  // The part, its samples for each pixel, and its table of steps.
  const parts = [1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1];
  const codes = ([0x00, 0x10, 0x01, 0x11] as const).flatMap((id, at) => [
    id,
    ...typicalTables[at]!.counts,
    ...typicalTables[at]!.symbols,
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
