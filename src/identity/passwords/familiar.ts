import { Recent } from '../../core/lib/cache.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { describeError, type Log } from '../../core/lib/log.ts';

/** Recent login of an account from a network, as digests. */
interface FamiliarRow {
  readonly pair: string;
  readonly account: string;
  readonly at: number;
}

/** Storage of familiar networks beyond the life of the process. */
export interface FamiliarKeeper {
  load(since: number): Promise<readonly Pick<FamiliarRow, 'pair' | 'at'>[]>;
  /** Forgets what is older than that. */
  write(rows: readonly FamiliarRow[], since: number): Promise<unknown>;
  digest(text: string): string;
}

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** 0: the process remembers for a day, and keeps nothing. */
  readonly days: number;
  /** Undefined on an edge, where nothing goes on after an answer. */
  readonly keeper: FamiliarKeeper | undefined;
}

const day = 24 * 60 * 60_000;
const max = 20_000;
const maxWaiting = 1_000;
const writePause = 1_000;

/** Recent logins of accounts by network, and the credentials used since the start. */
export class FamiliarNetworks {
  readonly #parts: Parts;
  readonly #keeper: FamiliarKeeper | undefined;
  readonly #time: number;
  readonly #proofs = new Recent<string, string>(max);
  /** Digests loaded from the database at the start. */
  readonly #restored = new Recent<string, true>(max);
  /** Digests written to the database today. */
  readonly #written = new Recent<string, true>(max);
  readonly #waiting = new Map<string, FamiliarRow>();
  readonly #closed = new AbortController();
  #writing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#time = Math.max(1, parts.days) * day;
    this.#keeper = parts.days > 0 ? parts.keeper : undefined;
  }

  has(pair: string): boolean {
    const now = this.#parts.clock.now();
    if (this.#proofs.get(pair, now) !== undefined) return true;
    return this.#restored.size > 0 && this.#restored.get(this.#keeper!.digest(pair), now) === true;
  }

  /** The credentials that were good last, since the start. */
  proofOf(pair: string): string | undefined {
    return this.#proofs.get(pair, this.#parts.clock.now());
  }

  /** The database learns of it beside the request, and once a day. */
  came(pair: string, account: string, proof: string): void {
    const now = this.#parts.clock.now();
    this.#proofs.set(pair, proof, now + this.#time);
    const digest = this.#keeper?.digest(pair);
    if (!this.#keeper || !digest || this.#written.get(digest, now) || this.#waiting.size >= maxWaiting) return;
    this.#written.set(digest, true, now + day);
    this.#waiting.set(digest, { pair: digest, account: this.#keeper.digest(account), at: now });
    this.#writing ??= this.#parts.clock
      .sleep(writePause, this.#closed.signal)
      .catch(() => undefined)
      .then(() => this.#write())
      .finally(() => {
        this.#writing = undefined;
      });
  }

  /** A service whose database cannot tell starts all the same: then all networks are new. */
  async load(): Promise<void> {
    if (!this.#keeper) return;
    try {
      const rows = await this.#keeper.load(this.#since());
      for (const { pair, at } of rows) this.#restored.set(pair, true, at + this.#time);
    } catch (error) {
      this.#parts.log.write('warn', 'familiar-networks-not-read', describeError(error));
    }
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const rows = [...this.#waiting.values()];
    this.#waiting.clear();
    try {
      await this.#keeper?.write(rows, this.#since());
    } catch (error) {
      // The next login from there tries again.
      for (const { pair } of rows) this.#written.delete(pair);
      this.#parts.log.write('warn', 'familiar-networks-not-written', describeError(error));
    }
  }

  #since(): number {
    return this.#parts.clock.now() - this.#time;
  }
}
