import { mustHaveSome } from '../../../assets/access/public-reading.ts';
import { itemName } from '../../../assets/items/contract/entities.ts';
import { changing, nothing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { JobFails, type JobStep, type JobType, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { forgetClaims } from '../claims/store.ts';
import type { IngestParts } from '../parts.ts';
import { type ImportFields, type ImportMemo, importJobs } from '../steps/import-job.ts';
import { sidecarWork } from './apply.ts';
import { readSidecar } from './read.ts';
import { forgetSidecar, sidecarOf } from './store.ts';

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
