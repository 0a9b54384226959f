import { isPng } from './picture-type.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of a side, as browsers show them. A longer row would be worked on in one turn of the loop. */
const maxSide = 16_384;

/** Chunks of a PNG, or segments and tables of a JPEG. Cameras and programs write hundreds at most. */
export const maxParts = 5_000;

/** Pixels of a picture that is drawn into another one. */
export const maxPixels = 4_200_000;

/** Says what was expected of a picture whose header says too long a side. */
export const beyondSides = ({ width, height }: Size): string | undefined =>
  Math.max(width, height) > maxSide
    ? `Expected a picture of at most ${maxSide} pixels a side, found ${width} by ${height}`
    : undefined;

/** Size of a picture that may be drawn into another one, by its header. Undefined: it has none, or too large a one. */
export function drawableSize(bytes: Uint8Array): Size | undefined {
  const size = headerSize(bytes);
  return size && !beyondSides(size) && size.width * size.height <= maxPixels ? size : undefined;
}

/** Size of a PNG or a JPEG by its header alone. */
export function headerSize(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isHeader = isPng(bytes) && bytes.byteLength >= 24;
  const size = isHeader ? { width: view.getUint32(16), height: view.getUint32(20) } : jpegFrame(bytes);
  return size && size.width * size.height > 0 ? size : undefined;
}

/** Markers of frames: all from C0 to CF but those of tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

interface JpegFrame extends Size {
  /** Whether its colours are those of JFIF: brightness and two differences. Others have a tag of Adobe or names of colours. */
  readonly isPlain: boolean;
}

const tagOfAdobe = 0xffee;
const red = 0x52;

/** Frame of a JPEG by its header alone. Each segment says where the next one is. */
export function jpegFrame(bytes: Uint8Array): JpegFrame | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isTagged = false;
  for (let at = 2, parts = 0; parts < maxParts && at + 9 <= view.byteLength; parts++) {
    const marker = view.getUint16(at);
    if (marker === 0xffff) at++;
    else if (marker < 0xffc0) return undefined;
    else if (isFrame(marker & 255)) {
      const isPlain = !isTagged && at + 11 <= view.byteLength && bytes[at + 9] === 3 && bytes[at + 10] !== red;
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), isPlain };
    } else {
      isTagged ||= marker === tagOfAdobe;
      at += 2 + view.getUint16(at + 2);
    }
  }
  return undefined;
}
