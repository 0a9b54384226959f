import { unlockedFor } from '../../assets/items/contract/item-locks.ts';
import { askUserOfJob } from '../../assets/search/public.ts';
import {
  filesOfShapes,
  loadShapes,
  mustHaveShapes,
  originalOf,
  shapeFor,
  shapePath,
  shapesAt,
  writeShapes as write,
} from '../../assets/shapes/public.ts';
import { changing, nothing } from '../../core/store/commit-plan.ts';
import { type Route, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { jobAhead, startJob } from '../../room/jobs/contract.ts';
import { jobDocument } from '../../room/jobs/documents.ts';
import { JobFails, type JobType } from '../../room/jobs/job-type.ts';
import { describeJob, text } from '../../room/jobs/memo.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import { checkShape } from './check.ts';
import type { CheckParts } from './parts.ts';

const shapeUpdateJob = describeJob('SHAPE_UPDATE', {
  memo: { itemId: text, shapeId: text },
  tells: ['itemId', 'shapeId'],
});

/** Probes the files of a shape again, and tells of it what they are now. */
export const shapeUpdateType = (
  parts: CheckParts & Pick<RoomContext, 'services'>,
): JobType<typeof shapeUpdateJob.memo> => ({
  ...shapeUpdateJob,
  needs: ({ itemId: id }) => [{ on: 'item', id, level: 'WRITE', part: 'SHAPE' }],
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
        const files = await filesOfShapes(parts.store, { ids: [shapeId] });
        const fileIds = [...new Set(files.map(({ fileId }) => fileId))];
        if (fileIds.length === 0) throw new JobFails(`Expected a shape that has files: ${shapeId}`);
        const shapes = await loadShapes(parts.store, itemId);
        const named = shapes.filter(({ id }) => id === shapeId);
        await askUserOfJob(parts, job, (call) => mustHaveShapes(parts.store, call, named, 'WRITE'));
        const original = originalOf(shapes)?.id === shapeId;
        return checkShape(parts, job, { itemId, shapeId, fileIds, original });
      },
    },
  ],
});

export function shapeUpdateRoutes(
  parts: CheckParts & Pick<RoomContext, 'render' | 'services' | 'jobTypes'>,
): readonly Route[] {
  const { store, clock } = parts;
  return [
    route({
      method: 'POST',
      path: `${shapePath}/update`,
      says: 'Probes the files of a shape again, as a job that updates its components and the metadata of the item.',
      entities: shapesAt(store).shape('WRITE'),
      ahead: () => jobAhead(parts),
      query: jobParameters,
      answers: jobDocument,
      access: write,
      acting: 'allowed',
      handle(call, { shape: { id: shapeId, itemId } }) {
        const job = { job: shapeUpdateJob, memo: { itemId, shapeId } };
        return startJob(parts, call, job, changing(unlockedFor(call, itemId, clock.now())));
      },
    }),
  ];
}
