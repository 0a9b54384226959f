import type { Row, SqlValue } from '../contract.ts';
import { execution, rowsOfExecution } from './hrana.ts';
import type { Streams } from './streams.ts';

interface PendingRead {
  readonly sql: string;
  readonly args: readonly SqlValue[];
  /** When its caller waits no longer. */
  readonly until: number | undefined;
  resolve(rows: Row[]): void;
  reject(reason: unknown): void;
}

interface GatherSettings {
  readonly streams: Streams;
  /** When reads that wait are sent. */
  readonly soon: (run: () => void) => void;
  /** Reads with the same key may share a call. */
  readonly keyOf: () => unknown;
  readonly now: () => number;
}

/** Reads in one call: those of a page by one request. A server answers it when all of them are done. */
const max = 256;

/** Sends reads that do not wait for each other as one call. Those that come while all streams are busy join them. */
export class ReadBatcher {
  readonly #settings: GatherSettings;
  readonly #pending = new Map<unknown, PendingRead[]>();

  constructor(settings: GatherSettings) {
    this.#settings = settings;
  }

  read(sql: string, args: readonly SqlValue[], until?: number): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const { soon, keyOf } = this.#settings;
      const key = keyOf();
      const others = this.#pending.get(key);
      const read = { sql, args, until, resolve, reject };
      if (others) others.push(read);
      else {
        this.#pending.set(key, [read]);
        soon(() => void this.#send(key));
      }
    });
  }

  async #send(key: unknown): Promise<void> {
    const reads: PendingRead[] = [];
    const take = () => {
      const pending = this.#pending.get(key) ?? [];
      const now = this.#settings.now();
      // Reads whose callers were refused while they waited for a stream would hold up those behind them.
      while (reads.length < max && pending.length > 0) {
        const read = pending.shift()!;
        if (read.until === undefined || read.until > now) reads.push(read);
        else read.reject(new Error('The caller waits no longer'));
      }
      if (pending.length === 0) this.#pending.delete(key);
      else void this.#send(key);
      return reads.map(execution);
    };
    try {
      const results = await this.#settings.streams.send(take);
      for (const [index, { resolve, reject }] of reads.entries()) {
        try {
          resolve(rowsOfExecution(results[index]));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }
}
