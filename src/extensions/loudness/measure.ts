import { askUserOfJob } from '../../assets/search/public.ts';
import {
  itemFor,
  loadShapes,
  mustHaveShapes,
  noSuchShape,
  type Shape,
  shapeFor,
  shapeParts,
  shapeThere,
} from '../../assets/shapes/public.ts';
import { nothing } from '../../core/store/commit-plan.ts';
import { mediaKindOf } from '../../production/checking/public-reading.ts';
import {
  failedBySource,
  openTranscodingSource,
  seenIn,
  sourceFile,
  sourceShape,
  type TranscodingParts,
  transcoderFor,
} from '../../production/transcoding/public.ts';
import { JobFails, type JobStep, type JobType, type LeasedJob } from '../../room/jobs/job-type.ts';
import { describeJob, type JobMemo, listOf, optional, text } from '../../room/jobs/memo.ts';
import type { ByteRange, MeasuredSound, MediaSource, Transcoded, TranscodeOrder } from '../../spi/index.ts';
import type { FileRow } from '../../storage/public-reading.ts';
import { forgetLevels, putLevels, putSound } from './store.ts';

/** A finished file that is read from its beginning to its end, as media. To go back in it begins anew. */
export function forwardSource({ size, body }: Pick<Transcoded, 'size' | 'body'>): MediaSource & {
  close(): Promise<void>;
} {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Bytes that were read and not given, and where they stand. */
  let rest = new Uint8Array();
  let at = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function close(): Promise<void> {
    await reader?.cancel().catch(() => undefined);
    reader = undefined;
    rest = new Uint8Array();
    at = 0;
  }

  async function take({ from, end }: ByteRange): Promise<Uint8Array> {
    if (from < at) await close();
    reader ??= body().getReader();
    const bytes = new Uint8Array(end - from);
    while (at < end) {
      if (rest.byteLength === 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`Expected ${size} bytes from the transcoder: found ${at}`);
        rest = value as Uint8Array<ArrayBuffer>;
      }
      const used = Math.min(rest.byteLength, (at < from ? from : end) - at);
      if (at >= from) bytes.set(rest.subarray(0, used), at - from);
      rest = rest.subarray(used);
      at += used;
    }
    return bytes;
  }

  return {
    size,
    name: 'sound.mkv',
    /** Reads in sequence, since the file has a single position. */
    read(range) {
      const turn = last.then(() => take(range));
      last = turn.catch(() => undefined);
      return turn;
    },
    close,
  };
}

/** Streams of sound that are measured. */
const maxStreams = 16;
/** Sound that is this much shorter than its media is told of. */
const shortest = 0.95;

export const analyzeJob = describeJob('ANALYZE', {
  memo: {
    itemId: text,
    shapeId: optional(text),
    /** Tags of source shapes, preferred to the original. */
    tags: listOf(text),
    /** Names of what the request wants detected and this service does not detect. */
    undetected: listOf(text),
  },
  tells: ['itemId', 'shapeId'],
});

/** Measures the sound of a shape and keeps what it finds. */
export function analyzeType(parts: TranscodingParts): JobType<typeof analyzeJob.memo> {
  const run: JobStep<JobMemo<typeof analyzeJob>>['run'] = async (job) => {
    const { store, clock } = parts;
    const { itemId, shapeId, tags, undetected } = job.memo;
    const others = undetected.length === 0 ? [] : [`Not detected here: ${undetected.join(', ')}`];
    const shape = sourceShape(await loadShapes(store, itemId), { shapeId, tags });
    if (!shape) throw new JobFails(`Expected a shape of the item with media: ${itemId} has none`);
    await askUserOfJob(parts, job, (call) => mustHaveShapes(store, call, [shape], 'WRITE'));
    const file = await sourceFile(store, shape);
    const measured = await measuredOf(parts, job, shape, file);
    if (measured.seconds === 0) throw new JobFails(`Expected media with sound: ${shape.id} has none`);
    const { seconds: expected = 0 } = await seenIn(store, shape);
    const { seconds, loudness = null, range = null, mix, channels } = measured;
    const row = { shapeId: shape.id, fileId: file.id, measuredAt: clock.now(), seconds, loudness };
    const changes = [
      shapeThere({ id: shape.id }, noSuchShape(shape.id)),
      putSound({ ...row, loudnessRange: range, mix: JSON.stringify(mix) }),
      forgetLevels({ shapeId: shape.id }),
      ...channels.map((channel) => putLevels({ shapeId: shape.id, ...channel })),
    ];
    const short = seconds < expected * shortest ? [`Expected ${expected} seconds of sound: found ${seconds}`] : [];
    const sentence = loudness === null ? 'Silence' : `${loudness.toFixed(1)} LUFS`;
    return {
      work: { changes, events: [] },
      says: [`Measured ${channels.length} channels of ${shape.id}: ${sentence}`, ...short, ...others],
      warns: short.length + others.length > 0,
    };
  };
  const steps = [{ step: 100, description: 'Analyzing sound', run }];
  return {
    ...analyzeJob,
    needs: ({ itemId: id }) => [{ on: 'item', id, level: 'WRITE', part: 'SHAPE' }],
    steps,
    async restart({ memo: { itemId: item, shapeId: shape }, caller }) {
      if (shape === undefined) await itemFor(parts.store, caller, item, 'WRITE');
      else await shapeFor(parts.store, caller, { item, shape }, 'WRITE');
      return nothing;
    },
  };
}

/** By the media process where no decoder is needed. Otherwise a transcoder unpacks the sound first. */
async function measuredOf(
  parts: TranscodingParts,
  job: LeasedJob,
  shape: Shape,
  file: FileRow,
): Promise<MeasuredSound> {
  const { media } = parts;
  const { signal } = job;
  const source = await openTranscodingSource(parts, file, signal);
  await job.begins();
  try {
    return await media.sound(source, { signal });
  } catch (error) {
    if (mediaKindOf(error) !== 'unsupported') return failedBySource(job, () => Promise.reject(error));
  }
  const order: TranscodeOrder = {
    format: 'mkv',
    video: null,
    audio: { codec: 'pcm_s16le', channels: [], streams: await streamsOf(parts, shape), settings: [] },
    fastStart: false,
  };
  const transcoder = await transcoderFor(parts.transcoders(), order);
  const output = await failedBySource(job, () => transcoder.run(source, order, { signal, progress: () => undefined }));
  const unpacked = forwardSource(output);
  try {
    return await failedBySource(job, () => media.sound(unpacked, { signal }));
  } finally {
    await unpacked.close();
    await output.close();
  }
}

/** Audio streams found by the media check. */
async function streamsOf({ store }: TranscodingParts, shape: Shape): Promise<readonly number[]> {
  const { audioComponent = [] } = await shapeParts(store, shape);
  const count = Math.min(maxStreams, audioComponent.length);
  return Array.from({ length: count }, (_, at) => at);
}
