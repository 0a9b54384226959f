import {
  filesNamed,
  filesOfShapes,
  idsOf,
  latestOf,
  mimeTypesOf,
  originalOf,
  type Shape,
  shapeParts,
} from '../../assets/shapes/public.ts';
import { mediaKind } from '../../core/lib/mime-types.ts';
import type { Reader } from '../../core/store/statement.ts';
import { JobFails, JobWaits, type LeasedJob } from '../../room/jobs/job-type.ts';
import type { MediaSource } from '../../spi/index.ts';
import { hasAllBytes, jobError, ruledAmong, storageRefusal, waitForBytes } from '../../storage/public.ts';
import type { FileRow } from '../../storage/public-reading.ts';
import { mediaSourceOf, type ProbeParts, stillMedia } from '../checking/public.ts';
import { mediaKindOf } from '../checking/public-reading.ts';

/** Requested source shape of a job. */
interface SourceWish {
  /** Shape named by the caller. */
  readonly shapeId?: string | undefined;
  /** Tags of preference: the first one that a shape has is used. */
  readonly tags: readonly string[];
  /** Essence version. Undefined: the latest. */
  readonly version?: number | undefined;
}

/** Source shape: the requested one, or the original of the latest version. */
export function sourceShape(
  shapes: readonly Shape[],
  { shapeId, tags, version = latestOf(shapes) }: SourceWish,
): Shape | undefined {
  if (shapeId !== undefined) return shapes.find(({ id }) => id === shapeId);
  const ofVersion = shapes.filter(({ essenceVersion, placeholder }) => essenceVersion === version && placeholder === 0);
  for (const tag of tags) {
    const tagged = ofVersion.findLast((shape) => shape.tags.includes(tag));
    if (tagged) return tagged;
  }
  return originalOf(ofVersion) ?? (tags.length === 0 ? ofVersion[0] : undefined);
}

/** Files of a shape or a component: those that are whole first, then by the priority of their storages. */
export async function bestFiles(reader: Reader, shapeId: string, componentId?: string): Promise<readonly FileRow[]> {
  const ofShape = await filesOfShapes(reader, idsOf([{ id: shapeId }]));
  const uses = ofShape.filter((use) => componentId === undefined || use.componentId === componentId);
  const ids = JSON.stringify([...new Set(uses.map(({ fileId }) => fileId))]);
  const rows = uses.length === 0 ? [] : await filesNamed(reader, { ids });
  const storages = await ruledAmong(
    reader,
    rows.map(({ storageId }) => storageId),
  );
  const rank = (row: FileRow): number =>
    (hasAllBytes(row) ? 0 : 1_000) +
    (storages.get(row.storageId)?.canRead ? 0 : 100) +
    (storages.get(row.storageId)?.priority ?? 10);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

/** The file of a shape that is read: one that is whole, on the storage of the highest priority. */
export async function sourceFile(reader: Reader, { id }: Shape): Promise<FileRow> {
  const [best] = await bestFiles(reader, id);
  if (!best) throw new JobFails(`Expected a file of the shape ${id}`);
  const waiting = waitForBytes(best);
  if (waiting) throw new JobWaits(waiting);
  return best;
}

/** The bytes of a file, on the first method of its storage that can read it. */
export async function openTranscodingSource(
  parts: ProbeParts,
  file: FileRow,
  signal: AbortSignal,
): Promise<MediaSource> {
  try {
    const { source } = await mediaSourceOf(parts, file, signal);
    if (source.size === 0) throw new JobFails(`Expected media to read: the file ${file.id} is empty`);
    return source;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFails) throw error;
    throw jobError(storageRefusal(error, { storage: file.storageId, path: file.path }), file.storageId);
  }
}

export interface SourceState {
  /** Media that stills are made of. */
  readonly stillMedia: string;
  readonly hasSound: boolean;
  /** Size of moving pictures. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** Duration in seconds. Undefined for a single picture. */
  readonly seconds: number | undefined;
  /** Media type of a picture that does not move. */
  readonly pictureType: string | undefined;
}

/** Streams and duration of a shape, as found by the media check. Unknown before the check. */
export async function seenIn(reader: Reader, shape: Shape): Promise<SourceState> {
  const elements = await shapeParts(reader, shape);
  const { videoComponent = [], audioComponent = [], binaryComponent = [], containerComponent } = elements;
  const [video] = videoComponent;
  const kinds = { video: videoComponent, audio: audioComponent, binary: binaryComponent };
  const present = Object.entries(kinds).flatMap(([kind, all]) => (all.length > 0 ? kind : []));
  const duration = containerComponent?.duration ?? video?.duration;
  const { numerator = 1, denominator = 1 } = duration?.timeBase ?? {};
  const isStill = video?.numberOfPackets === 1;
  const seconds = duration && !isStill && denominator > 0 ? (duration.samples * numerator) / denominator : undefined;
  const { width = 0, height = 0 } = video?.resolution ?? {};
  const size = width > 0 && height > 0 && !isStill ? { width, height } : undefined;
  const types = mimeTypesOf(shape);
  const media = stillMedia(new Set(present), types);
  const [type] = types;
  const pictureType = isStill && type !== undefined && mediaKind(type) === 'picture' ? type : undefined;
  return { stillMedia: media, hasSound: audioComponent.length > 0, size, seconds, pictureType };
}

/** Fails the job if the transcoder cannot read the source: a retry would fail in the same way. */
export async function failedBySource<T>(job: LeasedJob, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    job.signal.throwIfAborted();
    throw mediaKindOf(error) === undefined ? error : new JobFails((error as Error).message, { cause: error });
  }
}

/** Whether a job fails because programs of this machine do not know the media, which is whole. */
export const isUnread = (error: unknown): error is JobFails =>
  error instanceof JobFails && mediaKindOf(error.cause) === 'unsupported';
