import type { Worker } from 'node:worker_threads';
import type { Reduced, Row, RowCount, Value } from '../../store/contract.ts';
import { refusalOf } from '../../store/faults.ts';
import type { QueryReader } from '../../store/local/reader-pool.ts';
import type { FromReader, ReaderData, ToReader } from './reader-messages.ts';
import { startWorker } from './worker-program.ts';

interface Asked {
  resolve(rows: Row[]): void;
  reject(reason: unknown): void;
}

/** A thread that runs queries, one at a time. When it ends, the query that it ran is refused. */
export class ReaderThread implements QueryReader {
  readonly worker: Worker;
  readonly #gone: Promise<void>;
  #left = () => {};
  #alive = true;
  #asked: Asked | undefined;

  constructor(data: ReaderData) {
    this.#gone = new Promise((resolve) => {
      this.#left = resolve;
    });
    this.worker = startWorker('reader-worker', { workerData: data });
    this.worker.on('message', (message: FromReader) => this.#receive(message));
    this.worker.on('error', (error) => this.#end(`A reader thread failed: ${(error as Error).message}`));
    this.worker.on('exit', () => this.#end('A reader thread ended'));
  }

  get alive(): boolean {
    return this.#alive;
  }

  run(sql: string, args: readonly Value[], most: RowCount | Reduced): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#post({ sql, args, most });
    });
  }

  async close(): Promise<void> {
    if (this.#alive) this.#post({ close: true });
    await this.#gone;
    await this.worker.terminate();
  }

  #post(message: ToReader): void {
    this.worker.postMessage(message);
  }

  #receive(message: FromReader): void {
    if ('rows' in message) this.#take()?.resolve(message.rows);
    else if ('fault' in message) this.#fail(message);
    else if ('closed' in message) this.#end('The database is closed');
    else {
      this.#end(message.dead);
      void this.worker.terminate();
    }
  }

  /** A connection that cannot read is not used again: the next query opens another. */
  #fail({ fault, explanation }: Extract<FromReader, { fault: unknown }>): void {
    this.#take()?.reject(refusalOf(fault, fault === 'busy' ? 'The database is locked' : explanation));
    if (fault !== 'unavailable') return;
    this.#alive = false;
    void this.worker.terminate();
  }

  #take(): Asked | undefined {
    const asked = this.#asked;
    this.#asked = undefined;
    return asked;
  }

  #end(explanation: string): void {
    this.#alive = false;
    this.#take()?.reject(refusalOf('unavailable', explanation));
    this.#left();
  }
}
