import { askerOf } from '../../../assets/definitions/public-reading.ts';
import { metadataOf, projectionNamed, projections, storedView } from '../../../assets/metadata/public.ts';
import { metadataDocument, metadataListDocument } from '../../../assets/metadata/public-reading.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Job } from '../../../room/jobs/documents.ts';
import { JobFails, jobPriorities, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import type { ExportParts } from '../parts.ts';
import { findExportJob } from '../store.ts';
import type { ExportMemo } from './export-job.ts';

interface Exporting {
  readonly parts: ExportParts;
  readonly job: LeasedJob<ExportMemo>;
  readonly call: Caller;
  readonly memo: ExportMemo;
}

/** Job document for stylesheets. */
export async function jobOf({ store }: ExportParts, { id: jobId, user, type, data }: LeasedJob): Promise<Job> {
  const row = await findExportJob(store, { id: jobId });
  return {
    jobId,
    ...(user !== undefined && { user }),
    ...(row && { started: row.createdAt }),
    status: 'STARTED',
    type,
    priority: jobPriorities[row?.priority ?? -1] ?? 'MEDIUM',
    data: data.map(([key, value]) => ({ key, value })),
  };
}

/** The metadata of an item, or what a projection makes of it. */
export async function sidecarBytes(
  { parts, call, memo, job }: Exporting,
  itemId: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { store, render, settings, hooks } = parts;
  const by = { site: settings.site, asker: await askerOf(call) };
  const metadataById = await metadataOf(store, [{ kind: 'item', id: itemId }], storedView, by);
  const metadata = metadataById.get(itemId) ?? {};
  try {
    const projection = await projectionNamed(parts, store, memo.projection, 'outgoing');
    if (!projection) {
      const { body } = render('application/xml', metadataDocument, metadata);
      return new TextEncoder().encode([body as string | readonly string[]].flat().join(''));
    }
    const metadataList = { item: [{ metadata, id: itemId }] };
    const information = { metadataList, job: await jobOf(parts, job) };
    const { text } = await hooks
      .need(projections)
      .outgoing(projection, metadataListDocument, metadataList, information);
    return new TextEncoder().encode(text);
  } catch (error) {
    throw projectionFails(error, memo.projection);
  }
}

const ofProjections: ReadonlySet<string> = new Set(['no-such-entity', 'bad-value', 'not-implemented']);

/** A projection that went meanwhile, or that fails, does so again. */
export function projectionFails(error: unknown, name: string | undefined): unknown {
  if (!(error instanceof ServiceError && ofProjections.has(error.code))) return error;
  return new JobFails(`${error.detail.explanation ?? 'Expected it to be there'} (projection "${name ?? ''}")`);
}
