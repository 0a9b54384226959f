import { changing, together } from '../../../core/store/commit-plan.ts';
import { changeInTurn } from '../../../room/entities/turns.ts';
import type { LeasedJob, StepResult } from '../../../room/jobs/job-type.ts';
import { checkMedia } from '../../checking/public.ts';
import type { TranscodingParts } from '../parts.ts';
import type { TranscodeWish } from '../wish.ts';
import { outputChecked, outputsOf } from './store.ts';

/** Lets the media check fill the shapes that a job has made. */
export async function checkShapes(
  parts: TranscodingParts,
  job: LeasedJob,
  { destination: itemId, original }: TranscodeWish,
): Promise<StepResult> {
  const says: string[] = [];
  let warns = false;
  for (const { tag, made: isMade, checked, fileId, newShapeId } of await outputsOf(parts.store, { jobId: job.id })) {
    if (isMade === 0 || checked === 1 || fileId === null) continue;
    const about = { itemId, shapeId: newShapeId, fileId, original: original === tag };
    await changeInTurn(parts, { kind: 'item', id: itemId }, async () => {
      const checkedMedia = await checkMedia(parts, job, about);
      const seen = changing(job.mine, outputChecked({ jobId: job.id, tag }));
      await parts.store.commit(together(seen, checkedMedia.work ?? changing()), job.actor);
      says.push(...(checkedMedia.says ?? []));
      warns ||= checkedMedia.warns === true;
    });
  }
  return { says, warns };
}
