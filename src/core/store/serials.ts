import { sql } from 'drizzle-orm';
import type { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';
import type { Database, Row, Statement } from './contract.ts';
import { AnswerLost, refusalOf } from './faults.ts';
import { guard } from './guard.ts';
import { statement, value, writes } from './statement.ts';

/** Gaps among the serials of an entity type: ranges below the next serial that no instance has. */

/** Bound of serials, so that an old id cannot use them up. */
export const largestSerial = 999_999_999_999;

const next = sql`coalesce((SELECT next FROM serial WHERE entity = ${value('entity')}), 1)`;

/** The gap with the highest first serial up to `at` is the only one that can contain `at`: gaps do not overlap. */
const gapBelow = (column: string, at: ReturnType<typeof sql>, only = sql`true`) =>
  sql`(SELECT ${sql.identifier(column)} FROM serial_gap WHERE entity = ${value('entity')} AND first <= ${at}
    AND ${only} ORDER BY first DESC LIMIT 1)`;

/** Guard: no instance has given the serial, or has reserved it. */
const isFree = guard<{ entity: string; serial: number }>(
  sql`${value('serial')} >= ${next} OR ${gapBelow('ends', sql`${value('serial')}`)} > ${value('serial')}`,
);

/** Bounds of the gap that a skip lets grow: one that instances do not take. */
const growing = (column: string) => gapBelow(column, next, sql`free = 0`);

/** Skips the serials below `ends` if no instance has taken `from`. A gap that ends at the next serial grows. */
const skip = [
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends)
    SELECT ${value('entity')}, CASE WHEN ${growing('ends')} = ${next} THEN ${growing('first')} ELSE ${next} END,
      ${value('ends')} WHERE ${next} <= ${value('from')}
    ON CONFLICT (entity, first) DO UPDATE SET ends = excluded.ends`,
  sql`INSERT INTO ${writes('serial')} (entity, next) SELECT ${value('entity')}, ${value('ends')} WHERE ${next} <= ${value('from')}
    ON CONFLICT (entity) DO UPDATE SET next = excluded.next`,
].map((template) => statement<{ entity: string; from: number; ends: number }>(template));

/** Skips all serials below `ends` that no instance has taken. */
const skipBelow = (entity: string, ends: number): readonly Statement[] =>
  skip.map((each) => each({ entity, from: ends - 1, ends }));

/** Old ids come by the thousand: new serials continue far above the first one, so that they do not meet the others. */
const farAbove = (serial: number): number => Math.max(1_000_000, 10 ** String(serial).length);

/** Takes a serial out of a gap that instances take: it becomes a gap of its own, between two others. */
const split = [
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends, free)
    SELECT entity, ${value('serial')} + 1, ends, 1 FROM serial_gap
    WHERE entity = ${value('entity')} AND free = 1 AND first <= ${value('serial')} AND ends > ${value('serial')} + 1`,
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends, free)
    SELECT entity, ${value('serial')}, ${value('serial')} + 1, 0 FROM serial_gap
    WHERE entity = ${value('entity')} AND free = 1 AND first <= ${value('serial')} AND ends > ${value('serial')}
    ON CONFLICT (entity, first) DO UPDATE SET ends = excluded.ends, free = 0`,
  sql`UPDATE ${writes('serial_gap')} SET ends = ${value('serial')}
    WHERE entity = ${value('entity')} AND free = 1 AND first < ${value('serial')} AND ends > ${value('serial')}`,
].map((template) => statement<{ entity: string; serial: number }>(template));

/** Withholds a serial that nobody has had. Fails with the refusal if an instance has given or reserved it. */
export const withheld = (entity: string, serial: number, refusal: ServiceError): readonly Statement[] => [
  isFree({ entity, serial }, refusal),
  ...split.map((each) => each({ entity, serial })),
  ...skip.map((each) => each({ entity, from: serial, ends: farAbove(serial) })),
];

/** Notes reserved serials that their instance will not give out. Those from the next serial on are no gap. */
const noteGap = statement<{ entity: string; first: number; ends: number; free: number }>(
  sql`INSERT INTO ${writes('serial_gap')} (entity, first, ends, free)
    SELECT ${value('entity')}, ${value('first')}, ${value('ends')}, ${value('free')} WHERE ${next} >= ${value('ends')}
    ON CONFLICT DO NOTHING`,
);

/** The serial of an id of this site, such as 7 of `VX-7` and `VX*7`. Undefined: the id is of another site. */
export function serialAtSite(site: string, id: string): number | undefined {
  const digits = /^[-*]([1-9]\d*)$/.exec(id.startsWith(site) ? id.slice(site.length) : '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Serials of one entity type that this instance may hand out: `next` to `end`, without `end`. */
interface Block {
  next: number;
  end: number;
}

/** Reserved serials of one entity type on this instance. */
interface Supply {
  /** Blocks in order, with gaps for other instances. Serials come from the first one. */
  readonly blocks: Block[];
  /** End of the last block. 0: no block yet. */
  highest: number;
  /** Size of the next block. */
  size: number;
  /** Whether a caller has waited since the last block was requested: the demand is high. */
  isShort: boolean;
  taking: Promise<void> | undefined;
}

/**
 * Growth limits of a block, whose unused part is a gap after a crash. Larger blocks keep their size. A restored
 * database skips a million, so it is ahead of all blocks taken since its backup.
 */
const [maxGrowth, largestGrown] = [16, 20_000];

/** Serials that an instance gave back. They lie above all that this one has had, or its own would go back. */
const freeRange = 'FROM serial_gap WHERE entity = ?1 AND free = 1 AND first >= ?2 AND ends > ?3';
const takeNew = `INSERT INTO serial (entity, next) SELECT ?1, ?3 + ?4 WHERE NOT EXISTS (SELECT 1 ${freeRange})
  ON CONFLICT (entity) DO UPDATE SET next = max(next, ?3) + ?4 RETURNING next - ?4, next`;
const takeGiven = `DELETE FROM serial_gap WHERE entity = ?1
  AND first = (SELECT first ${freeRange} ORDER BY first LIMIT 1) RETURNING first, ends`;
const giveBack = 'UPDATE serial SET next = ?2 WHERE entity = ?1 AND next = ?3';

/**
 * Serials that no other instance gives out, taken from the database in blocks: an id costs a write only now and then.
 * They increase within an instance; between instances they interleave by blocks.
 */
export class Serials {
  readonly #database: Database;
  readonly #size: number;
  readonly #largest: number;
  readonly #first: number;
  readonly #supplies = new Map<string, Supply>();

  /** `first`: the lowest serial that this instance gives out. */
  constructor(database: Database, size: number, first = 1) {
    this.#database = database;
    this.#size = size;
    this.#first = first;
    this.#largest = Math.max(size, Math.min(size * maxGrowth, largestGrown));
  }

  /**
   * Next serial. Callers wait only for the first block, or under high demand: the next block is taken while half of one
   * is left, since its commit waits behind others. Serials up to `above` are skipped: another instance may have used
   * them.
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
    // Without grouping, promises must not be shared between requests.
    if (this.#database.grouped && isLow(supply)) this.#takeAhead(entity, supply, above);
    return serial;
  }

  /** Takes first blocks in one commit. Callers that find none later take one alone. */
  async reserve(entities: readonly string[]): Promise<void> {
    const missing = entities.filter((entity) => this.#supplyOf(entity).highest === 0);
    if (missing.length < 2) return;
    const takes = missing.flatMap((entity) => this.#taking(entity, this.#size, 0));
    const outcome = await this.#database.write(takes).catch(() => undefined);
    if (!outcome?.done) return;
    for (const [index, entity] of missing.entries())
      this.#keep(this.#supplyOf(entity), blockIn(outcome.rows.slice(2 * index, 2 * index + 2)));
  }

  /** Returns unused serials, so that a restart leaves no gap: the last block to `next`, others to those that are free. */
  async close(): Promise<void> {
    for (const [entity, supply] of this.#supplies) {
      await supply.taking?.catch(() => {});
      const blocks = supply.blocks.splice(0);
      const last = blocks.at(-1);
      if (!last) continue;
      // A block that went back to `next` is above it and is not noted.
      const gaps = blocks.map(({ next, end }) => noteGap({ entity, first: next, ends: end, free: 1 }));
      await this.#database.write([{ sql: giveBack, args: [entity, last.next, last.end] }, ...gaps]);
    }
  }

  /** Takes a serial out of the reserved blocks of this instance, if one has it. No caller gets it then. */
  async withdraw(entity: string, serial: number): Promise<void> {
    const { blocks, taking } = this.#supplyOf(entity);
    await taking?.catch(() => {});
    const at = blocks.findIndex(({ next, end }) => next <= serial && serial < end);
    if (at < 0) return;
    const { next, end } = blocks[at]!;
    const rest = [
      { next, end: serial },
      { next: serial + 1, end },
    ];
    blocks.splice(at, 1, ...rest.filter((block) => block.next < block.end));
    await this.#database.write([noteGap({ entity, first: serial, ends: serial + 1, free: 0 })]);
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
    // Waiting for the first block, or for one behind another instance, does not mean a high demand.
    if (above + 1 < supply.highest) supply.isShort = true;
    return this.#database.grouped ? this.#takeOnce(entity, supply, above) : this.#take(entity, supply, above);
  }

  #takeAhead(entity: string, supply: Supply, above: number): void {
    // A caller that needs the block tries again, and gets the error.
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
    this.#keep(supply, await this.#takeBlock(entity, supply.size, above));
  }

  #keep(supply: Supply, block: Block): void {
    // Blocks asked for at the same time may arrive in any order: a lower one is dropped, or ids would go back.
    if (block.end < supply.highest) return;
    supply.highest = block.end;
    const last = supply.blocks.at(-1);
    if (last?.end === block.next) last.end = block.end;
    else supply.blocks.push(block);
  }

  /** Statements of a block. Two return it: of the one that has none, no row. */
  #taking(entity: string, size: number, above: number): readonly Statement[] {
    const { highest } = this.#supplyOf(entity);
    const skipped = highest === 0 && this.#first > 1 ? skipBelow(entity, this.#first) : [];
    const args = [entity, Math.max(highest, this.#first), above + 1];
    return [
      ...skipped,
      { sql: takeNew, args: [...args, size], returns: true },
      { sql: takeGiven, args, returns: true },
    ];
  }

  async #takeBlock(entity: string, size: number, above: number): Promise<Block> {
    for (let attempt = 1; ; attempt++) {
      try {
        const outcome = await this.#database.write(this.#taking(entity, size, above));
        if (outcome.done) return blockIn(outcome.rows);
        throw refusalOf('bad-sql', `No serial for "${entity}": ${outcome.message}`);
      } catch (error) {
        // A block whose number got lost is a hole among the serials, nothing worse.
        if (!(error instanceof AnswerLost) || attempt === 3) throw error;
      }
    }
  }
}

/** The block that one of two statements returned. */
function blockIn([taken, returned]: readonly (readonly Row[])[]): Block {
  const [next, end] = (taken?.[0] ?? returned?.[0] ?? []).map(Number);
  return { next: next!, end: end! };
}

function isLow({ blocks, size }: Supply): boolean {
  let left = 0;
  for (const { next, end } of blocks) left += end - next;
  return left * 2 <= size;
}
