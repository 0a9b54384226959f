import {
  attachFile,
  changeShape,
  componentsOfShapes,
  fileUsable,
  findShape,
  removeUse,
  shapeEvent,
  withTags,
  writeComponent,
} from '../../../assets/shapes/public.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { JobFails, type JobStep, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import { noSuchFile } from '../../../storage/public.ts';
import type { IngestParts } from '../parts.ts';
import type { ImportMemo } from './import-job.ts';
import { targetOf } from './in-place.ts';

const nothing: CommitPlan = changing();

async function shapeOf({ store }: IngestParts, { shapeId, itemId }: ImportMemo) {
  const row = shapeId === undefined ? undefined : await findShape(store, { id: shapeId });
  if (row?.itemId !== itemId) return undefined;
  const [shape] = await withTags(store, [row]);
  const components = await componentsOfShapes(store, { ids: [row.id] });
  return { shape: shape!, shapes: [shape!], components };
}

/**
 * Gives the file of one track to its component, so that the check of the file fills this component and no other one. A
 * file that is the whole shape gets its components from the check.
 */
export const attachStep = (parts: IngestParts): JobStep<ImportMemo> => ({
  step: 200,
  description: 'Creating file entity',
  settled({ memo }) {
    const { componentId, targetId } = memo;
    return componentId === undefined && targetId !== undefined ? { says: [targetId] } : undefined;
  },
  async run(job): Promise<StepResult<ImportMemo>> {
    const importing = job.memo;
    const { id: fileId } = await targetOf(parts, importing);
    if (importing.componentId === undefined) return { says: [fileId] };
    const shape = await shapeOf(parts, importing);
    const component = shape?.components.find(({ id }) => id === importing.componentId);
    if (!shape || !component) throw new JobFails('Expected the component to stay until the job ends: it is gone');
    if (component.expected === 0) throw new JobFails(`Expected a component that waits for a file: ${component.id}`);
    if (component.kind === 'container' || component.kind === 'binary') return { says: [fileId] };
    const guards = [fileUsable({ id: fileId }, noSuchFile(fileId))];
    return { work: attachFile(shape, component, fileId, guards), memo: { isAttached: true }, says: [fileId] };
  },
});

/** A component whose file turned out to be none waits for another one. */
export async function detached(parts: IngestParts, job: LeasedJob<ImportMemo>): Promise<CommitPlan> {
  const importing = job.memo;
  const { componentId, targetId, isFilled } = importing;
  if (!job.memo.isAttached || isFilled || targetId === undefined) return nothing;
  const shape = await shapeOf(parts, importing);
  const component = shape?.components.find(({ id }) => id === componentId);
  if (!shape || !component) return nothing;
  const { id, shapeId, position, document } = component;
  return {
    changes: [
      ...changeShape(shape.shape, { placeholder: 1 }),
      writeComponent({ id, shapeId, position, expected: 1, document }),
      removeUse({ fileId: targetId, componentId: id }),
    ],
    events: [shapeEvent('modify', shape.shape)],
  };
}
