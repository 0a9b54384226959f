import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { JobEnd, LeasedJob } from '../../../room/jobs/job-type.ts';
import { dropTarget, endReading, finishPending, forgetJob } from '../../../storage/public.ts';
import { findFile } from '../../../storage/public-reading.ts';
import type { TranscodingParts } from '../parts.ts';
import { forgetOutputs, outputsOf } from './store.ts';

/**
 * For the commit that ends a job with such steps: sources are let go of, and files that no shape has are deleted. A job
 * that was ended keeps the shapes that it has made.
 */
export async function endOutputs(parts: TranscodingParts, job: LeasedJob, how: JobEnd): Promise<CommitPlan> {
  const { store, clock } = parts;
  if (how !== 'FINISHED') {
    // Finishes a pending publication first: its bytes may already be at their path.
    await finishPending(parts, job, {
      actor: job.actor,
      commit: (work) => store.commit({ ...work, changes: [job.mine, ...work.changes] }, job.actor),
    });
  }
  const rows = await outputsOf(store, { jobId: job.id });
  const dropped: CommitPlan[] = [];
  for (const { made: isMade, fileId } of rows) {
    const file = isMade === 0 && fileId !== null ? await findFile(store, { id: fileId }) : undefined;
    if (file) dropped.push(dropTarget(file, clock.now()));
  }
  const sources = [...new Set(rows.map(({ sourceId }) => sourceId))];
  const released = sources.flatMap((fileId) => endReading({ fileId, jobId: job.id }));
  return together(
    changing(...released),
    ...dropped,
    changing(forgetOutputs({ jobId: job.id }), forgetJob({ jobId: job.id })),
  );
}
