import type { InputVideoTrack, VideoSample, VideoSampleSink } from 'mediabunny';
import type { MediaSource, StillOrder } from '../../src/spi/index.ts';
import { mediaError, probeError } from '../probers/media-prober.ts';
import { type MediaLibrary, openMedia } from './convert.ts';

/** Decoded picture, with four bytes for each pixel: red, green, blue, unused. */
interface Picture {
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Yields the picture at each time, or the last one before it. */
export async function pictures(
  library: MediaLibrary,
  source: MediaSource,
  { seconds, ...box }: Pick<StillOrder, 'seconds' | 'width' | 'height'>,
  each: (picture: Picture) => Promise<void>,
): Promise<void> {
  const input = await openMedia(library, source);
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw mediaError('broken', 'Expected media with pictures');
    if (!(await track.canDecode()))
      throw mediaError('unsupported', `Expected a codec that mediabunny decodes: found ${await track.getCodec()}`);
    const start = await track.getFirstTimestamp();
    const sink = new library.VideoSampleSink(track);
    let at = 0;
    // The library counts from the time that the file says, and callers from its first picture.
    for await (const sample of sink.samplesAtTimestamps(seconds.map((second) => second + start))) {
      const second = seconds[at++]!;
      const nearestSample = sample ?? (await nearest(sink, track, second + start));
      if (!nearestSample) continue;
      try {
        await each({ seconds: second, ...(await drawn(nearestSample, box)) });
      } finally {
        nearestSample.close();
      }
    }
  } catch (error) {
    throw probeError(error);
  } finally {
    input.dispose();
  }
}

/** A damaged end has no picture at its time. */
async function nearest(sink: VideoSampleSink, track: InputVideoTrack, second: number): Promise<VideoSample | null> {
  const end = await track.computeDuration();
  return sink.getSample(Math.max(0, Math.min(second, end) - 1));
}

interface Box {
  readonly width?: number;
  readonly height?: number;
}

async function drawn(sample: VideoSample, box: Box): Promise<Omit<Picture, 'seconds'>> {
  const { width, height } = fitted(sample, box);
  const scaled = await sample.transform({ width, height, fit: 'fill' });
  try {
    const data = new Uint8Array(scaled.allocationSize({ format: 'RGBA' }));
    await scaled.copyTo(data, { format: 'RGBA' });
    return { width, height, data };
  } finally {
    scaled.close();
  }
}

/** The largest size in the box, with square pixels. */
function fitted({ displayWidth, displayHeight }: VideoSample, { width, height }: Box) {
  const share =
    width === undefined || height === undefined ? 1 : Math.min(width / displayWidth, height / displayHeight);
  const pixels = (side: number) => Math.max(1, Math.round(side * share));
  return { width: pixels(displayWidth), height: pixels(displayHeight) };
}
