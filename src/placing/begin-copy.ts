import type { ItemsContext } from '../items/public.ts';
import { beginServiceJob } from '../jobs/contract.ts';
import { changedMeanwhile } from '../lib/retry-when-changed.ts';
import { type CopyWish, copyOf, startCopy } from '../media/public.ts';
import type { FileRow } from '../media/public-reading.ts';
import type { CommitPlan } from '../store/contract.ts';
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
