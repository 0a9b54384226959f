import { runInSlices } from '../../core/lib/turn.ts';
import { type JpegValues, type Pixels, readJpegValues } from '../../production/transcoding/public-reading.ts';

/** How the steps of values are scaled ahead of `inverse`, by the method of Arai, Agui and Nakajima. */
const inverseScale = scaleOf();

function scaleOf(): Float32Array {
  const factors = Array.from({ length: 8 }, (_, at) => (at === 0 ? 1 : Math.cos((at * Math.PI) / 16) * Math.SQRT2));
  return Float32Array.from({ length: 64 }, (_, cell) => (factors[cell >> 3]! * factors[cell & 7]!) / 8);
}

const [half, wide, narrow, widest] = [1.414213562, 1.847759065, 1.0823922, 2.61312593];
const block = new Float32Array(64);

/** Eight values at a distance become samples. */
function eight(at: number, step: number): void {
  const [a, b, c, d] = [block[at]!, block[at + 2 * step]!, block[at + 4 * step]!, block[at + 6 * step]!];
  const [sum, difference, inner] = [a + c, a - c, b + d];
  const outer = (b - d) * half - inner;
  const [e0, e1, e2, e3] = [sum + inner, difference + outer, difference - outer, sum - inner];
  const [o1, o3, o5, o7] = [block[at + step]!, block[at + 3 * step]!, block[at + 5 * step]!, block[at + 7 * step]!];
  const [z13, z10, z11, z12] = [o5 + o3, o5 - o3, o1 + o7, o1 - o7];
  const f7 = z11 + z13;
  const z5 = (z10 + z12) * wide;
  const f6 = z5 - z10 * widest - f7;
  const f5 = (z11 - z13) * half - f6;
  const f4 = z5 - z12 * narrow - f5;
  block[at] = e0 + f7;
  block[at + 7 * step] = e0 - f7;
  block[at + step] = e1 + f6;
  block[at + 6 * step] = e1 - f6;
  block[at + 2 * step] = e2 + f5;
  block[at + 5 * step] = e2 - f5;
  block[at + 3 * step] = e3 + f4;
  block[at + 4 * step] = e3 - f4;
}

/** The 64 samples of a block, from the values of its frequencies. */
function inverse(
  values: Int16Array,
  from: number,
  steps: Float32Array,
  plane: Uint8ClampedArray,
  to: number,
  stride: number,
): void {
  let isFlat = true;
  for (let cell = 0; cell < 64; cell++) {
    const value = values[from + cell]!;
    block[cell] = value * steps[cell]!;
    if (cell > 0 && value !== 0) isFlat = false;
  }
  if (isFlat) block.fill(block[0]!);
  else {
    for (let column = 0; column < 8; column++) eight(column, 8);
    for (let row = 0; row < 8; row++) eight(row * 8, 1);
  }
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) plane[to + row * stride + column] = block[row * 8 + column]! + 128;
  }
}

/** The pixels of a JPEG of 8 bits, grey or in colours. Undefined: it is none of these, too large or not whole. */
export async function readJpeg(bytes: Uint8Array): Promise<Pixels | undefined> {
  const picture = await readJpegValues(bytes);
  return typeof picture === 'string' ? undefined : runInSlices(pixelsOf(picture));
}

/** Samples of each component, and then the pixels that they are together. */
function* pixelsOf({ width, height, h, v, components, steps, isRgb }: JpegValues): Generator<number, Pixels> {
  const planes: Uint8ClampedArray[] = [];
  for (const { values, stride, steps: number } of components) {
    const table = steps.get(number)!.map((step, cell) => step * inverseScale[cell]!);
    const plane = new Uint8ClampedArray(values!.length);
    for (let at = 0, row = 0; at < values!.length; row++) {
      for (let column = 0; column < stride; column++, at += 64)
        inverse(values!, at, table, plane, (row * stride * 8 + column) * 8, stride * 8);
      yield stride * 64;
    }
    planes.push(plane);
  }
  const data = new Uint8ClampedArray(width * height * 4);
  // Where the sample of each column is, in the planes of all parts.
  const places = components.map((each) =>
    Int32Array.from({ length: width }, (_, column) => Math.floor((column * each.h) / h)),
  );
  const isGrey = components.length === 1;
  const [y, blue = y!, red = y!] = planes;
  const [yAt, blueAt = yAt!, redAt = yAt!] = places;
  for (let line = 0; line < height; line++) {
    const begins = components.map((each) => Math.floor((line * each.v) / v) * each.stride * 8);
    const [yLine, blueLine = 0, redLine = 0] = begins;
    for (let column = 0; column < width; column++) {
      const at = (line * width + column) * 4;
      const a = y![yLine! + yAt![column]!]!;
      const b = blue[blueLine + blueAt[column]!]!;
      const c = red[redLine + redAt[column]!]!;
      const isPlain = isGrey || isRgb;
      data[at] = isPlain ? a : a + 1.402 * (c - 128);
      data[at + 1] = isPlain ? b : a - 0.344136 * (b - 128) - 0.714136 * (c - 128);
      data[at + 2] = isPlain ? c : a + 1.772 * (b - 128);
      data[at + 3] = 255;
    }
    if (line % 8 === 7) yield width * 8;
  }
  return { width, height, data: new Uint8Array(data.buffer) };
}
