import type { Row } from '../contract.ts';

/** Pages of the log after which a move is worth its two disk syncs. */
const pages = 2_000;
/** Transactions before the first move, which tells how many pages one has. */
const first = 128;
const [fewest, most] = [16, 4_096];

/**
 * Checkpoints pages of the log concurrently with the writer, which would otherwise stop for the time of ten groups. The
 * writer itself does the rest later, when most pages are moved, since only it can restart the log.
 */
export class LogMover {
  /** Gives whether another move was in the way, the pages of the log, and how many of them are in the file. */
  readonly #move: () => Promise<readonly Row[]>;
  /** Transactions since the last move, and since the pages of the log were known. */
  #since = 0;
  #counted = 0;
  #every = first;
  #known = 0;
  #isMoving = false;

  constructor(move: () => Promise<readonly Row[]>) {
    this.#move = move;
  }

  wrote(transactions: number): void {
    this.#since += transactions;
    this.#counted += transactions;
    if (!this.#isMoving && this.#since >= this.#every) void this.#run();
  }

  async #run(): Promise<void> {
    const transactions = this.#counted;
    this.#since = 0;
    this.#isMoving = true;
    try {
      const [row] = await this.#move();
      this.#plan(transactions, Number(row?.[1] ?? -1));
    } catch {
      // No thread has time for it: the writer moves the pages itself when the log is long.
    } finally {
      this.#isMoving = false;
    }
  }

  #plan(transactions: number, log: number): void {
    // Interrupted by another checkpoint: no measurement.
    if (log < 0) return;
    const grown = log - this.#known;
    this.#known = log;
    this.#counted -= transactions;
    // A log that was restarted meanwhile gives no measurement.
    if (grown <= 0) return;
    this.#every = Math.min(Math.max(Math.round((transactions * pages) / grown), fewest), most);
  }
}
