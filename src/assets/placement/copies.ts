import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { beginServiceJob } from '../../room/jobs/contract.ts';
import {
  type CopyRequest,
  copyOf,
  fileDeletionJob,
  notInJobs,
  removeUses,
  startCopy,
  startDeletion,
  whenOf,
} from '../../storage/public.ts';
import { type FileRow, findFile, usesOf } from '../../storage/public-reading.ts';
import type { ItemsContext } from '../items/public.ts';
import { loadPlaced, type PlacedFile } from './load.ts';
import { canSpare, isForbidden, keptWithout, type Storages } from './rules.ts';
import { copiesThere, insertCopy, notLocked, usesAre } from './store.ts';

/** Reason for removing a copy: forbidden by a rule, or a full storage. */
type Reason = 'forbidden' | 'surplus';

/** Deletion of a copy. Undefined: a component of the file needs it. */
export async function removalOf(
  parts: ItemsContext,
  fileId: string,
  storages: Storages,
  reason: Reason,
): Promise<CommitPlan | undefined> {
  const { store, clock } = parts;
  const now = clock.now();
  const row = await findFile(store, { id: fileId });
  const uses = await usesOf(store, { ids: [fileId] });
  const placed = await loadPlaced(
    store,
    uses.map(({ componentId }) => componentId),
    now,
  );
  if (!row || uses.length === 0 || placed.length < uses.length) return undefined;
  if (!placed.every((each) => spares(each, fileId, storages))) return undefined;
  if (reason === 'forbidden' && !placed.some((each) => forbids(each, fileId, storages))) return undefined;

  const elsewhere = changedMeanwhile('File', fileId);
  const names = {
    shapeId: [...new Set(uses.map(({ shapeId }) => shapeId))],
    itemId: [...new Set(uses.map(({ itemId }) => itemId))],
  };
  const distinct = (values: readonly string[]) => [...new Set(values)];
  const job = await beginServiceJob(parts, fileDeletionJob(row, names.itemId[0]));
  const guards = [
    ...placed.map((each) => keptThere(each, fileId, storages)),
    usesAre({ fileId, count: uses.length }, elsewhere),
    notInJobs({ fileId, jobId: job.jobId }, elsewhere),
    notLocked(
      {
        now,
        items: distinct(names.itemId),
        collections: distinct(placed.flatMap(({ collections }) => collections)),
        files: [fileId],
      },
      elsewhere,
    ),
    removeUses({ fileId }),
  ];
  return startDeletion(row, names, job, guards, whenOf(parts));
}

const copyIn = ({ copies }: PlacedFile, fileId: string) => copies.find((copy) => copy.fileId === fileId);

function spares(placed: PlacedFile, fileId: string, storages: Storages): boolean {
  const copy = copyIn(placed, fileId);
  const { rule, copies } = placed;
  return copy !== undefined && rule !== undefined && !copy.isHeld && canSpare(rule, copies, storages, copy);
}

function forbids(placed: PlacedFile, fileId: string, storages: Storages): boolean {
  const copy = copyIn(placed, fileId);
  return copy !== undefined && placed.rule !== undefined && isForbidden(placed.rule, storages, copy);
}

/** Guard: the copies that must remain still exist, so that the last one is never removed. */
function keptThere({ componentId, rule, copies }: PlacedFile, fileId: string, storages: Storages) {
  const copy = copies.find((each) => each.fileId === fileId)!;
  const remainingIds = keptWithout(rule!, copies, storages, copy).map((each) => each.fileId);
  const remaining = { componentId, ids: remainingIds, count: remainingIds.length };
  return copiesThere(remaining, changedMeanwhile('File', fileId));
}

/** Starts the job of a copy or move, and records it for the component: one per storage at a time. */
export async function beginCopy(
  parts: ItemsContext,
  { componentId, itemId }: PlacedFile,
  source: FileRow,
  request: CopyRequest,
): Promise<CommitPlan> {
  const copy = copyOf(source, request, itemId);
  const job = await beginServiceJob(parts, copy);
  const { jobId } = job;
  const { storageId } = request;
  const once = insertCopy({ componentId, storageId, fileId: source.id, jobId }, changedMeanwhile('File', source.id));
  return startCopy(copy, job, [once]);
}
