import type { Row } from '../contract.ts';
import type { StatementCache } from './native.ts';

/**
 * Reads of one turn of the event loop share one snapshot, because taking the lock of a file costs as much as a read. It
 * begins with the second read: in a quiet moment a turn has one, which costs least by itself.
 * It ends with the turn, or when a commit of this process is about to be acknowledged: a caller that knows of a commit
 * reads it. What another process commits is seen from the next turn on.
 */
export class TurnSnapshot {
  readonly #cache: StatementCache;
  readonly #soon: (run: () => void) => void;
  /** Results of look-ups in this snapshot, by SQL and text. Repeating them would give the same rows. */
  #found = new Map<string, Map<string, Row[]>>();
  /** `read`: a single read has run, without a transaction. */
  #state: 'new' | 'read' | 'open' = 'new';

  constructor(cache: StatementCache, soon: (run: () => void) => void) {
    this.#cache = cache;
    this.#soon = soon;
  }

  begin(): void {
    if (this.#state === 'open') return;
    if (this.#state === 'new') {
      this.#state = 'read';
      this.#soon(this.end);
      return;
    }
    this.#cache.get('BEGIN').run([]);
    this.#state = 'open';
  }

  /** The first row of a look-up by one text. Requests of one turn mostly come from few callers. */
  first(sql: string, text: string): Row[] {
    let rowsOfQuery = this.#found.get(sql);
    const cached = rowsOfQuery?.get(text);
    if (cached !== undefined) return cached;
    this.begin();
    const rows = this.#cache.get(sql).first([text]);
    if (rowsOfQuery === undefined) {
      rowsOfQuery = new Map();
      this.#found.set(sql, rowsOfQuery);
    }
    rowsOfQuery.set(text, rows);
    return rows;
  }

  readonly end = (): void => {
    const isOpen = this.#state === 'open';
    this.#state = 'new';
    // A map that is cleared links its tables, so that one in old memory would keep all later ones.
    if (this.#found.size > 0) this.#found = new Map();
    if (isOpen) this.#cache.get('COMMIT').run([]);
  };
}
