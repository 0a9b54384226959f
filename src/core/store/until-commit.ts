import { Recent } from '../lib/cache.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import type { Reader } from './statement.ts';

interface CachedValue<T> {
  readonly version: number | string;
  readonly value: T;
}

/** Key for caches of the rows of a database. */
const originOf = (reader: Reader): object => reader.origin ?? reader;

/**
 * Cache of values that hold for one version of the rows behind them. Callers read the version before the value: a value
 * that is newer than its version is read again by the next caller.
 */
export class VersionCache<T> {
  /** Cached values by database. */
  readonly #kept = new WeakMap<object, Recent<string, CachedValue<T>>>();
  readonly #most: number;
  readonly #isSmall: (key: string, value: T) => boolean;

  /** `most`: limit of values for one database. Large values are not cached. */
  constructor(most: number, isSmall: (key: string, value: T) => boolean) {
    this.#most = most;
    this.#isSmall = isSmall;
  }

  find(reader: Reader, version: number | string, key: string): T | undefined {
    const cached = this.#kept.get(originOf(reader))?.get(key, 0);
    return cached?.version === version ? cached.value : undefined;
  }

  keep(reader: Reader, version: number | string, key: string, value: T): T {
    const origin = originOf(reader);
    let values = this.#kept.get(origin);
    if (values === undefined) {
      values = new Recent(this.#most);
      this.#kept.set(origin, values);
    }
    if (this.#isSmall(key, value)) values.set(key, { version, value }, Infinity);
    else values.delete(key);
    return value;
  }

  get(reader: Reader, version: number | string, key: string, read: () => Maybe<T>): Maybe<T> {
    const cached = this.find(reader, version, key);
    return cached === undefined ? after(read(), (value) => this.keep(reader, version, key, value)) : cached;
  }
}

/**
 * Cache until the next commit of any process. A connection that never writes detects commits by its data version.
 * Without such a connection each read goes to the database.
 */
export class UntilCommit<T> {
  readonly #values: VersionCache<T>;

  constructor(most: number, isSmall: (key: string, value: T) => boolean) {
    this.#values = new VersionCache(most, isSmall);
  }

  get(reader: Reader, key: string, read: () => Maybe<T>): Maybe<T> {
    const { lookups } = reader;
    if (!lookups) return read();
    return after(lookups.read('PRAGMA data_version', [], 'one'), ([row]) =>
      this.#values.get(reader, Number(row![0]), key, read),
    );
  }
}
