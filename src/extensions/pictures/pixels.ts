import { runInSlices } from '../../core/lib/turn.ts';
import {
  drawableSize,
  isJpeg,
  isPng,
  jpegSteps,
  maxPixels,
  type Pixels,
  type PngParts,
  pngFile,
  pngParts,
  unpackPng,
} from '../../production/transcoding/public-reading.ts';
import { readJpeg } from './jpeg-pixels.ts';

/** A picture that becomes a file. */
export interface EncodeTask {
  readonly pixels: Pixels;
  readonly type: PixelsType;
}

/** The pixels of a PNG or a JPEG. Undefined: they are broken, too many, or of a kind that is not read here. */
export async function readPixels(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels | undefined> {
  if (!drawableSize(bytes)) return undefined;
  if (isPng(bytes)) return readPng(bytes);
  return isJpeg(bytes) ? readJpeg(bytes) : undefined;
}

export type PixelsType = 'image/png' | 'image/jpeg';

export async function writePixels(pixels: Pixels, type: PixelsType): Promise<Uint8Array<ArrayBuffer>> {
  if (type === 'image/jpeg') return runInSlices(jpegSteps(pixels));
  const { width, height, data } = pixels;
  const stride = width * 4;
  const rows = new Uint8Array((stride + 1) * height);
  function* fill(): Generator<number, void> {
    for (let line = 0; line < height; line++) {
      rows.set(data.subarray(line * stride, (line + 1) * stride), line * (stride + 1) + 1);
      yield 1 + (width >> 4);
    }
  }
  await runInSlices(fill());
  return pngFile({ width, height, hasAlpha: true, rows });
}

/** Four samples of 16 bits, and the number of a filter where a row has one pixel. */
const maxBytesOfPixel = 9;

/** The pixels of a PNG. Undefined: it is interlaced or not whole. */
async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels | undefined> {
  const parts = await pngParts(bytes, maxBytesOfPixel * maxPixels);
  if (typeof parts === 'string' || parts.isInterlaced) return undefined;
  const { width, height, bits, samples } = parts;
  const rows = new Uint8Array(parts.size);
  if (!(await unpackPng(parts, rows))) return undefined;
  const stride = parts.size / height - 1;
  await runInSlices(unfilter(rows, stride, height, Math.max(1, (samples * bits) >> 3)));
  return { width, height, data: await runInSlices(coloured(parts, rows, stride)) };
}

/** Each row begins with the number of its filter, by which its bytes follow from those ahead and above. */
function* unfilter(rows: Uint8Array, stride: number, height: number, step: number): Generator<number, void> {
  for (let line = 0, at = 0; line < height; line++, at += stride + 1) {
    const filter = rows[at]!;
    for (let place = 1; place <= stride; place++) {
      const ahead = place > step ? rows[at + place - step]! : 0;
      const above = line > 0 ? rows[at + place - stride - 1]! : 0;
      const both = line > 0 && place > step ? rows[at + place - stride - 1 - step]! : 0;
      rows[at + place]! += predicted(filter, ahead, above, both);
    }
    yield stride;
  }
}

function predicted(filter: number, ahead: number, above: number, both: number): number {
  if (filter === 1) return ahead;
  if (filter === 2) return above;
  if (filter === 3) return (ahead + above) >> 1;
  if (filter !== 4) return 0;
  const estimate = ahead + above - both;
  const [a, b, c] = [Math.abs(estimate - ahead), Math.abs(estimate - above), Math.abs(estimate - both)];
  if (a <= b && a <= c) return ahead;
  return b <= c ? above : both;
}

/** Pixels without transparency of their own colours alone: one colour that stands for it is shown. */
function* coloured(
  { width, height, bits, colour, samples, palette }: PngParts,
  rows: Uint8Array,
  stride: number,
): Generator<number, Uint8Array> {
  const data = new Uint8Array(width * height * 4);
  const max = (1 << Math.min(bits, 8)) - 1;
  for (let line = 0, to = 0; line < height; line++) {
    const begin = line * (stride + 1) + 1;
    /** Sample in 8 bits: the upper half of 16 bits. */
    const sample = (index: number): number => {
      const place = index * bits;
      if (bits >= 8) return rows[begin + (place >> 3)]!;
      return (rows[begin + (place >> 3)]! >> (8 - bits - (place & 7))) & max;
    };
    for (let column = 0; column < width; column++, to += 4) {
      const first = sample(column * samples);
      const isGrey = samples <= 2;
      const grey = Math.round((first * 255) / max);
      for (let part = 0; part < 3; part++) {
        if (colour === 3) data[to + part] = palette?.[first * 3 + part] ?? 0;
        else data[to + part] = isGrey ? grey : sample(column * samples + part);
      }
      data[to + 3] = samples % 2 === 0 ? sample(column * samples + samples - 1) : 255;
    }
    yield width * 2;
  }
  return data;
}
