import { shapeDocuments } from '../../assets/shapes/documents.ts';
import { loadShapes, type Shape } from '../../assets/shapes/load.ts';
import { noSuchShape } from '../../assets/shapes/rules.ts';
import { shapeThere } from '../../assets/shapes/store.ts';
import { mediaKindOf } from '../../checking/probing/faults.ts';
import { type HeldJob, JobFails, type JobStep, type JobType } from '../../jobs/job-type.ts';
import type { FileRow } from '../../media/files/store.ts';
import { plainView } from '../../media/files/view.ts';
import type { MeasuredSound, TranscodeOrder } from '../../spi/index.ts';
import { changing } from '../../store/commit-plan.ts';
import { failedBySource } from '../../transcoding/media-error.ts';
import type { TranscodingParts } from '../../transcoding/parts.ts';
import { transcoderFor } from '../../transcoding/presets/choose.ts';
import { openSource, seenIn, sourceFile, sourceShape } from '../../transcoding/source.ts';
import { forwardSource } from './forward-source.ts';
import { forgetLevels, putLevels, putSound } from './store.ts';

/** Streams of sound that are measured. */
const mostStreams = 16;
/** Sound that is this much shorter than its media is told of. */
const shortest = 0.95;

/** Measures the sound of a shape and keeps what it finds. */
export function analyzeType(parts: TranscodingParts): JobType {
  const run: JobStep['run'] = async (job) => {
    const { store, clock } = parts;
    const { itemId, shapeId, tags, others } = askedOf(job);
    const shape = sourceShape(await loadShapes(store, itemId), { shapeId, tags });
    if (!shape) throw new JobFails(`Expected a shape of the item with media: ${itemId} has none`);
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
    const told = loudness === null ? 'Silence' : `${loudness.toFixed(1)} LUFS`;
    return {
      work: { changes, events: [] },
      says: [`Measured ${channels.length} channels of ${shape.id}: ${told}`, ...short, ...others],
      warns: short.length + others.length > 0,
    };
  };
  const steps = [{ step: 100, description: 'Analyzing sound', run }];
  return { type: 'ANALYZE', data: ['shapeId'], steps, ended: async () => changing() };
}

function askedOf({ memo }: HeldJob) {
  const text = (key: string) => (typeof memo[key] === 'string' && memo[key] !== '' ? memo[key] : undefined);
  const names = text('undetected');
  return {
    itemId: text('itemId')!,
    shapeId: text('shapeId'),
    tags: text('tags')?.split(',') ?? [],
    others: names === undefined ? [] : [`Not detected here: ${names}`],
  };
}

/** By the media process where no decoder is needed. Otherwise a transcoder unpacks the sound first. */
async function measuredOf(parts: TranscodingParts, job: HeldJob, shape: Shape, file: FileRow): Promise<MeasuredSound> {
  const { media } = parts;
  const { signal } = job;
  const source = await openSource(parts, file, signal);
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
  const made = await failedBySource(job, () => transcoder.run(source, order, { signal, progress: () => undefined }));
  const unpacked = forwardSource(made);
  try {
    return await failedBySource(job, () => media.sound(unpacked, { signal }));
  } finally {
    await unpacked.close();
    await made.close();
  }
}

/** Audio streams found by the media check. */
async function streamsOf({ store }: TranscodingParts, shape: Shape): Promise<readonly number[]> {
  const [document] = await shapeDocuments(store, [shape], { includePlaceholder: false, files: plainView });
  const count = Math.min(mostStreams, document?.audioComponent?.length ?? 0);
  return Array.from({ length: count }, (_, at) => at);
}
