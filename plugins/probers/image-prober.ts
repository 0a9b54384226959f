import type { MediaSource, Prober, VideoTrack } from '../../src/spi/index.ts';
import { mediaError } from './fault.ts';
import { type PictureMake, pictureMake } from './pictures.ts';

/** Maximal offset of a picture's size, behind colour profiles and previews. */
const farthest = 4 * 1024 * 1024;
const near = 65_536;
/** Pixels on a side: a larger number is a lie. */
const longestSide = 1_000_000;

/** Says how large a picture is, by its header alone: nothing is unpacked. */
export const imageProber: Prober = {
  name: 'image-size',
  accepts: (head) => (pictureMake(head) ? 'yes' : 'no'),
  async probe(source) {
    const head = await source.read({ from: 0, end: Math.min(near, source.size) });
    const make = pictureMake(head);
    if (!make) throw mediaError('unsupported', 'Expected a picture');
    const { width, height, orientation } = await sizeOf(source, head, make);
    const isSize = (side: number) => Number.isInteger(side) && side > 0 && side <= longestSide;
    if (!isSize(width) || !isSize(height)) {
      throw mediaError('broken', `Expected a picture of 1 to ${longestSide} pixels a side: found ${width} x ${height}`);
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
