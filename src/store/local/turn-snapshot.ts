import type { Row } from '../contract.ts';
import type { StatementCache } from './native.ts';

/**
 * Reads of one turn of the event loop share one snapshot, because taking the lock of a file costs as much as a read.
 * It ends with the turn, or when a commit of this process is about to be acknowledged: a caller that knows of a commit
 * reads it. What another process commits is seen from the next turn on.
 */
export class TurnSnapshot {
  readonly #cache: StatementCache;
  readonly #soon: (run: () => void) => void;
  /** What look-ups by one text found in this snapshot, by SQL and text: to read it again would find the same. */
  readonly #found = new Map<string, Map<string, Row[]>>();
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

  /** The first row of a look-up by one text. Requests of one turn mostly come from few callers. */
  first(sql: string, text: string): Row[] {
    this.begin();
    let found = this.#found.get(sql);
    const known = found?.get(text);
    if (known !== undefined) return known;
    const rows = this.#cache.get(sql).first([text]);
    if (found === undefined) {
      found = new Map();
      this.#found.set(sql, found);
    }
    found.set(text, rows);
    return rows;
  }

  readonly end = (): void => {
    if (!this.#open) return;
    this.#open = false;
    this.#found.clear();
    this.#cache.get('COMMIT').run([]);
  };
}
