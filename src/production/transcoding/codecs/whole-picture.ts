import { wholeJpeg } from './jpeg-reader.ts';
import { pngBegin, wholePng } from './png.ts';

interface WholePicture {
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

/** Bytes of all pixels of one picture: a small file could unpack to gigabytes. */
const maxUnpacked = 256 * 1024 * 1024;

export const isPng = (bytes: Uint8Array): boolean => pngBegin.every((byte, at) => bytes[at] === byte);
export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/** Type and size of a picture that was read to its last byte, or a text that says what was expected. */
export async function wholePicture(bytes: Uint8Array<ArrayBuffer>): Promise<WholePicture | string> {
  const type = isPng(bytes) ? 'image/png' : 'image/jpeg';
  if (type === 'image/jpeg' && !isJpeg(bytes)) return 'Expected a PNG or a JPEG';
  const size = await (type === 'image/png' ? wholePng : wholeJpeg)(bytes, maxUnpacked);
  return typeof size === 'string' ? size : { type, ...size };
}
