import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { type Statement, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { addTo, type Counted, type ScanCounters } from '../counters.ts';
import { commitBatch } from '../merging/commit.ts';
import type { MergeDecision } from '../merging/rules.ts';
import { saveProgress, scanLeaseHolds } from './store.ts';

/** Thrown if another instance has taken the scan, or the storage was deleted. */
export const scanLost = changedMeanwhile('Storage', 'scan');

/** Ends a scan that needs a decision of an administrator. */
export class ScanStopped extends Error {}

interface ProgressParts {
  readonly store: Store;
  readonly storage: string;
  readonly fence: number;
  /** Files that the scan may miss before it stops. */
  readonly maxMissed: number;
}

/** Progress of a scan. Saved with each commit, so that no file is judged twice. */
export class ScanProgress {
  readonly #parts: ProgressParts;
  cursor: string;
  found: ScanCounters;

  constructor(parts: ProgressParts, cursor: string, counters: ScanCounters) {
    this.#parts = parts;
    this.cursor = cursor;
    this.found = counters;
  }

  /** Puts the changes behind a guard: this instance still owns the scan. */
  held(...changes: readonly Statement[]): readonly Statement[] {
    const { storage, fence } = this.#parts;
    return [scanLeaseHolds({ storageId: storage, fence }, scanLost), ...changes];
  }

  saved(cursor = this.cursor, counters = this.found): Statement {
    return saveProgress({ id: this.#parts.storage, cursor, found: JSON.stringify(counters) });
  }

  commit(...changes: readonly Statement[]): Promise<unknown> {
    return this.#parts.store.commit({ changes: this.held(...changes), events: [] }, systemActor);
  }

  /** Writes a batch of files; then all up to this path is done. */
  async write(decisions: readonly MergeDecision[], upTo: string): Promise<void> {
    const { store, storage } = this.#parts;
    const foundWith = (written: readonly MergeDecision[]) => addTo(this.found, countsOf(written));
    const written = await commitBatch({
      store,
      storage,
      decisions,
      with: (these) => this.held(this.saved(upTo, foundWith(these))),
    });
    this.found = foundWith(written);
    this.cursor = upTo;
  }

  /** The decisions up to the one with which more files are missed than a scan may. */
  allowed(decisions: readonly MergeDecision[]): readonly MergeDecision[] {
    if (this.found.accepted) return decisions;
    let missed = this.found.missing;
    const over = decisions.findIndex(({ counts }) => counts === 'missing' && ++missed > this.#parts.maxMissed);
    return over < 0 ? decisions : decisions.slice(0, over);
  }

  problem(): string {
    const { found: counters } = this;
    const { storage } = this.#parts;
    return `Expected the files of the storage: more than ${counters.missing} of ${counters.total} are missing. If they are gone for good: POST /storage/${storage}/rescan?confirm=true`;
  }
}

function countsOf(decisions: readonly MergeDecision[]): Partial<Record<Counted, number>> {
  const counts: Partial<Record<Counted, number>> = {};
  for (const { counts: name } of decisions) if (name) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
