import type { MediaSource, Prober, VideoTrack } from '../../src/spi/index.ts';
import { mediaError } from './media-prober.ts';

/** A make of pictures: how its first bytes look, and what FFmpeg calls it. */
interface PictureMake {
  readonly format: string;
  readonly codec: string;
  readonly mimeType: string;
}

const make = (format: string, codec: string, mimeType: string): PictureMake => ({ format, codec, mimeType });

const latin = (bytes: Uint8Array, from: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(from, end));

/** By what a file begins with, in hexadecimal. */
const signatures: readonly (readonly [hex: string, PictureMake])[] = [
  ['89504e470d0a1a0a', make('png_pipe', 'png', 'image/png')],
  ['ffd8ff', make('image2', 'mjpeg', 'image/jpeg')],
  ['474946383761', make('gif', 'gif', 'image/gif')],
  ['474946383961', make('gif', 'gif', 'image/gif')],
  ['424d', make('bmp_pipe', 'bmp', 'image/bmp')],
  ['49492a00', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['4d4d002a', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['49492b00', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['4d4d002b', make('tiff_pipe', 'tiff', 'image/tiff')],
  ['38425053', make('psd_pipe', 'psd', 'image/vnd.adobe.photoshop')],
  ['0000000c6a5020200d0a870a', make('j2k_pipe', 'jpeg2000', 'image/jp2')],
  ['ff4fff51', make('j2k_pipe', 'jpeg2000', 'image/jp2')],
  ['ff0a', make('jpegxl_pipe', 'jpegxl', 'image/jxl')],
  ['0000000c4a584c200d0a870a', make('jpegxl_pipe', 'jpegxl', 'image/jxl')],
];

/** Brands of ISO files that hold pictures. Others are films. */
const brands: Readonly<Record<string, PictureMake>> = {
  avif: make('mov,mp4,m4a,3gp,3g2,mj2', 'av1', 'image/avif'),
  avis: make('mov,mp4,m4a,3gp,3g2,mj2', 'av1', 'image/avif'),
  heic: make('mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'image/heic'),
  heix: make('mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'image/heic'),
  mif1: make('mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'image/heif'),
};

/** Format of a picture by its first bytes. Undefined: unknown. */
function pictureMake(head: Uint8Array): PictureMake | undefined {
  const hex = Array.from(head.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const mimeType = signatures.find(([signature]) => hex.startsWith(signature))?.[1];
  if (mimeType) return mimeType;
  if (latin(head, 0, 4) === 'RIFF' && latin(head, 8, 12) === 'WEBP') return make('webp_pipe', 'webp', 'image/webp');
  if (latin(head, 4, 8) === 'ftyp') return brands[latin(head, 8, 12)];
  return /^(?:\ufeff|ï»¿)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^>]{0,500}-->\s*)?<svg\s/.test(latin(head, 0, 1024))
    ? make('svg_pipe', 'svg', 'image/svg+xml')
    : undefined;
}

/** Maximal offset of a picture's size, behind colour profiles and previews. */
const farthest = 4 * 1024 * 1024;
const near = 65_536;
/** Pixels on a side: a larger number is a lie. */
const maxSideLength = 1_000_000;

/** Says how large a picture is, by its header alone: nothing is unpacked. */
export const imageProber: Prober = {
  name: 'image-size',
  accepts: (head) => (pictureMake(head) ? 'yes' : 'no'),
  async probe(source) {
    const head = await source.read({ from: 0, end: Math.min(near, source.size) });
    const make = pictureMake(head);
    if (!make) throw mediaError('unsupported', 'Expected a picture');
    const { width, height, orientation } = await sizeOf(source, head, make);
    const isSize = (side: number) => Number.isInteger(side) && side > 0 && side <= maxSideLength;
    if (!isSize(width) || !isSize(height)) {
      throw mediaError(
        'broken',
        `Expected a picture of 1 to ${maxSideLength} pixels a side: found ${width} x ${height}`,
      );
    }
    const rotation = orientation === undefined ? undefined : rotations[orientation];
    const track: VideoTrack = {
      kind: 'video',
      codec: make.codec,
      index: 0,
      width,
      height,
      isStill: true,
      ...(rotation !== undefined && { rotation }),
    };
    const { format, mimeType } = make;
    return {
      by: 'image-size',
      format,
      mimeType,
      tracks: [track],
      isPartial: false,
      bytesRead: 0,
      warnings: [],
    };
  },
};

/** Rotation by orientation, for the values that cameras write. */
const rotations: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };

interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}

async function sizeOf(source: MediaSource, head: Uint8Array, make: PictureMake): Promise<PictureSize> {
  const { imageSize } = await import('image-size');
  // A pattern of the library takes long for many openings of the element.
  const first = make.codec === 'svg' ? head.subarray(0, 4096) : head;
  try {
    return imageSize(make.codec === 'tiff' ? await tiffDirectory(source, head) : first);
  } catch (error) {
    if (isOfSource(error)) throw error;
    if (make.codec === 'svg' || source.size <= near) throw broken(make, error);
  }
  try {
    return imageSize(await source.read({ from: 0, end: Math.min(farthest, source.size) }));
  } catch (error) {
    throw isOfSource(error) ? error : broken(make, error);
  }
}

const isOfSource = (error: unknown): boolean => (error as { kind?: unknown }).kind !== undefined;

const broken = ({ mimeType }: PictureMake, error: unknown): Error =>
  mediaError('broken', `Expected a whole picture of the type ${mimeType}: ${(error as Error).message.slice(0, 200)}`);

/** The header of a TIFF with its first directory right behind: the directory stands anywhere in the file. */
async function tiffDirectory(source: MediaSource, head: Uint8Array): Promise<Uint8Array> {
  if (head.byteLength < 16) throw new Error('the header is cut');
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const little = head[0] === 0x49;
  const isBig = view.getUint16(2, little) === 43;
  const start = isBig ? 16 : 8;
  const offset = isBig ? Number(view.getBigUint64(8, little)) : view.getUint32(4, little);
  if (offset >= source.size) throw new Error('its directory lies behind its end');
  const directory = await source.read({ from: offset, end: Math.min(offset + 16_384, source.size) });
  const joined = new Uint8Array(start + directory.byteLength + 32);
  joined.set(head.subarray(0, start));
  joined.set(directory, start);
  const header = new DataView(joined.buffer);
  if (isBig) header.setBigUint64(8, BigInt(start), little);
  else header.setUint32(4, start, little);
  return joined;
}
