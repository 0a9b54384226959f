import { Recent } from '../lib/cache.ts';
import { after, type Maybe } from '../lib/maybe.ts';
import type { Reader } from './statement.ts';

interface CachedValue<T> {
  readonly version: number;
  readonly value: T;
}

/** Key for caches of the rows of a database. */
const originOf = (reader: Reader): object => reader.origin ?? reader;

/** Values of one database, and the highest version seen. */
class Versions<T> {
  readonly #max: number;
  #latest = Number.NEGATIVE_INFINITY;
  #values: Recent<string, CachedValue<T>>;

  constructor(max: number) {
    this.#max = max;
    this.#values = new Recent(max);
  }

  find(version: number, key: string): T | undefined {
    // The database may be a restored one, whose versions come again with other rows.
    if (version < this.#latest) this.#values = new Recent(this.#max);
    this.#latest = version;
    const cached = this.#values.get(key, 0);
    return cached?.version === version ? cached.value : undefined;
  }

  keep(version: number, key: string, value: T | undefined): void {
    if (version < this.#latest || value === undefined) this.#values.delete(key);
    else this.#values.set(key, { version, value }, Number.POSITIVE_INFINITY);
  }
}

/**
 * Cache of values that hold for one version of the rows behind them. Callers read the version before the value: a value
 * that is newer than its version is read again by the next caller.
 */
export class VersionCache<T> {
  readonly #byOrigin = new WeakMap<object, Versions<T>>();
  readonly #max: number;
  readonly #isSmall: (key: string, value: T) => boolean;

  /** `max`: limit of values for one database. Large values are not cached. */
  constructor(max: number, isSmall: (key: string, value: T) => boolean) {
    this.#max = max;
    this.#isSmall = isSmall;
  }

  find(reader: Reader, version: number, key: string): T | undefined {
    return this.#versionsOf(reader).find(version, key);
  }

  keep(reader: Reader, version: number, key: string, value: T): T {
    this.#versionsOf(reader).keep(version, key, this.#isSmall(key, value) ? value : undefined);
    return value;
  }

  get(reader: Reader, version: number, key: string, read: () => Maybe<T>): Maybe<T> {
    const cached = this.find(reader, version, key);
    return cached === undefined ? after(read(), (value) => this.keep(reader, version, key, value)) : cached;
  }

  #versionsOf(reader: Reader): Versions<T> {
    const origin = originOf(reader);
    let versions = this.#byOrigin.get(origin);
    if (versions === undefined) {
      versions = new Versions(this.#max);
      this.#byOrigin.set(origin, versions);
    }
    return versions;
  }
}

/**
 * Cache until the next commit of any process. A connection that never writes detects commits by its data version.
 * Without such a connection each read goes to the database.
 */
export class UntilCommit<T> {
  readonly #values: VersionCache<T>;

  constructor(max: number, isSmall: (key: string, value: T) => boolean) {
    this.#values = new VersionCache(max, isSmall);
  }

  get(reader: Reader, key: string, read: () => Maybe<T>): Maybe<T> {
    const { lookups } = reader;
    if (!lookups) return read();
    return after(lookups.read('PRAGMA data_version', [], 'one'), ([row]) =>
      this.#values.get(reader, Number(row![0]), key, read),
    );
  }
}
