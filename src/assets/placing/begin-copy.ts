import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { beginServiceJob } from '../../room/jobs/contract.ts';
import { type CopyWish, copyOf, startCopy } from '../../storage/public.ts';
import type { FileRow } from '../../storage/public-reading.ts';
import type { ItemsContext } from '../items/public.ts';
import type { PlacedFile } from './load.ts';
import { insertCopy } from './store.ts';

/** Starts the job of a copy or move, and records it for the component: one per storage at a time. */
export async function beginCopy(
  parts: ItemsContext,
  { componentId, itemId }: PlacedFile,
  source: FileRow,
  wish: CopyWish,
): Promise<CommitPlan> {
  const copy = copyOf(source, wish, itemId);
  const job = await beginServiceJob(parts, copy);
  const { jobId } = job;
  const { storageId } = wish;
  const once = insertCopy({ componentId, storageId, fileId: source.id, jobId }, changedMeanwhile('File', source.id));
  return startCopy(copy, job, [once]);
}
