import { prepareMetadata, systemChange } from '../../../assets/metadata/public.ts';
import { deleteShapes, findShape, loadShapes, tagsOf, withTags } from '../../../assets/shapes/public.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { JobEnd, LeasedJob } from '../../../room/jobs/job-type.ts';
import { dropTarget, finishPending, forgetJob } from '../../../storage/public.ts';
import { findFile, usesOf } from '../../../storage/public-reading.ts';
import type { IngestParts } from '../parts.ts';
import { forgetClaims, forgetSidecar, forgetUploadKey } from '../store.ts';
import { detached } from './attach.ts';
import type { ImportMemo } from './import-job.ts';

const nothing: CommitPlan = changing();

/** Clean-up after an import: deletes unused copies and shapes. The item stays. */
export async function importEnded(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  how: JobEnd,
  makesShape: boolean,
): Promise<CommitPlan> {
  const { id: jobId } = job;
  const forgotten = [forgetClaims, forgetJob, forgetUploadKey, forgetSidecar].map((forget) => forget({ jobId }));
  const cleaned = how === 'FINISHED' ? nothing : await clean(parts, job, makesShape);
  return together(cleaned, changing(...forgotten));
}

async function clean(parts: IngestParts, job: LeasedJob<ImportMemo>, makesShape: boolean): Promise<CommitPlan> {
  const { store, clock } = parts;
  const { targetId, isCopy, isWritten } = job.memo;
  const isFinished =
    isCopy &&
    (await finishPending(parts, job, {
      actor: job.actor,
      commit: (work) => store.commit({ ...work, changes: [job.mine, ...work.changes] }, job.actor),
    }));
  const back = await detached(parts, job);
  const shape = makesShape ? await madeShape(parts, job) : nothing;
  const target = targetId === undefined || !isCopy ? undefined : await findFile(store, { id: targetId });
  // Otherwise foreign bytes were found at the path, and the row describes them by now.
  const isOurs = target && (isWritten || isFinished || target.state === 'TO_APPEAR');
  const isKept = isOurs && (await isUsed(parts, job, target.id));
  return together(back, shape, isOurs && !isKept ? dropTarget(target, clock.now()) : nothing);
}

/** Components have the file but for the one that gives it back. */
async function isUsed({ store }: IngestParts, job: LeasedJob<ImportMemo>, id: string): Promise<boolean> {
  const { componentId, isFilled } = job.memo;
  const uses = await usesOf(store, { ids: [id] });
  return uses.some((use) => isFilled || use.componentId !== componentId);
}

/** The shape that the job made, and that no file has filled. */
async function madeShape(parts: IngestParts, job: LeasedJob<ImportMemo>): Promise<CommitPlan> {
  const { store } = parts;
  const { shapeId, itemId, isFilled, joins } = job.memo;
  const row = shapeId === undefined || isFilled || joins ? undefined : await findShape(store, { id: shapeId });
  if (!row) return nothing;
  const shapes = await withTags(store, [row]);
  const left = (await loadShapes(store, itemId)).filter(({ id }) => id !== row.id);
  const tags = [...tagsOf(left)];
  const tagChange = await prepareMetadata(parts, { kind: 'item', id: itemId }, [systemChange({ shapeTag: tags })]);
  return together(await deleteShapes(parts, shapes, { tags: ['*'] }), tagChange);
}
