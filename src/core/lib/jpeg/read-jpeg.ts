import { runInSlices } from '../turn.ts';
import { inverse } from './inverse.ts';
import type { Pixels } from './jpeg.ts';
import { type Picture, readPicture, type Size } from './reader.ts';
import { NotWhole } from './scan.ts';

/** The size of a JPEG whose every code was read, or a text that says what was expected. `mostSamples`: bytes of all pixels. */
export async function wholeJpeg(bytes: Uint8Array, mostSamples: number): Promise<Size | string> {
  const read = await orExpected(readPicture(bytes, { mostSamples }));
  return typeof read === 'string' ? read : { width: read.width, height: read.height };
}

/** The pixels of a JPEG of 8 bits, grey or in colours. Undefined: it is none of these, too large or not whole. */
export async function readJpeg(bytes: Uint8Array): Promise<Pixels | undefined> {
  const picture = await orExpected(readPicture(bytes, 'values'));
  return typeof picture === 'string' ? undefined : runInSlices(pixelsOf(picture));
}

async function orExpected(steps: Generator<number, Picture>): Promise<Picture | string> {
  try {
    return await runInSlices(steps);
  } catch (error) {
    if (error instanceof NotWhole) return error.message;
    throw error;
  }
}

/** Samples of each component, and then the pixels that they are together. */
function* pixelsOf({ width, height, h, v, components, steps, isRgb }: Picture): Generator<number, Pixels> {
  const planes: Uint8ClampedArray[] = [];
  for (const { values, stride, steps: number } of components) {
    const table = steps.get(number)!;
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
