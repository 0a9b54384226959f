import type { Clock } from '../../core/lib/clock.ts';
import { describeError, type Log } from '../../core/lib/log.ts';
import { type Failures, memory, type PaceLimits } from './failures.ts';
import type { FailureKeeper, FailureRow } from './store.ts';

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly keeper: FailureKeeper;
  /** Keys are stored as digests: a name may be a password that was typed into the wrong field. */
  fingerprint(text: string): string;
}

interface CountedKey extends PaceLimits {
  readonly key: string;
}

interface Counted {
  /** False: a pause that another instance began is on. */
  readonly counted: boolean;
  readonly failures: ReadonlyMap<string, Failures>;
}

/** Failures that one instance writes in a second. More are counted by it alone, so that no flood fills the database. */
const maxWrites = 100;
const second = 1_000;

/**
 * Failed logins of all instances on one database, by key. Only failures are written. A database that cannot answer leaves
 * each instance with its own counts.
 */
export class SharedFailures {
  readonly #parts: Parts;
  #second = Number.NaN;
  #writes = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  read(keys: readonly string[]): Promise<ReadonlyMap<string, Failures>> {
    const { keeper, clock } = this.#parts;
    return this.#trying(new Map(), async () => this.#byKey(keys, await keeper.read(this.#stored(keys), clock.now())));
  }

  /** `held`: keys whose pauses stop this attempt. The database looks at them and counts in one step. */
  count(paces: readonly CountedKey[], held: readonly string[]): Promise<Counted> {
    const { keeper, clock } = this.#parts;
    const now = clock.now();
    const keys = paces.map(({ key }) => key);
    const alone = { counted: true, failures: new Map<string, Failures>() };
    if (!this.#mayWrite(now)) return Promise.resolve(alone);
    return this.#trying(alone, async () => {
      const stored = paces.map(({ key, free, max }) => [this.#parts.fingerprint(key), free, max] as const);
      const rows = await keeper.count({ paces: stored, held: this.#stored(held), now, memory });
      if (rows.length > 0) return { counted: true, failures: this.#byKey(keys, rows) };
      return { counted: false, failures: this.#byKey(keys, await keeper.read(this.#stored(keys), now)) };
    });
  }

  forget(key: string): Promise<void> {
    return this.#trying(undefined, () => this.#parts.keeper.forget(this.#parts.fingerprint(key)));
  }

  #stored(keys: readonly string[]): string[] {
    return keys.map((key) => this.#parts.fingerprint(key));
  }

  #byKey(keys: readonly string[], rows: readonly FailureRow[]): Map<string, Failures> {
    const byFingerprint = new Map<string, Failures>(rows.map(({ key, count, until }) => [key, { count, until }]));
    return new Map(
      keys.flatMap((key) => {
        const failures = byFingerprint.get(this.#parts.fingerprint(key));
        return failures ? [[key, failures] as const] : [];
      }),
    );
  }

  #mayWrite(now: number): boolean {
    const current = Math.floor(now / second);
    if (current !== this.#second) this.#writes = 0;
    this.#second = current;
    return ++this.#writes <= maxWrites;
  }

  async #trying<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#parts.log.write('warn', 'login-failures-not-shared', describeError(error));
      return otherwise;
    }
  }
}
