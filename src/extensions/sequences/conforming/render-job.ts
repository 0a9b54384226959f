import { callerOfJob } from '../../../assets/search/public.ts';
import {
  loadShapes,
  type Shape,
  shapeDocuments,
  shapesAllowed,
  transcodePresetDocument,
} from '../../../assets/shapes/public.ts';
import { mediaOfShape, mustAllBeUsable } from '../../../assets/usage/public.ts';
import { writeJson } from '../../../core/documents/index.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import {
  endOutputs,
  failedBySource,
  insertOutput,
  joinerFor,
  type Maker,
  openTranscodingSource,
  presetFor,
  sourceFile,
  sourceShape,
  type TranscodeRequest,
  type TranscodingParts,
  transcodeData,
  transcodeMemo,
  transcodeOrder,
  transcodeRequestOf,
  writeOutputs,
} from '../../../production/transcoding/public.ts';
import { type JobEnd, JobFails, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import { describeJob, type JobMemo, listOf, number, oneOf, optional, recordOf, text } from '../../../room/jobs/memo.ts';
import type { Caller } from '../../../security/caller.ts';
import type { JoinOrder, JoinPart, MediaSource } from '../../../spi/index.ts';
import { beginReading, endReading, fileOfJob, nameFile, plainFileView } from '../../../storage/public.ts';
import { frameOf, secondsOfFrames } from '../exporting/frames.ts';
import { type PlannedPart, planField, type RenderPlan } from './render-plan.ts';

const defaultSize = { width: 1280, height: 720 };
const largest = 8192;

const mediaField = recordOf({
  item: text,
  shapeId: text,
  fileId: text,
  /** Kind of picture of each video track, in the order of the streams. */
  pictures: listOf(oneOf(['moving', 'still', 'none'] as const)),
  /** Number of audio tracks. */
  sounds: number,
  size: optional(recordOf({ width: number, height: number })),
});

export const renderJob = describeJob('TIMELINE', {
  memo: {
    ...transcodeMemo,
    plan: planField,
    /** Name of what is rendered. Undefined: it was in the body of the request. */
    from: optional(text),
    /** Media of the items, as the first step found them. */
    media: listOf(mediaField),
  },
  tells: ['itemId', ...transcodeData],
});
/** Parts of items that a caller names, one behind the other. */
export const conformJob = describeJob('CONFORM', { memo: renderJob.memo, tells: ['itemId', ...transcodeData] });
export type RenderMemo = JobMemo<typeof renderJob>;
type Media = RenderMemo['media'][number];

/** Finds the media of all items, and writes down what is made by which preset. */
export async function prepareRender(
  parts: TranscodingParts,
  job: LeasedJob<RenderMemo>,
): Promise<StepResult<RenderMemo>> {
  const request = transcodeRequestOf(job.memo);
  // Rendered again, the sequence of an item takes the place of what it became. One of a body is never that of another.
  const { from = `sequence of the job ${job.id}`, plan } = job.memo;
  const changes: Statement[] = [];
  const media: Media[] = [];
  const call = await callerOfJob(parts, job);
  const planned = plan.parts;
  for (const item of new Set(planned.flatMap((part) => part.item ?? []))) {
    const mediaOfOne = await mediaOfItem(parts, call, item, request);
    await mustUse(parts, call, job, [mediaOfOne]);
    for (const part of planned) if (part.item === item) expectTracks(part, mediaOfOne);
    media.push(mediaOfOne);
  }
  for (const { fileId } of media) {
    const named = { fileId, jobId: job.id };
    changes.push(nameFile(named), ...beginReading(named));
  }
  for (const [position, tag] of request.tags.entries()) {
    const preset = await presetFor(parts, job, tag, undefined);
    await joinerFor(parts.transcoders(), transcodeOrder(preset, request));
    const newShapeId = await parts.store.nextId('shape');
    const row = { jobId: job.id, tag, rendition: '', position, shapeId: from, sourceId: media[0]!.fileId, newShapeId };
    changes.push(insertOutput({ ...row, preset: String(writeJson(transcodePresetDocument, preset)) }));
  }
  return { work: changing(...changes), memo: { media } };
}

/** Media of an item. Uses only shapes whose bytes the caller may read, since a rendering contains them. */
async function mediaOfItem(
  { store }: TranscodingParts,
  call: Caller,
  item: string,
  { shapeId, sourceTags: tags }: Pick<TranscodeRequest, 'shapeId' | 'sourceTags'>,
): Promise<Media> {
  const shape = sourceShape(await readable(store, call, await loadShapes(store, item)), { shapeId, tags });
  if (!shape) throw noMedia(item);
  const file = await sourceFile(store, shape);
  const [document] = await shapeDocuments(store, [shape], { includePlaceholder: false, files: plainFileView });
  const videos = streamsIn(document!.videoComponent, file.id);
  const audios = streamsIn(document!.audioComponent, file.id);
  if (videos.length + audios.length === 0) {
    throw new JobFails(`Expected pictures or sound in the shape ${shape.id} of the item ${item}`);
  }
  const { width = 0, height = 0 } = videos[0]?.resolution ?? {};
  return {
    item,
    shapeId: shape.id,
    fileId: file.id,
    pictures: videos.map(({ numberOfPackets }) => (numberOfPackets === 1 ? 'still' : 'moving')),
    sounds: audios.length,
    size: width > 0 && height > 0 ? { width, height } : undefined,
  };
}

/** The shapes of an item whose bytes the caller may read. */
async function readable(store: Reader, call: Caller, shapes: readonly Shape[]): Promise<readonly Shape[]> {
  const all = new Map([['', shapes]]);
  const allowed = await shapesAllowed(store, call, await shapesAllowed(store, call, all, 'SHAPE'), 'URI');
  return allowed.get('') ?? [];
}

const noMedia = (item: string): JobFails =>
  new JobFails(`Expected media of the item ${item} that its user may read: there is none`);

/** Media of the first step, for which rights may have been taken away since. */
async function expectMedia({ store }: TranscodingParts, call: Caller, media: readonly Media[]): Promise<void> {
  for (const { item, shapeId } of media) {
    const shapes = (await loadShapes(store, item)).filter(({ id }) => id === shapeId);
    if ((await readable(store, call, shapes)).length < shapes.length) throw noMedia(item);
  }
}

/** A rendering holds the media, so terms of use may close it: those of other items than its own. */
async function mustUse(
  { store, clock }: TranscodingParts,
  call: Caller,
  { memo: { itemId } }: LeasedJob<RenderMemo>,
  media: readonly Media[],
): Promise<void> {
  const others = media.filter(({ item }) => item !== itemId);
  const shapes = others.map(({ item, shapeId }) => mediaOfShape({ id: shapeId, itemId: item }));
  await mustAllBeUsable(store, call, shapes, clock.now());
}

interface Stream {
  readonly essenceStreamId?: number | undefined;
  readonly file?: readonly { readonly id?: string | undefined }[] | undefined;
}

/** The components that are streams of a file, in its order. */
const streamsIn = <T extends Stream>(components: readonly T[] = [], fileId: string): readonly T[] =>
  components
    .filter(({ file = [] }) => file.length === 0 || file.some(({ id }) => id === fileId))
    .toSorted((a, b) => (a.essenceStreamId ?? 0) - (b.essenceStreamId ?? 0));

/** A track that a segment names is there. Without the first one, a part shows black pictures, or is silent. */
function expectTracks({ pictureTrack = 1, soundTrack = 1 }: PlannedPart, { item, pictures, sounds }: Media): void {
  const wanted = [
    ['pictures', pictureTrack, pictures.length],
    ['sound', soundTrack, sounds],
  ] as const;
  for (const [kind, track, trackCount] of wanted) {
    if (track === 1 || track <= trackCount) continue;
    throw new JobFails(`Expected ${track} tracks of ${kind} in the media of the item ${item}: found ${trackCount}`);
  }
}

/** Size of the rendering, in even numbers. */
function canvasOf({ rate, size: planned }: RenderPlan, media: readonly Media[]): JoinOrder['canvas'] {
  const { width, height } = planned ?? media.find(({ size }) => size !== undefined)?.size ?? defaultSize;
  const even = (pixels: number) => Math.min(Math.ceil(pixels / 2) * 2, largest);
  return { width: even(width), height: even(height), frame: frameOf(rate) };
}

/** Makes a file for each tag. */
export async function writeRender(parts: TranscodingParts, job: LeasedJob<RenderMemo>): Promise<StepResult> {
  const request = transcodeRequestOf(job.memo);
  const { plan, media } = job.memo;
  const call = await callerOfJob(parts, job);
  await expectMedia(parts, call, media);
  await mustUse(parts, call, job, media);
  const make: Maker = async (_output, preset, { progress, by }) => {
    const sources = new Map<string, MediaSource>();
    for (const { item, fileId } of media) {
      sources.set(item, await openTranscodingSource(parts, await fileOfJob(parts.store, fileId, 'source'), job.signal));
    }
    const joined = plan.parts.map((part) => partOf(part, plan, media, sources));
    const seconds = joined.reduce((sum, part) => sum + part.seconds, 0);
    const wanted = transcodeOrder(preset, { ...request, seconds });
    const order = plan.pictures ? wanted : { ...wanted, video: null };
    const joiner = await joinerFor(parts.transcoders(), order);
    by(joiner.name);
    const whole = { order, parts: joined, canvas: canvasOf(plan, media) };
    return failedBySource(job, () => joiner.join(whole, { signal: job.signal, progress }));
  };
  return writeOutputs(parts, job, request, make);
}

function partOf(
  { item, from, count, pictureTrack = 1, soundTrack = 1 }: PlannedPart,
  { rate, crop }: RenderPlan,
  media: readonly Media[],
  sources: ReadonlyMap<string, MediaSource>,
): JoinPart {
  const itemMedia = media.find((each) => each.item === item);
  const times = { from: secondsOfFrames(from, rate), seconds: secondsOfFrames(count, rate) };
  const tracks = { pictureTrack: pictureTrack - 1, soundTrack: soundTrack - 1 };
  if (!itemMedia) return { ...times, ...tracks, source: undefined, pictures: 'none', hasSound: false };
  const pictures = itemMedia.pictures[tracks.pictureTrack] ?? 'none';
  const hasSound = itemMedia.sounds > tracks.soundTrack;
  return { ...times, ...tracks, source: sources.get(itemMedia.item), pictures, hasSound, ...(crop && { crop }) };
}

/** Changes in the commit that ends the job: its sources are released. */
export async function endRender(parts: TranscodingParts, job: LeasedJob<RenderMemo>, how: JobEnd): Promise<CommitPlan> {
  const released = job.memo.media.flatMap(({ fileId }) => endReading({ fileId, jobId: job.id }));
  return together(changing(...released), await endOutputs(parts, job, how));
}
