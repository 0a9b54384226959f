import { after, type Maybe } from '../lib/maybe.ts';
import type { Reader } from './statement.ts';

interface Kept<T> {
  readonly version: number;
  readonly value: T;
}

/**
 * What was read is kept as long as nothing is committed, by whatever process. A connection that never writes tells so: its
 * number is another one after each commit. Readers without such a connection read each time.
 */
export class UntilCommit<T> {
  /** By database. */
  readonly #kept = new WeakMap<object, Map<string, Kept<T>>>();
  readonly #most: number;
  readonly #isSmall: (key: string, value: T) => boolean;

  /** `most`: values of one database. Large ones are not kept. */
  constructor(most: number, isSmall: (key: string, value: T) => boolean) {
    this.#most = most;
    this.#isSmall = isSmall;
  }

  get(reader: Reader, key: string, read: () => Maybe<T>): Maybe<T> {
    const { lookups, origin = reader } = reader;
    if (!lookups) return read();
    // Asked first: what is read behind it is as new, or newer, and then the next one to ask finds another number.
    return after(lookups.read('PRAGMA data_version', [], 'one'), ([row]) => {
      const version = Number(row![0]);
      const known = this.#knownOf(origin);
      const last = known.get(key);
      if (last?.version === version) return last.value;
      return after(read(), (value) => {
        known.delete(key);
        if (known.size >= this.#most) known.clear();
        if (this.#isSmall(key, value)) known.set(key, { version, value });
        return value;
      });
    });
  }

  #knownOf(origin: object): Map<string, Kept<T>> {
    let known = this.#kept.get(origin);
    if (known === undefined) {
      known = new Map();
      this.#kept.set(origin, known);
    }
    return known;
  }
}
