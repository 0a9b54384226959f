import type { Maybe } from '../lib/maybe.ts';
import type { Database } from './contract.ts';
import { AnswerLost, refusalOf } from './faults.ts';

/** Serials of one entity type that this instance may hand out: `next` to `end`, without `end`. */
interface Block {
  next: number;
  end: number;
}

const take = `INSERT INTO serial (entity, next) VALUES (?1, 1 + ?2)
  ON CONFLICT (entity) DO UPDATE SET next = next + ?2 RETURNING next`;
const giveBack = 'UPDATE serial SET next = ?2 WHERE entity = ?1 AND next = ?3';

/**
 * Serials that no other instance gives out, taken from the database in blocks: an id costs a write only now and then.
 * They increase within an instance; between instances they interleave by blocks.
 */
export class Serials {
  readonly #database: Database;
  readonly #size: number;
  readonly #blocks = new Map<string, Block>();
  readonly #taking = new Map<string, Promise<void>>();

  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
  }

  /** A caller waits only when a block ends. */
  next(entity: string): Maybe<number> {
    const block = this.#blocks.get(entity);
    if (block !== undefined && block.next < block.end) return block.next++;
    const taken = this.#database.grouped ? this.#takeOnce(entity) : this.#take(entity);
    return taken.then(() => this.next(entity));
  }

  /** Serials that nobody took after us go back, so that a restart leaves no hole. */
  async close(): Promise<void> {
    for (const [entity, { next, end }] of this.#blocks) {
      if (next < end) await this.#database.write([{ sql: giveBack, args: [entity, next, end] }]);
    }
    this.#blocks.clear();
  }

  #takeOnce(entity: string): Promise<void> {
    let taking = this.#taking.get(entity);
    if (taking === undefined) {
      taking = this.#take(entity).finally(() => this.#taking.delete(entity));
      this.#taking.set(entity, taking);
    }
    return taking;
  }

  async #take(entity: string): Promise<void> {
    const end = await this.#takeEnd(entity);
    const held = this.#blocks.get(entity);
    // Blocks asked for at the same time may arrive in any order: a lower one is dropped, or ids would go back.
    if (held === undefined || held.end < end) this.#blocks.set(entity, { next: end - this.#size, end });
  }

  async #takeEnd(entity: string): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        const outcome = await this.#database.write([{ sql: take, args: [entity, this.#size], returns: true }]);
        if (outcome.done) return Number(outcome.rows[0]?.[0]?.[0]);
        throw refusalOf('bad-sql', `No serial for "${entity}": ${outcome.message}`);
      } catch (error) {
        // A block whose number got lost is a hole among the serials, nothing worse.
        if (!(error instanceof AnswerLost) || attempt === 3) throw error;
      }
    }
  }
}
