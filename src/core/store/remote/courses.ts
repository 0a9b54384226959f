import type { RequestKind, SqlValue } from '../contract.ts';

/** Age in milliseconds from which rows that were read ahead are read anew. The body of a request may take long to come. */
export const aheadFor = 1_000;

/** Limits: kinds of requests, reads of each and the characters of their values, and characters of all statements. */
const [maxKinds, maxReads, maxLength, maxStatements] = [500, 64, 8_000, 2_000_000];

const ids = /[A-Z]{2,}-\d+/g;
/** Markers that no JSON has, because it escapes them. */
const [open, close] = ['\u0001', '\u0002'];
const markers = new RegExp(`${open}(\\d+)${close}`, 'g');

/** Reads by a key of statement and values, and how often each is asked. */
type Reads = Map<string, number>;

interface ExpectedRead {
  readonly sql: string;
  readonly args: readonly SqlValue[];
  readonly isQuery: boolean;
  readonly count: number;
}

/** Notes the reads of one request until its first change. Ids of its target stand in their values as places. */
export type Note = (sql: string, args: readonly SqlValue[], isQuery: boolean) => void;

/**
 * Reads of the last requests of each kind. A read that the last two of a kind have made goes with the first call of the next
 * one. A wrong guess costs the database a read: rows are taken by none but a read of the same statement and values.
 */
export class Courses {
  readonly #kinds = new Map<string, { readonly before: Reads; readonly last: Reads }>();
  /** Statements are long, and many kinds have the same. */
  readonly #statements: string[] = [];
  readonly #numbers = new Map<string, number>();
  #length = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  begin({ target, caller }: RequestKind): { readonly note: Note; readonly expected: readonly ExpectedRead[] } {
    if (this.#length > maxStatements) this.#clear();
    const decoded = decodedOr(target);
    const names = [...new Set(decoded.match(ids))];
    const kind = `${hashOf(caller)} ${withPlaces(decoded, names)}`;
    const { before, last } = this.#kinds.get(kind) ?? { before: new Map(), last: new Map() };
    const reads: Reads = new Map();
    this.#kinds.delete(kind);
    this.#kinds.set(kind, { before: last, last: reads });
    if (this.#kinds.size > maxKinds) this.#kinds.delete(this.#kinds.keys().next().value!);
    const expected = [...last].flatMap(([read, count]) => {
      const times = Math.min(count, before.get(read) ?? 0);
      return times === 0 ? [] : { ...this.#readOf(read, names), count: times };
    });
    return { note: this.#noteOf(reads, names), expected };
  }

  #noteOf(reads: Reads, names: readonly string[]): Note {
    const until = this.#now() + aheadFor;
    let length = 0;
    return (sql, args, isQuery) => {
      const values = JSON.stringify(args);
      if (this.#now() > until || reads.size >= maxReads || length + values.length > maxLength) return;
      length += values.length;
      const read = `${isQuery ? 'q' : 'r'}${this.#numberOf(sql)} ${withPlaces(values, names)}`;
      reads.set(read, (reads.get(read) ?? 0) + 1);
    };
  }

  #readOf(read: string, names: readonly string[]) {
    const blank = read.indexOf(' ');
    const values = read.slice(blank + 1).replace(markers, (_marker: string, place: string) => names[Number(place)]!);
    return {
      sql: this.#statements[Number(read.slice(1, blank))]!,
      args: JSON.parse(values) as SqlValue[],
      isQuery: read.startsWith('q'),
    };
  }

  #numberOf(sql: string): number {
    const number = this.#numbers.get(sql) ?? this.#statements.push(sql) - 1;
    if (!this.#numbers.has(sql)) this.#length += sql.length;
    this.#numbers.set(sql, number);
    return number;
  }

  #clear(): void {
    this.#kinds.clear();
    this.#numbers.clear();
    this.#statements.length = 0;
    this.#length = 0;
  }
}

/** Ids of the target, in whatever a request reads about them. */
const withPlaces = (text: string, names: readonly string[]): string =>
  names.length === 0
    ? text
    : text.replace(ids, (id) => (names.includes(id) ? `${open}${names.indexOf(id)}${close}` : id));

function decodedOr(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** FNV-1a: credentials are not kept, and a collision costs a wrong guess. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
