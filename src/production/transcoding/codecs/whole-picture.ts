import type { StartThread, ThreadTask } from '../../../core/lib/thread-task.ts';
import { wholeJpeg } from './jpeg-reader.ts';
import { headerSize } from './picture-bounds.ts';
import { isJpeg, isPng } from './picture-type.ts';
import { wholePng } from './png.ts';

export interface WholePicture {
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

/** Bytes of all pixels of one picture: a small file could unpack to gigabytes. */
const maxUnpacked = 256 * 1024 * 1024;

/** Type and size of a picture that was read to its last byte, or a text that says what was expected. */
export async function wholePicture(bytes: Uint8Array<ArrayBuffer>): Promise<WholePicture | string> {
  const type = isPng(bytes) ? 'image/png' : 'image/jpeg';
  if (type === 'image/jpeg' && !isJpeg(bytes)) return 'Expected a PNG or a JPEG';
  const size = await (type === 'image/png' ? wholePng : wholeJpeg)(bytes, maxUnpacked);
  return typeof size === 'string' ? size : { type, ...size };
}

/** A picture of somebody. */
export interface SentPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Key of the sender. */
  readonly by: string;
}

class TooMuch extends Error {}

const maxSeconds = 10;

const wholeTask: ThreadTask<SentPicture> = {
  program: 'production/transcoding/codecs/whole-worker',
  max: maxSeconds * 1000,
  megabytes: 256,
  stackMegabytes: 4,
  tooSlow: `Expected a picture that is read within ${maxSeconds} seconds`,
  tooLarge: 'Expected a picture that is read within 256 megabytes',
  fails: (message) => new TooMuch(message),
  by: ({ by }) => by,
};

/** Bytes and pixels of a picture that takes less time than crossing to a thread is worth. */
const small = { bytes: 256 * 1024, pixels: 300_000 };

/** `wholePicture`, on a thread where the host has some and the picture is not small. */
export function createPictureCheck(thread: StartThread | undefined) {
  const readAway = thread?.<SentPicture, WholePicture | string>(wholeTask);
  return async (sent: SentPicture): Promise<WholePicture | string> => {
    const { width, height } = headerSize(sent.bytes) ?? { width: 0, height: 0 };
    const isSmall = sent.bytes.byteLength <= small.bytes && width * height <= small.pixels;
    if (!readAway || isSmall) return wholePicture(sent.bytes);
    return readAway(sent).catch((error: unknown) => {
      if (error instanceof TooMuch) return error.message;
      throw error;
    });
  };
}
