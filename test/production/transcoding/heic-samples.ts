import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import { big, box, bytesOf, type Piece } from '../checking/embedded-samples.ts';

/** JPEG of 40 by 20 pixels, red on the left and blue on the right. */
export function redAndBlue(): Uint8Array<ArrayBuffer> {
  const [width, height] = [40, 20];
  const data = new Uint8Array(width * height * 4).map((_, at) => {
    const isLeft = (at / 4) % width < width / 2;
    return [isLeft ? 230 : 20, 20, isLeft ? 20 : 230, 255][at % 4]!;
  });
  return jpegFile({ width, height, data });
}

/** Item of EXIF whose picture stands as said, with a thumbnail of its own. */
function exifItem(thumbnail: Uint8Array, orientation: number): Uint8Array {
  const short = (tag: number, value: number) => [...big(tag, 2), ...big(3, 2), ...big(1), ...big(value, 2), 0, 0];
  const long = (tag: number, value: number) => [...big(tag, 2), ...big(4, 2), ...big(1), ...big(value)];
  const second = 8 + 2 + 12 + 4;
  const bytes = second + 2 + 24 + 4;
  return bytesOf(
    ...[big(6), 'Exif\0\0', 'MM', big(42, 2), big(8)],
    ...[big(1, 2), short(0x112, orientation), big(second)],
    ...[big(2, 2), long(0x201, bytes), long(0x202, thumbnail.byteLength), big(0)],
    thumbnail,
  );
}

interface HeicSample {
  /** Preview, and the item that it is. Undefined: the file has none. */
  readonly preview?: 'jpeg' | 'image/jpeg' | 'Exif';
  readonly orientation?: number;
  readonly isTiled?: boolean;
  readonly brands?: readonly [string, ...string[]];
}

/** A HEIC with the boxes of a phone camera. Its pixels are not valid. */
export function heic({ preview, orientation = 1, isTiled = false, brands = ['heic', 'mif1'] }: HeicSample = {}) {
  const full = [0, 0, 0, 0];
  const entry = (id: number, kind: string, ...more: readonly Piece[]) =>
    box('infe', [2, 0, 0, 0], big(id, 2), [0, 0], kind, [0], ...more);
  const pixels = new Uint8Array(64);
  const shown = redAndBlue();
  const item = preview === 'Exif' ? exifItem(shown, orientation) : shown;
  const named = preview === 'image/jpeg' ? entry(2, 'mime', 'image/jpeg\0') : entry(2, preview ?? '');
  const items = preview === undefined ? [pixels] : [pixels, item];
  const type = box('ftyp', brands[0], full, ...brands);
  const meta = (offset: number) =>
    box(
      ...(['meta', full, box('hdlr', full, full, 'pict', new Uint8Array(13)), box('pitm', full, big(1, 2))] as const),
      box('iinf', full, big(items.length, 2), entry(1, isTiled ? 'grid' : 'hvc1'), ...(preview ? [named] : [])),
      box('iprp', box('ipco', box('ispe', full, big(400), big(200)))),
      box(
        ...(['iloc', full, [0x44, 0], big(items.length, 2)] as const),
        ...items.flatMap((bytes, at) => [
          ...[big(at + 1, 2), big(0, 2), big(1, 2)],
          ...[big(offset + (at === 0 ? 0 : pixels.length)), big(bytes.length)],
        ]),
      ),
    );
  const offset = type.length + meta(0).length + 8;
  return new Uint8Array(bytesOf(type, meta(offset), box('mdat', ...items)));
}
