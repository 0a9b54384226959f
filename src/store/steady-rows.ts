import { after, type Maybe } from '../lib/maybe.ts';
import type { Row, SqlValue } from './contract.ts';

type Read = (sql: string, args: readonly SqlValue[]) => Maybe<Row[]>;

/** How one request reads. `isNew`: its revision is read just now, so the rows come with it. */
export interface Seeing {
  readonly revision: Maybe<number | undefined>;
  readonly isNew?: boolean;
  readonly read: Read;
}

/** Limit of all keys and rows, in characters. */
const most = 4_000_000;

/**
 * Rows of definitions, kept until a request reads another revision. Rows that are kept were read after the revision they
 * belong to, so they are at least as new.
 */
export class SteadyRows {
  #revision: number | undefined;
  /** By SQL, and by the values or the name. */
  #rows = new Map<string, Map<string, readonly Row[]>>();
  #size = 0;

  read(sql: string, args: readonly SqlValue[], seeing: Seeing): Maybe<Row[]> {
    const key = JSON.stringify(args);
    const load = () => seeing.read(sql, args);
    return this.#kept(seeing, sql, [key], load, (rows) => [[key, rows]]);
  }

  /** For a statement whose only value is a list of names, and whose first column is the name: keeps the rows of each. */
  named(sql: string, names: readonly string[], seeing: Seeing): Maybe<Row[]> {
    const load = (asked: readonly string[]) => seeing.read(sql, [JSON.stringify(asked)]);
    const split = (rows: readonly Row[], asked: readonly string[]) => {
      const parts = new Map<string, Row[]>(asked.map((name) => [name, []]));
      for (const row of rows) parts.get(String(row[0]))?.push(row);
      return parts;
    };
    return this.#kept(seeing, sql, names, load, split);
  }

  /** `load`: reads the rows of these keys. */
  #kept(
    { revision, isNew }: Seeing,
    sql: string,
    keys: readonly string[],
    load: (keys: readonly string[]) => Maybe<Row[]>,
    split: (rows: readonly Row[], keys: readonly string[]) => Iterable<readonly [string, readonly Row[]]>,
  ): Maybe<Row[]> {
    const along = isNew ? load(keys) : undefined;
    if (along instanceof Promise) along.catch(() => undefined);
    return after(revision, (number) => {
      if (!this.#holds(number)) return along ?? load(keys);
      const kept = this.#keptOf(sql);
      const found = keys.flatMap((key) => kept.get(key) ?? []);
      const missing = along ? keys : keys.filter((key) => !kept.has(key));
      if (missing.length === 0) return found;
      return after(along ?? load(missing), (rows) => {
        if (kept === this.#rows.get(sql)) for (const [key, some] of split(rows, missing)) this.#keep(kept, key, some);
        return along ? rows : [...found, ...rows];
      });
    });
  }

  #keptOf(sql: string): Map<string, readonly Row[]> {
    let kept = this.#rows.get(sql);
    if (!kept) {
      kept = new Map();
      this.#rows.set(sql, kept);
    }
    return kept;
  }

  #keep(kept: Map<string, readonly Row[]>, key: string, rows: readonly Row[]): void {
    if (this.#size > most) this.#clear();
    kept.set(key, rows);
    this.#size += key.length + sizeOf(rows);
  }

  #clear(): void {
    this.#rows = new Map();
    this.#size = 0;
  }

  /**
   * Whether rows of the revision may be kept. A request that began earlier has a lower one than known. A restored
   * database has one, too: there the same numbers come again with other rows.
   */
  #holds(revision: number | undefined): revision is number {
    if (revision === undefined) return false;
    if (revision === this.#revision) return true;
    this.#clear();
    if (this.#revision !== undefined && revision < this.#revision) return false;
    this.#revision = revision;
    return true;
  }
}

function sizeOf(rows: readonly Row[]): number {
  let size = 0;
  for (const row of rows) for (const value of row) size += typeof value === 'string' ? value.length : 8;
  return size;
}
