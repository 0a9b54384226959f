import type { Row, SqlValue } from '../contract.ts';
import { revisionQuery } from '../revision.ts';
import { aheadFor } from './courses.ts';

type Read = (sql: string, args: readonly SqlValue[]) => Promise<Row[]>;

/** The revision that one request has read. */
export interface SeenRevision {
  readonly at: number;
  readonly number: Promise<number | undefined>;
  /** Whether the answer is there. */
  isRead: boolean;
}

/** How one request reads. `isNew`: its revision is read just now, so the rows come with it. */
export interface Seeing {
  readonly seen: SeenRevision;
  readonly isNew: boolean;
  readonly read: Read;
}

/** Limit of all keys and rows, in characters. */
const max = 4_000_000;

/**
 * Rows of definitions, kept until a request reads another revision. Rows that are kept were read after the revision they
 * belong to, so they are at least as new.
 */
export class SteadyRows {
  readonly #now: () => number;
  #revision: number | undefined;
  #rows = new Map<string, readonly Row[]>();
  #size = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reads the revision. Reads that follow at once share its call. */
  see(read: Read): SeenRevision {
    const number = read(revisionQuery, []).then(([row]) => (row ? Number(row[0]) : undefined));
    const seen: SeenRevision = { at: this.#now(), number, isRead: false };
    const end = () => {
      seen.isRead = true;
    };
    // The reads that need the number get the failure.
    number.then(end, end);
    return seen;
  }

  isFresh(seen: SeenRevision | undefined): seen is SeenRevision {
    return seen !== undefined && this.#now() - seen.at < aheadFor;
  }

  read(sql: string, args: readonly SqlValue[], seeing: Seeing): Promise<Row[]> {
    const key = JSON.stringify([sql, ...args]);
    const load = () => seeing.read(sql, args);
    return this.#kept(seeing, [key], load, (rows) => [[key, rows]]);
  }

  /** For a statement whose only value is a list of names, and whose first column is the name: keeps the rows of each. */
  named(sql: string, names: readonly string[], seeing: Seeing): Promise<Row[]> {
    const keyOf = (name: string) => JSON.stringify([sql, name]);
    const load = (keys?: readonly string[]) => {
      const missing = keys && new Set(keys);
      const askedNames = missing ? names.filter((name) => missing.has(keyOf(name))) : names;
      return seeing.read(sql, [JSON.stringify(askedNames)]);
    };
    const split = (rows: readonly Row[], keys: readonly string[]) => {
      const parts = new Map<string, Row[]>(keys.map((key) => [key, []]));
      for (const row of rows) parts.get(keyOf(String(row[0])))?.push(row);
      return parts;
    };
    return this.#kept(seeing, names.map(keyOf), load, split);
  }

  /** `load`: reads the rows of these keys, or of all. */
  async #kept(
    { seen, isNew }: Seeing,
    keys: readonly string[],
    load: (keys?: readonly string[]) => Promise<Row[]>,
    split: (rows: readonly Row[], keys: readonly string[]) => Iterable<readonly [string, readonly Row[]]>,
  ): Promise<Row[]> {
    // Rows that are read before the answer may be older than it: they are used and not kept.
    if (!isNew && !seen.isRead && keys.some((key) => !this.#rows.has(key))) return load();
    const along = isNew ? load() : undefined;
    along?.catch(() => undefined);
    const revision = await seen.number;
    if (!this.#holds(revision)) return along ?? load();
    const rowsByKey = this.#rows;
    const cached = keys.flatMap((key) => rowsByKey.get(key) ?? []);
    const missing = along ? keys : keys.filter((key) => !rowsByKey.has(key));
    if (missing.length === 0) return cached;
    const rows = await (along ?? load(missing));
    if (rowsByKey === this.#rows) for (const [key, some] of split(rows, missing)) this.#keep(key, some);
    return along ? rows : [...cached, ...rows];
  }

  #keep(key: string, rows: readonly Row[]): void {
    if (this.#size > max) this.#clear();
    this.#rows.set(key, rows);
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
