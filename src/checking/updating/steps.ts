import { JobFails, type JobType } from '../../jobs/job-type.ts';
import { describeJob, text } from '../../jobs/memo.ts';
import { filesOfShapes, loadShapes, originalOf, shapeFor } from '../../shapes/public.ts';
import { nothing } from '../../store/commit-plan.ts';
import { checkShape } from '../check.ts';
import type { CheckParts } from '../parts.ts';

export const shapeUpdateJob = describeJob('SHAPE_UPDATE', {
  memo: { itemId: text, shapeId: text },
  tells: ['itemId', 'shapeId'],
});

/** Probes the files of a shape again, and tells of it what they are now. */
export const shapeUpdateType = (parts: CheckParts): JobType<typeof shapeUpdateJob.memo> => ({
  ...shapeUpdateJob,
  async restart({ memo: { itemId: item, shapeId: shape }, caller }) {
    await shapeFor(parts.store, caller, { item, shape }, 'WRITE');
    return nothing;
  },
  steps: [
    {
      step: 100,
      description: 'Media check',
      async run(job) {
        const { itemId, shapeId } = job.memo;
        const files = await filesOfShapes(parts.store, { ids: JSON.stringify([shapeId]) });
        const fileIds = [...new Set(files.map(({ fileId }) => fileId))];
        if (fileIds.length === 0) throw new JobFails(`Expected a shape that has files: ${shapeId}`);
        const original = originalOf(await loadShapes(parts.store, itemId))?.id === shapeId;
        return checkShape(parts, job, { itemId, shapeId, fileIds, original });
      },
    },
  ],
});
