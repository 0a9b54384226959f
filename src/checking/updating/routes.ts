import { type Route, route } from '../../http/route.ts';
import { startJob } from '../../jobs/contract.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { jobParameters } from '../../jobs/parameters.ts';
import type { RoomContext } from '../../room/context.ts';
import {
  itemChangeable,
  noSuchShape,
  shapeFor,
  shapePath,
  shapeThere,
  writeShapes as write,
} from '../../shapes/public.ts';
import { changing } from '../../store/commit-plan.ts';
import type { CheckParts } from '../parts.ts';
import { shapeUpdateJob } from './steps.ts';

export function shapeUpdateRoutes(
  parts: CheckParts & Pick<RoomContext, 'render' | 'services' | 'jobTypes'>,
): readonly Route[] {
  const { store } = parts;
  return [
    route({
      method: 'POST',
      path: `${shapePath}/update`,
      says: 'Probes the files of a shape again, as a job that updates its components and the metadata of the item.',
      query: jobParameters,
      answers: jobDocument,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { id: shapeId, itemId } = await shapeFor(store, call, params, 'WRITE');
        const there = [...itemChangeable(parts, call, itemId), shapeThere({ id: shapeId }, noSuchShape(shapeId))];
        const job = { job: shapeUpdateJob, memo: { itemId, shapeId } };
        return await startJob(parts, call, job, changing(...there));
      },
    }),
  ];
}
