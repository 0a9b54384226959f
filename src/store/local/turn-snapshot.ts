import type { StatementCache } from './native.ts';

/**
 * Reads of one turn of the event loop share one snapshot, because taking the lock of a file costs as much as a read.
 * It ends with the turn, or when a commit of this process is about to be acknowledged: a caller that knows of a commit
 * reads it. What another process commits is seen from the next turn on.
 */
export class TurnSnapshot {
  readonly #cache: StatementCache;
  readonly #soon: (run: () => void) => void;
  #open = false;

  constructor(cache: StatementCache, soon: (run: () => void) => void) {
    this.#cache = cache;
    this.#soon = soon;
  }

  begin(): void {
    if (this.#open) return;
    this.#cache.get('BEGIN').run([]);
    this.#open = true;
    this.#soon(this.end);
  }

  readonly end = (): void => {
    if (!this.#open) return;
    this.#open = false;
    this.#cache.get('COMMIT').run([]);
  };
}
