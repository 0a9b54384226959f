import type { HeldJob } from '../../jobs/job-type.ts';
import type { TranscodingParts } from '../parts.ts';
import type { TranscodeWish } from '../wish.ts';
import { outputChecked, outputsOf } from './store.ts';

/** Lets the media check fill the shapes that a job has made. */
export async function checkShapes(parts: TranscodingParts, job: HeldJob, _wish: TranscodeWish): Promise<void> {
  for (const { tag, checked } of await outputsOf(parts.store, { jobId: job.id })) {
    if (checked === 1) continue;
    await parts.store.commit({ changes: [job.mine, outputChecked({ jobId: job.id, tag })], events: [] }, job.actor);
  }
}
