import { JobWaits } from '../../../room/jobs/job-type.ts';
import type { MediaSource, Still, StillOrder, Transcoder } from '../../../spi/index.ts';
import { mediaKindOf } from '../../checking/public-reading.ts';
import { stillsFrom } from '../presets/choose.ts';
import type { SourceState } from '../source.ts';
import { mostBytes, type PictureKind, pictureType } from './kind.ts';

/** Bytes of a picture that is shown as it is. Lists show many thumbnails at once. */
const mostOwn: Readonly<Record<PictureKind, number>> = { thumbnail: 1024 * 1024, poster: mostBytes };

type Stills = Pick<Transcoder, 'stills'>;

/**
 * Transcoder for the stills of a source. Without one that reads pictures, a small PNG or JPEG is used as its own
 * thumbnail and poster. Other media lets the job wait, or fail.
 */
export async function stillsOf(
  transcoders: readonly Transcoder[],
  source: MediaSource,
  { seconds }: SourceState,
  kind: PictureKind,
  type: StillOrder['type'],
): Promise<Stills> {
  const own = async () => (seconds === undefined ? ownPicture(source, mostOwn[kind]) : undefined);
  try {
    const transcoder = await stillsFrom(transcoders, type);
    return {
      async stills(...given) {
        try {
          await transcoder.stills(...given);
        } catch (error) {
          const other = mediaKindOf(error) === 'unsupported' ? await own() : undefined;
          if (!other) throw error;
          await other.stills(...given);
        }
      },
    };
  } catch (error) {
    const isPossible = error instanceof JobWaits && error.waiting.requirement === 'NoTranscoder';
    const other = isPossible ? await own() : undefined;
    if (!other) throw error;
    return other;
  }
}

/** Undefined: the source is no picture that is shown as it is. */
async function ownPicture(source: MediaSource, most: number): Promise<Stills | undefined> {
  if (source.size > most) return undefined;
  const bytes = new Uint8Array(await source.read({ from: 0, end: source.size }));
  return pictureType(bytes) === undefined ? undefined : itself(bytes);
}

const itself = (bytes: Uint8Array<ArrayBuffer>): Stills => ({
  async stills(_source, { seconds }, each: (still: Still) => Promise<void>) {
    for (const second of seconds) await each({ seconds: second, bytes });
  },
});
