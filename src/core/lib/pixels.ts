import { jpegSteps, type Pixels } from './jpeg/jpeg.ts';
import { readJpeg, wholeJpeg } from './jpeg/read-jpeg.ts';
import { pngBegin, pngFile } from './png.ts';
import { readPng, wholePng } from './read-png.ts';
import { runInSlices } from './turn.ts';

/** The pixels of a PNG or a JPEG. Undefined: they are broken, too many, or of a kind that is not read here. */
export async function readPixels(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels | undefined> {
  if (isPng(bytes)) return readPng(bytes);
  return isJpeg(bytes) ? readJpeg(bytes) : undefined;
}

export type PixelsType = 'image/png' | 'image/jpeg';

interface WholePicture {
  readonly type: PixelsType;
  readonly width: number;
  readonly height: number;
}

/** Bytes of all pixels of one picture: a small file could unpack to gigabytes. */
const mostUnpacked = 256 * 1024 * 1024;

const isPng = (bytes: Uint8Array): boolean => pngBegin.every((byte, at) => bytes[at] === byte);
const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/** Type and size of a picture that was read to its last byte, or a text that says what was expected. */
export async function wholePicture(bytes: Uint8Array<ArrayBuffer>): Promise<WholePicture | string> {
  const type = isPng(bytes) ? 'image/png' : 'image/jpeg';
  if (type === 'image/jpeg' && !isJpeg(bytes)) return 'Expected a PNG or a JPEG';
  const size = await (type === 'image/png' ? wholePng : wholeJpeg)(bytes, mostUnpacked);
  return typeof size === 'string' ? size : { type, ...size };
}

export async function writePixels(pixels: Pixels, type: PixelsType): Promise<Uint8Array<ArrayBuffer>> {
  if (type === 'image/jpeg') return runInSlices(jpegSteps(pixels));
  const { width, height, data } = pixels;
  const stride = width * 4;
  const rows = new Uint8Array((stride + 1) * height);
  for (let line = 0; line < height; line++)
    rows.set(data.subarray(line * stride, (line + 1) * stride), line * (stride + 1) + 1);
  return pngFile({ width, height, hasAlpha: true, rows });
}
