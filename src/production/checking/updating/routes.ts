import { unlockedFor } from '../../../assets/items/contract/item-locks.ts';
import { shapePath, shapesAt, writeShapes as write } from '../../../assets/shapes/public.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type Route, route } from '../../../http/route.ts';
import type { RoomContext } from '../../../room/context.ts';
import { jobAhead, startJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import type { CheckParts } from '../parts.ts';
import { shapeUpdateJob } from './steps.ts';

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
