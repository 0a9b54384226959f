import type { Maybe } from '../lib/maybe.ts';
import type { Database } from './contract.ts';
import { AnswerLost, refusalOf } from './faults.ts';

/** Serials of one entity type that this instance may hand out: `next` to `end`, without `end`. */
interface Block {
  next: number;
  end: number;
}

/** What this instance has of one entity type. */
interface Supply {
  /** In order, with those of other instances between them. Serials come from the first. */
  readonly blocks: Block[];
  /** The end of the last block that came. 0: none did. */
  highest: number;
  /** Serials that the next block has. */
  size: number;
  /** A caller had to wait since the last block was asked for: so many are made at once. */
  isShort: boolean;
  taking: Promise<void> | undefined;
}

/**
 * A block grows to so many times its first size: what a crash leaves unused is a hole. Larger ones stay as they are. A
 * restored database skips a million, so it is ahead of all blocks that were taken since its backup.
 */
const [mostGrowth, largestGrown] = [16, 20_000];

const take = `INSERT INTO serial (entity, next) VALUES (?1, ?3 + ?2)
  ON CONFLICT (entity) DO UPDATE SET next = max(next, ?3) + ?2 RETURNING next`;
const giveBack = 'UPDATE serial SET next = ?2 WHERE entity = ?1 AND next = ?3';

/**
 * Serials that no other instance gives out, taken from the database in blocks: an id costs a write only now and then.
 * They increase within an instance; between instances they interleave by blocks.
 */
export class Serials {
  readonly #database: Database;
  readonly #size: number;
  readonly #largest: number;
  readonly #supplies = new Map<string, Supply>();

  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
    this.#largest = Math.max(size, Math.min(size * mostGrowth, largestGrown));
  }

  /**
   * A caller waits only for the first block, or where many are made at once: the next block is taken while half of one is
   * left, because the commit that takes it waits its turn behind others. All up to `above` are skipped: another instance
   * may have given that one.
   */
  next(entity: string, above = 0): Maybe<number> {
    const supply = this.#supplyOf(entity);
    const { blocks } = supply;
    while (blocks.length > 0 && blocks[0]!.end <= above + 1) blocks.shift();
    const [block] = blocks;
    if (block === undefined) return this.#waitFor(entity, supply, above).then(() => this.next(entity, above));
    const serial = Math.max(block.next, above + 1);
    block.next = serial + 1;
    if (block.next === block.end) blocks.shift();
    // What has no groups has no promises that requests may share either.
    if (this.#database.grouped && isLow(supply)) this.#takeAhead(entity, supply, above);
    return serial;
  }

  /** Serials that nobody took after us go back, so that a restart leaves no hole. */
  async close(): Promise<void> {
    for (const [entity, supply] of this.#supplies) {
      await supply.taking?.catch(() => {});
      // Between two blocks another instance took some.
      const last = supply.blocks.splice(0).at(-1);
      if (last) await this.#database.write([{ sql: giveBack, args: [entity, last.next, last.end] }]);
    }
  }

  #supplyOf(entity: string): Supply {
    let supply = this.#supplies.get(entity);
    if (supply === undefined) {
      supply = { blocks: [], highest: 0, size: this.#size, isShort: false, taking: undefined };
      this.#supplies.set(entity, supply);
    }
    return supply;
  }

  #waitFor(entity: string, supply: Supply, above: number): Promise<void> {
    // Who waits for the first block, or for one behind those of another instance, is not many.
    if (above + 1 < supply.highest) supply.isShort = true;
    return this.#database.grouped ? this.#takeOnce(entity, supply, above) : this.#take(entity, supply, above);
  }

  #takeAhead(entity: string, supply: Supply, above: number): void {
    // A caller that comes to wait tries again, and is told why it fails.
    if (supply.taking === undefined) this.#takeOnce(entity, supply, above).catch(() => {});
  }

  #takeOnce(entity: string, supply: Supply, above: number): Promise<void> {
    if (supply.taking === undefined) {
      if (supply.isShort) supply.size = Math.min(supply.size * 2, this.#largest);
      supply.isShort = false;
      supply.taking = this.#take(entity, supply, above).finally(() => {
        supply.taking = undefined;
      });
    }
    return supply.taking;
  }

  async #take(entity: string, supply: Supply, above: number): Promise<void> {
    const { size } = supply;
    const end = await this.#takeEnd(entity, size, above);
    // Blocks asked for at the same time may arrive in any order: a lower one is dropped, or ids would go back.
    if (end < supply.highest) return;
    supply.highest = end;
    const last = supply.blocks.at(-1);
    if (last?.end === end - size) last.end = end;
    else supply.blocks.push({ next: end - size, end });
  }

  async #takeEnd(entity: string, size: number, above: number): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        const outcome = await this.#database.write([{ sql: take, args: [entity, size, above + 1], returns: true }]);
        if (outcome.done) return Number(outcome.rows[0]?.[0]?.[0]);
        throw refusalOf('bad-sql', `No serial for "${entity}": ${outcome.message}`);
      } catch (error) {
        // A block whose number got lost is a hole among the serials, nothing worse.
        if (!(error instanceof AnswerLost) || attempt === 3) throw error;
      }
    }
  }
}

function isLow({ blocks, size }: Supply): boolean {
  let left = 0;
  for (const { next, end } of blocks) left += end - next;
  return left * 2 <= size;
}
