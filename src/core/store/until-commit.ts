import { after, type Maybe } from '../lib/maybe.ts';
import type { Reader } from './statement.ts';

interface CachedValue<T> {
  readonly version: number;
  readonly value: T;
}

/**
 * Cache until the next commit of any process. A connection that never writes detects commits by its data version.
 * Without such a connection each read goes to the database.
 */
export class UntilCommit<T> {
  /** Cached values by database. */
  readonly #kept = new WeakMap<object, Map<string, CachedValue<T>>>();
  readonly #most: number;
  readonly #isSmall: (key: string, value: T) => boolean;

  /** `most`: limit of values for one database. Large values are not cached. */
  constructor(most: number, isSmall: (key: string, value: T) => boolean) {
    this.#most = most;
    this.#isSmall = isSmall;
  }

  get(reader: Reader, key: string, read: () => Maybe<T>): Maybe<T> {
    const { lookups, origin = reader } = reader;
    if (!lookups) return read();
    // Read first: later reads are at least as new, and the next caller sees another number if they are newer.
    return after(lookups.read('PRAGMA data_version', [], 'one'), ([row]) => {
      const version = Number(row![0]);
      const values = this.#knownOf(origin);
      const last = values.get(key);
      if (last?.version === version) return last.value;
      return after(read(), (value) => {
        values.delete(key);
        if (values.size >= this.#most) values.clear();
        if (this.#isSmall(key, value)) values.set(key, { version, value });
        return value;
      });
    });
  }

  #knownOf(origin: object): Map<string, CachedValue<T>> {
    let values = this.#kept.get(origin);
    if (values === undefined) {
      values = new Map();
      this.#kept.set(origin, values);
    }
    return values;
  }
}
