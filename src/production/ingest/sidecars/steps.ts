import { mustHaveSome } from '../../../assets/access/public-reading.ts';
import { askerOf } from '../../../assets/definitions/public-reading.ts';
import { itemName } from '../../../assets/items/contract/entities.ts';
import { itemMustExist } from '../../../assets/items/contract/store.ts';
import {
  metadataRequestInSteps,
  prepareRequests,
  projectionNamed,
  projections,
} from '../../../assets/metadata/public.ts';
import { isKept, type MetadataDocumentValue, metadataDocument } from '../../../assets/metadata/public-reading.ts';
import { callerOfJob } from '../../../assets/search/public.ts';
import { itemGone } from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { isChanged } from '../../../core/lib/retry-when-changed.ts';
import { runInSlices } from '../../../core/lib/turn.ts';
import { changing, nothing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { isOutage } from '../../../core/store/faults.ts';
import { documentFrom } from '../../../http/body.ts';
import { leftOut } from '../../../room/hook.ts';
import { JobFails, type JobStep, type JobType, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { IngestParts } from '../parts.ts';
import { type ImportFields, type ImportMemo, importJobs } from '../steps/import-job.ts';
import { forgetClaims, forgetSidecar, sidecarOf } from '../store.ts';
import { captionsHook, readSidecar, type Sidecar } from './sidecar.ts';

/** Changes of a sidecar, as a change set of the user of the job. Throws `JobFails` for an unusable sidecar. */
async function sidecarWork(parts: IngestParts, job: LeasedJob<ImportMemo>, sidecar: Sidecar): Promise<CommitPlan> {
  const { memo, user } = job;
  const language = job.data.find(([key]) => key === 'subtitleLanguage')?.[1];
  const document = (await projectedOf(parts, sidecar, memo.projection)) ?? (await documentOf(parts, sidecar, language));
  const owner = { kind: 'item', id: memo.itemId } as const;
  try {
    const request = await runInSlices(metadataRequestInSteps(document, { system: false, isIgnored: isKept }));
    const requests = [{ by: user ?? 'system', request }];
    // Jobs without a user have the rights of the service itself.
    const call = user === undefined ? undefined : await callerOfJob(parts, job);
    if (call) await mustHaveSome(parts.store, call, itemName, owner, 'WRITE', 'METADATA');
    const rights = call && { asker: await askerOf(call), skipForbidden: false };
    const prepared = await prepareRequests(parts, owner, requests, rights);
    return { ...prepared, changes: [itemMustExist(owner.id, itemGone(owner.id)), ...prepared.changes] };
  } catch (error) {
    if (!(error instanceof ServiceError) || isChanged(error)) throw error;
    throw new JobFails(`${sidecar.name}: ${error.detail.explanation ?? error.code} ${error.detail.id ?? ''}`.trim());
  }
}

/** Document that the projection of an auto-import rule makes of an XML sidecar. Undefined: no projection applies. */
async function projectedOf(
  parts: IngestParts,
  sidecar: Sidecar,
  name: string | undefined,
): Promise<MetadataDocumentValue | undefined> {
  if (!name || !/\.xml$/i.test(sidecar.name)) return undefined;
  try {
    const projection = await projectionNamed(parts, parts.store, name, 'incoming');
    return projection && (await parts.hooks.need(projections).incoming(projection, sidecar.text));
  } catch (error) {
    if (!(error instanceof ServiceError) || isOutage(error)) throw error;
    const says = error.detail.explanation ?? `Expected the incoming stylesheet of the projection "${name}" to be there`;
    throw new JobFails(`${sidecar.name}: ${says}`);
  }
}

async function documentOf(
  { limits, hooks }: IngestParts,
  sidecar: Sidecar,
  language: string | undefined,
): Promise<MetadataDocumentValue> {
  const read = hooks.find(captionsHook);
  const subtitles = await read?.(sidecar, limits, language);
  if (subtitles) return subtitles;
  if (/^\s*[<{]/.test(sidecar.text.replace(/^\uFEFF/, ''))) {
    try {
      return documentFrom(sidecar.text.replace(/^\uFEFF/, ''), metadataDocument, limits, sidecar.name);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new JobFails(`${sidecar.name}: ${error.detail.explanation ?? error.code}`);
    }
  }
  if (!read) throw new JobFails(`${sidecar.name}: ${leftOut(captionsHook.room).detail.explanation}`);
  throw new JobFails(`Expected a MetadataDocument or subtitles (SubRip, WebVTT, TTML, SCC): ${sidecar.name}`);
}

/** Sidecars of an import. One that says nothing useful is told, and the import goes on. */
export const sidecarStep = (parts: IngestParts): JobStep<ImportMemo> => ({
  step: 600,
  description: 'Applying sidecars',
  settled: ({ memo: { sidecars } }) => (sidecars.length === 0 ? {} : undefined),
  async run(job) {
    const works: CommitPlan[] = [];
    const says: string[] = [];
    let warns = false;
    for (const named of job.memo.sidecars) {
      try {
        const sidecar = await readSidecar(parts, job, named);
        // A commit holds a single change of the metadata, so each sidecar is read after the commit of the one before.
        if (works.length > 0) await parts.store.commit(together(changing(job.mine), works.pop()!), job.actor);
        works.push(await sidecarWork(parts, job, sidecar));
        says.push(sidecar.name);
      } catch (error) {
        if (!(error instanceof JobFails)) throw error;
        warns = true;
        says.push(error.message);
      }
    }
    return { ...(works[0] && { work: works[0] }), says, warns };
  },
});

const applied = async (parts: IngestParts, job: LeasedJob<ImportMemo>) => {
  const storedSidecar = await sidecarOf(parts.store, { jobId: job.id });
  const sidecar = storedSidecar ?? (await readSidecar(parts, job, job.memo.sidecars[0]!));
  return { work: await sidecarWork(parts, job, sidecar), says: [sidecar.name] };
};

/** A sidecar of an item that is there already. */
export const sidecarType = (parts: IngestParts): JobType<ImportFields> => ({
  ...importJobs.SIDECAR_IMPORT,
  needs: ({ itemId: id }) => [{ on: 'item', id, level: 'WRITE', part: 'METADATA' }],
  async restart({ memo: { itemId: id }, caller }) {
    await mustHaveSome(parts.store, caller, itemName, { id }, 'WRITE', 'METADATA');
    return nothing;
  },
  steps: [{ step: 100, description: 'Applying sidecar', run: (job) => applied(parts, job) }],
  ended: async ({ id: jobId }) => changing(forgetSidecar({ jobId }), forgetClaims({ jobId })),
});
