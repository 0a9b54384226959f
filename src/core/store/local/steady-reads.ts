import { after, type Maybe } from '../../lib/maybe.ts';
import type { Database, Row, RowCount, SqlValue, SteadyReads } from '../contract.ts';
import { definitionsCounter } from '../revision.ts';

/** Limit of all keys and rows, in characters, and what a key takes beside them. */
const [max, ofEntry] = [4_000_000, 64];

/** By one text, so that the reads of one turn share the look-up. */
const revision = 'SELECT value FROM counter WHERE name = ?';

/** Rows by statement and values. */
type Kept = Map<string, Map<string, readonly Row[]>>;

/**
 * Rows of definitions on the serving thread, kept until their revision changes. Rows that are kept were read after the
 * revision they belong to, so they are at least as new.
 */
export class LocalSteadyReads implements SteadyReads {
  readonly #read: Database['read'];
  #revision = Number.NEGATIVE_INFINITY;
  #kept: Kept = new Map();
  #size = 0;

  constructor(read: Database['read']) {
    this.#read = read;
  }

  read(sql: string, args: readonly SqlValue[] = [], count: RowCount = 'all'): Maybe<Row[]> {
    const key = JSON.stringify([count, ...args]);
    return after(this.#current(), (kept) => {
      const rows = kept?.get(sql)?.get(key);
      if (rows) return [...rows];
      return after(this.#read(sql, args, count), (read) => {
        this.#keep(kept, sql, key, read);
        return [...read];
      });
    });
  }

  named(sql: string, names: readonly string[]): Maybe<Row[]> {
    return after(this.#current(), (kept) => {
      const byName = kept?.get(sql);
      const missing = byName ? names.filter((name) => !byName.has(name)) : names;
      const cached = byName ? names.flatMap((name) => byName.get(name) ?? []) : [];
      if (missing.length === 0) return cached;
      return after(this.#read(sql, [JSON.stringify(missing)]), (read) => {
        const rowsByName = new Map<string, Row[]>(missing.map((name) => [name, []]));
        for (const row of read) rowsByName.get(String(row[0]))?.push(row);
        for (const [name, rows] of rowsByName) this.#keep(kept, sql, name, rows);
        return [...cached, ...read];
      });
    });
  }

  /** Rows of the current revision. Undefined: nothing may be kept now, as after a restore, whose revisions come again. */
  #current(): Maybe<Kept | undefined> {
    return after(this.#read(revision, [definitionsCounter], 'one'), ([row]) => {
      const current = row ? Number(row[0]) : Number.NEGATIVE_INFINITY;
      if (current !== this.#revision) this.#clear();
      if (current > this.#revision) this.#revision = current;
      return current === this.#revision && row ? this.#kept : undefined;
    });
  }

  #keep(kept: Kept | undefined, sql: string, key: string, rows: readonly Row[]): void {
    if (kept === undefined || kept !== this.#kept) return;
    if (this.#size > max) {
      this.#clear();
      return;
    }
    let ofStatement = kept.get(sql);
    if (!ofStatement) {
      ofStatement = new Map();
      kept.set(sql, ofStatement);
    }
    ofStatement.set(key, rows);
    this.#size += key.length + ofEntry + sizeOf(rows);
  }

  #clear(): void {
    this.#kept = new Map();
    this.#size = 0;
  }
}

function sizeOf(rows: readonly Row[]): number {
  let size = 0;
  for (const row of rows) for (const value of row) size += typeof value === 'string' ? value.length : 8;
  return size;
}
