import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { MediaSource, StillType } from '../../../spi/index.ts';
import { failedBySource, pictureAt, stillsFrom } from '../../transcoding/public.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportMemo } from './export-job.ts';
import type { ExportedBytes } from './write.ts';

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
