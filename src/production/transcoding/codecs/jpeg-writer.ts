import { joined } from '../../../core/lib/bytes.ts';
import { zigzag } from './jpeg-scan.ts';

/** Quantisation of each frequency by ITU-T T.81, K.1, for medium quality. */
const brightness = [
  ...[16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56],
  ...[14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92],
  ...[49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
];
const colour = [
  ...[17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99],
  ...[47, 66, 99, 99, 99, 99, 99, 99, ...new Array<number>(32).fill(99)],
];

/** Quantisation steps for a quality from 50 to 100. */
const stepsFor = (quality: number): readonly [brightness: Uint8Array, colour: Uint8Array] => {
  const share = (200 - 2 * quality) / 100;
  const scaled = (steps: readonly number[]) =>
    Uint8Array.from(steps, (step) => Math.min(255, Math.max(1, Math.round(step * share))));
  return [scaled(brightness), scaled(colour)];
};

/** Share of each sample in each frequency, row by row. */
const shares = Float32Array.from({ length: 64 }, (_, at) => {
  const [frequency, sample] = [at >> 3, at & 7];
  return Math.cos(((2 * sample + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

const between = new Float32Array(64);

/** The frequencies of 8 by 8 samples, divided by their steps, in the order of writing. */
function frequencies(samples: Float32Array, steps: Uint8Array, into: Int16Array): void {
  for (let row = 0; row < 64; row += 8) {
    for (let frequency = 0; frequency < 8; frequency++) {
      let sum = 0;
      for (let sample = 0; sample < 8; sample++) sum += samples[row + sample]! * shares[frequency * 8 + sample]!;
      between[row + frequency] = sum;
    }
  }
  for (let place = 0; place < 64; place++) {
    const cell = zigzag[place]!;
    const [frequency, column] = [cell >> 3, cell & 7];
    let sum = 0;
    for (let sample = 0; sample < 8; sample++) sum += between[sample * 8 + column]! * shares[frequency * 8 + sample]!;
    into[place] = Math.round(sum / steps[cell]!);
  }
}

/** Codes of one table: by symbol, how many bits and which. */
interface HuffmanTable {
  /** Number of codes with 1 to 16 bits. */
  readonly counts: Uint8Array;
  /** The symbols in the order of their codes. */
  readonly symbols: Uint8Array;
  readonly lengths: Uint8Array;
  readonly codes: Uint16Array;
}

const bytesOf = (...hex: readonly string[]): Uint8Array =>
  Uint8Array.from(hex.join('').match(/../g)!, (byte) => Number.parseInt(byte, 16));

function huffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const table = { counts, symbols, lengths: new Uint8Array(256), codes: new Uint16Array(256) };
  let [code, at] = [0, 0];
  for (let bits = 1; bits <= counts.length; bits++) {
    for (let left = counts[bits - 1]!; left > 0; left--) {
      table.lengths[symbols[at]!] = bits;
      table.codes[symbols[at++]!] = code++;
    }
    code <<= 1;
  }
  return table;
}

const firstValues = bytesOf('000102030405060708090a0b');

/**
 * Typical tables of ITU-T T.81, K.3: brightness and colours, each for first values and for others. Tables of the
 * picture itself would save about six percent of the bytes, and need a second pass over all blocks.
 */
export const typicalTables: readonly HuffmanTable[] = [
  huffmanTable(bytesOf('00010501010101010100000000000000'), firstValues),
  huffmanTable(
    bytesOf('0002010303020403050504040000017d'),
    bytesOf(
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637',
      '38393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3',
      'a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
    ),
  ),
  huffmanTable(bytesOf('00030101010101010101010000000000'), firstValues),
  huffmanTable(
    bytesOf('00020102040403040705040400010277'),
    bytesOf(
      '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a3536',
      '3738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999a',
      'a2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
    ),
  ),
];

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
