import { originalOf } from '../../assets/shapes/essence.ts';
import { loadShapes } from '../../assets/shapes/load.ts';
import { filesOfShapes } from '../../assets/shapes/store.ts';
import { type HeldJob, JobFails, type JobType } from '../../jobs/job-type.ts';
import { checkShape } from '../check.ts';
import type { CheckParts } from '../parts.ts';

export const updateType = 'SHAPE_UPDATE';

const orderedShape = ({ memo }: HeldJob) => ({ itemId: String(memo['itemId']), shapeId: String(memo['shapeId']) });

/** Probes the files of a shape again, and tells of it what they are now. */
export const shapeUpdateType = (parts: CheckParts): JobType => ({
  type: updateType,
  data: ['shapeId'],
  steps: [
    {
      step: 100,
      description: 'Media check',
      async run(job) {
        const { itemId, shapeId } = orderedShape(job);
        const files = await filesOfShapes(parts.store, { ids: JSON.stringify([shapeId]) });
        const fileIds = [...new Set(files.map(({ fileId }) => fileId))];
        if (fileIds.length === 0) throw new JobFails(`Expected a shape that has files: ${shapeId}`);
        const original = originalOf(await loadShapes(parts.store, itemId))?.id === shapeId;
        return checkShape(parts, job, { itemId, shapeId, fileIds, original });
      },
    },
  ],
  ended: async () => ({ changes: [], events: [] }),
});
