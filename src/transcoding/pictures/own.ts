import { JobWaits } from '../../jobs/job-type.ts';
import type { MediaSource, Still, StillOrder, Transcoder } from '../../spi/index.ts';
import { stillsFrom } from '../presets/choose.ts';
import type { Seen } from '../source.ts';
import { mostBytes, type PictureKind, pictureType } from './kind.ts';

/** Bytes of a picture that is shown as it is. Lists show many thumbnails at once. */
const mostOwn: Readonly<Record<PictureKind, number>> = { thumbnail: 1024 * 1024, poster: mostBytes };

export type Stills = Pick<Transcoder, 'stills'>;

/**
 * What makes the stills of a source. Without a transcoder, a small PNG or JPEG is its own thumbnail and poster; other
 * media lets the job wait.
 */
export async function stillsOf(
  transcoders: readonly Transcoder[],
  source: MediaSource,
  { seconds }: Seen,
  kind: PictureKind,
  type: StillOrder['type'],
): Promise<Stills> {
  try {
    return await stillsFrom(transcoders, type);
  } catch (error) {
    const isPossible = error instanceof JobWaits && error.waiting.requirement === 'NoTranscoder';
    if (!isPossible || seconds !== undefined || source.size > mostOwn[kind]) throw error;
    const bytes = new Uint8Array(await source.read({ from: 0, end: source.size }));
    if (pictureType(bytes) === undefined) throw error;
    return itself(bytes);
  }
}

const itself = (bytes: Uint8Array<ArrayBuffer>): Stills => ({
  async stills(_source, { seconds }, each: (still: Still) => Promise<void>) {
    for (const second of seconds) await each({ seconds: second, bytes });
  },
});
