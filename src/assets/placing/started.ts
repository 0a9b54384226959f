import type { Statement } from '../../core/store/contract.ts';
import type { PlacedFile } from './load.ts';
import { forgetCopy, letCopyRest } from './store.ts';

interface StartedCopies {
  readonly underWay: ReadonlySet<string>;
  readonly resting: ReadonlySet<string>;
  /** Times when storages may be tried again. */
  readonly restsUntil: readonly number[];
  /** Updates for copies whose jobs ended. */
  readonly changes: readonly Statement[];
}

/**
 * Status of the copies started by rules. Failed ones are retried after a rest. `moving`: the file that still has to
 * move.
 */
export function startedOf(
  { componentId, copies, started }: PlacedFile,
  now: number,
  rest: number,
  moving?: string,
): StartedCopies {
  const underWay = new Set<string>();
  const resting = new Map<string, number>();
  const changes: Statement[] = [];
  const occupied = new Set(copies.map(({ storageId }) => storageId));
  for (const row of started) {
    const { storageId, restUntil } = row;
    if (row.isLive === 1) underWay.add(storageId);
    else if (row.componentId === componentId) {
      const isThere = occupied.has(storageId) && row.fileId !== moving;
      const isDone = isThere || (restUntil !== null && restUntil <= now);
      if (isDone) changes.push(forgetCopy(row));
      else {
        const until = restUntil ?? now + rest;
        resting.set(storageId, until);
        if (restUntil === null) changes.push(letCopyRest({ ...row, until }));
      }
    }
  }
  return { underWay, resting: new Set(resting.keys()), restsUntil: [...resting.values()], changes };
}
