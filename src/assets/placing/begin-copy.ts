import { ownOrder } from '../../jobs/contract.ts';
import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import type { FileRow } from '../../media/files/store.ts';
import { type CopyWanted, orderedCopy, startCopy } from '../../media/jobs/copying/order.ts';
import type { CommitPlan } from '../../store/contract.ts';
import type { AssetParts } from '../parts.ts';
import type { Placed } from './load.ts';
import { insertCopy } from './store.ts';

/** Starts the job of a copy or move, and records it for the component: one per storage at a time. */
export async function beginCopy(
  { store, services }: AssetParts,
  { componentId, itemId }: Placed,
  source: FileRow,
  wanted: CopyWanted,
): Promise<CommitPlan> {
  const jobId = await store.nextId('job');
  const order = ownOrder(jobId, orderedCopy(source, wanted, itemId));
  const { storageId } = wanted;
  const once = insertCopy({ componentId, storageId, fileId: source.id, jobId }, changedMeanwhile('File', source.id));
  return startCopy(services, source, { order, guards: [once] });
}
