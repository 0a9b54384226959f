import { loadShapes, mimeTypesOf } from '../../../assets/shapes/public.ts';
import { passing } from '../../../core/lib/streams.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { MediaUse } from '../../../room/media.ts';
import type { EmbeddedCopy, MediaSource, StillType } from '../../../spi/index.ts';
import { jobError, kindOfFailure, methodsOf, storageRefusal } from '../../../storage/public.ts';
import { findFile } from '../../../storage/public-reading.ts';
import { mediaKindOf } from '../../checking/public-reading.ts';
import {
  cutFormat,
  cutterFrom,
  failedBySource,
  openTranscodingSource,
  pictureAt,
  stillsFrom,
} from '../../transcoding/public.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportRow } from '../store.ts';
import type { ExportMemo } from './export-job.ts';
import type { ExportedBytes } from './write.ts';

/** The file to export is not there any more. */
export class SourceGone extends Error {}

/** Bytes that are given out while they may be used. The file counts as gone from then on. */
export const whileUsable = ({ body, size }: ExportedBytes, { stillUsable }: MediaUse): ExportedBytes => {
  if (!stillUsable) return { body, size };
  const each = () =>
    stillUsable().catch(() => {
      throw new SourceGone();
    });
  return { body: passing(body, { each }), size };
};

/** Opens the bytes of a file by the first method that can read them. */
export async function openExportSource(
  { store, places }: Pick<ExportParts, 'store' | 'places'>,
  { signal }: LeasedJob,
  fileId: string,
): Promise<ExportedBytes> {
  const row = await findFile(store, { id: fileId });
  if (!row || row.state === 'TO_BE_DELETED') throw new SourceGone();
  const { storageId, path, content } = row;
  let refusal: unknown;
  for (const method of await methodsOf(store, { id: storageId })) {
    if (method.read === 0) continue;
    try {
      const driver = await places.of(method);
      const version = content === null ? {} : { version: content };
      const { file, body } = await driver.read(path, { ...version, signal });
      // A driver may find out only while it reads that a file is gone.
      const fails = (error: unknown) => sourceError(error, fileId) ?? error;
      return { body: passing(body, { fails }), size: file.size };
    } catch (error) {
      signal.throwIfAborted();
      refusal ??= error;
    }
  }
  if (refusal === undefined) throw new JobFails(`Expected a storage with a method that reads: ${storageId}`);
  throw sourceError(refusal, fileId) ?? jobError(storageRefusal(refusal, { storage: storageId, path }), storageId);
}

function sourceError(error: unknown, fileId: string): Error | undefined {
  const kind = kindOfFailure(error);
  if (kind === 'not-found') return new SourceGone();
  return kind === 'changed' ? new JobFails(`Expected the file ${fileId} to stay as it was`) : undefined;
}

const second = 1_000_000;

/** Gives a part of a file to a writer, and forgets it afterwards. */
export async function withPart<T>(
  parts: ExportParts,
  job: LeasedJob,
  { start = 0, end }: ExportMemo,
  { fileId, itemId, shapeId }: ExportRow,
  write: (bytes: ExportedBytes) => Promise<T>,
): Promise<T> {
  const { store, transcoders } = parts;
  const file = await findFile(store, { id: fileId });
  if (!file || file.state === 'TO_BE_DELETED') throw new SourceGone();
  const shape = (await loadShapes(store, itemId)).find(({ id }) => id === shapeId);
  const format = cutFormat(file.path, shape ? mimeTypesOf(shape) : []);
  if (format === undefined) throw new JobFails(`Expected media that a part can be cut out of: ${fileId}`);
  const cutter = await cutterFrom(transcoders());
  const source = await openTranscodingSource(parts, file, job.signal);
  const order = { format, from: start / second, ...(end !== undefined && { to: end / second }) };
  const options = { signal: job.signal, progress: () => undefined };
  const cutting = await failedBySource(job, () => cutter.cut(source, order, options));
  for (const sentence of cutting.warnings) job.subStep(sentence);
  try {
    return await write({ body: cutting.body(), size: cutting.size });
  } finally {
    await cutting.close();
  }
}

/** Gives a copy of a file with a packet of XMP inside to a writer. One that takes none is given as it is, with a reason. */
export async function withXmp<T>(
  parts: ExportParts,
  job: LeasedJob,
  { fileId, itemId, shapeId }: ExportRow,
  xmp: string,
  write: (bytes: ExportedBytes) => Promise<T>,
  plain: string[],
): Promise<T> {
  const { store, media } = parts;
  const file = await findFile(store, { id: fileId });
  if (!file || file.state === 'TO_BE_DELETED') throw new SourceGone();
  const shape = (await loadShapes(store, itemId)).find(({ id }) => id === shapeId);
  const [mimeType = ''] = shape ? mimeTypesOf(shape) : [];
  const source = await openTranscodingSource(parts, file, job.signal);
  let copy: EmbeddedCopy;
  try {
    copy = await media.embed!(source, { mimeType, xmp }, { signal: job.signal });
  } catch (error) {
    job.signal.throwIfAborted();
    if (mediaKindOf(error) === undefined) throw error;
    plain.push(`No XMP inside ${fileId}: ${(error as Error).message}`);
    return write(await openExportSource(parts, job, fileId));
  }
  try {
    return await write({ body: copy.body(), size: copy.size });
  } finally {
    await copy.close();
  }
}

/** The bytes of a picture, in the type that was asked for. A transcoder makes another type. */
export async function pictureBytes(parts: ExportParts, job: LeasedJob, memo: ExportMemo): Promise<ExportedBytes> {
  const { target: kind, id: itemId, pictured: version = 0, instant = 0, type } = memo;
  const [row] = await pictureAt(parts.store, { itemId, kind, version, instant });
  if (!row) throw new JobFails(`Expected the ${kind} to stay until the job ends`);
  const bytes =
    type === undefined || type === row.type ? row.bytes : await remade(parts, job, row.bytes, type as StillType);
  return { body: new Blob([bytes]).stream(), size: bytes.byteLength };
}

async function remade(
  { transcoders }: ExportParts,
  job: LeasedJob,
  bytes: Uint8Array<ArrayBuffer>,
  type: StillType,
): Promise<Uint8Array<ArrayBuffer>> {
  const transcoder = await stillsFrom(transcoders(), type);
  const source: MediaSource = { size: bytes.byteLength, read: async ({ from, end }) => bytes.slice(from, end) };
  let stillBytes: Uint8Array<ArrayBuffer> | undefined;
  const keep = async (still: { readonly bytes: Uint8Array<ArrayBuffer> }) => {
    stillBytes = still.bytes;
  };
  await failedBySource(job, () => transcoder.stills(source, { seconds: [0], type }, keep, { signal: job.signal }));
  if (stillBytes) return stillBytes;
  throw new JobFails(`Expected the transcoder to make a picture of the type ${type}`);
}
