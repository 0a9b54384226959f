import type { Row, SqlValue } from '../contract.ts';
import { aheadFor, type Note } from './courses.ts';

/** Sends a read. */
type Ask = () => Promise<Row[]>;

interface Rider {
  readonly ask: Ask;
  readonly rows: Promise<Row[]>;
  settle(rows: Promise<Row[]>): void;
  /** Reads that still take the rows. */
  left: number;
  /** Undefined: it waits for the first call of its request. */
  sentAt: number | undefined;
}

const keyOf = (sql: string, args: readonly SqlValue[]): string => JSON.stringify([sql, ...args]);

/**
 * Reads that one request will ask for. They wait for its first call, which takes them along: alone they cause no call.
 * The next read that asks for the same takes their rows: as many as were collected.
 */
export class ReadsAhead {
  readonly #now: () => number;
  readonly #riders = new Map<string, Rider>();
  #isCollecting = false;
  #note: Note | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Collects the reads that `ask` starts at once. */
  collect(ask: () => void): void {
    this.#isCollecting = true;
    try {
      ask();
    } finally {
      this.#isCollecting = false;
    }
  }

  /** Notes the reads of the request from now on. */
  follow(note: Note): void {
    this.#note = note;
  }

  /** Collects a read that the request will probably ask for, so often. */
  expect(sql: string, args: readonly SqlValue[], count: number, ask: Ask): void {
    const key = keyOf(sql, args);
    if (!this.#riders.has(key)) this.#wait(key, ask).left = count;
  }

  read(sql: string, args: readonly SqlValue[], ask: Ask, isQuery = false): Promise<Row[]> {
    const key = keyOf(sql, args);
    if (!this.#isCollecting) this.#note?.(sql, args, isQuery);
    const queued = this.#riders.get(key);
    const isOld = queued?.sentAt !== undefined && this.#now() - queued.sentAt >= aheadFor;
    if (this.#isCollecting) {
      const rider = queued && !isOld ? queued : this.#wait(key, ask);
      rider.left++;
      return rider.rows;
    }
    if (queued && (isOld || --queued.left === 0)) this.#riders.delete(key);
    if (queued?.sentAt !== undefined && !isOld) return queued.rows.catch(ask);
    const rows = ask();
    if (this.#riders.size > 0) this.#send();
    return rows;
  }

  /** A commit may have changed what was read. */
  forget(): void {
    this.#note = undefined;
    this.#riders.clear();
  }

  #wait(key: string, ask: Ask): Rider {
    let settle: Rider['settle'] = () => undefined;
    const rows = new Promise<Row[]>((resolve) => {
      settle = resolve;
    });
    // The read that takes the rows sends a failed one again. Perhaps none does.
    rows.catch(() => undefined);
    const rider: Rider = { ask, rows, settle, left: 0, sentAt: undefined };
    this.#riders.set(key, rider);
    return rider;
  }

  #send(): void {
    for (const rider of this.#riders.values()) {
      if (rider.sentAt !== undefined) continue;
      rider.sentAt = this.#now();
      rider.settle(rider.ask());
    }
  }
}
