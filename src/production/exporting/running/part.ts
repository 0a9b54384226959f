import { loadShapes, mimeTypesOf } from '../../../assets/shapes/public.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { findFile } from '../../../storage/public-reading.ts';
import { cutFormat, cutterFrom, failedBySource, openTranscodingSource } from '../../transcoding/public.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportMemo } from './export-job.ts';
import { SourceGone } from './source.ts';
import type { ExportRow } from './store.ts';
import type { ExportedBytes } from './write.ts';

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
