import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Reduced, Row, RowCount, SqlValue } from '../../core/store/contract.ts';
import { databaseCode, type Fault, faultOf, refusalOf } from '../../core/store/faults.ts';
import { isInterruptible } from '../../core/store/local/native.ts';
import { type QueryReader, tooLong } from '../../core/store/local/reader-pool.ts';
import { startWorker } from '../start-thread.ts';
import { OffThreadConnection } from './reader-connections.ts';
import { type FromReader, interruptAgain, type ReaderData, type Refused, type ToReader } from './reader-messages.ts';

interface PendingQuery {
  resolve(found: unknown): void;
  reject(reason: unknown): void;
}

/**
 * A thread that does queries and readings, one at a time. When it ends, what it did is refused. A query of one row passes
 * it by: the serving thread asks a thread of the binding for it, which saves half of the way.
 */
export class ReaderThread implements QueryReader {
  readonly worker: Worker;
  readonly #offThread: OffThreadConnection;
  #asksOffThread = false;
  #again: ReturnType<typeof setInterval> | undefined;
  readonly #gone: Promise<void>;
  #left = () => {};
  #alive = true;
  #asked: PendingQuery | undefined;

  constructor(data: ReaderData) {
    this.#gone = new Promise((resolve) => {
      this.#left = resolve;
    });
    this.#offThread = new OffThreadConnection(data);
    this.worker = startWorker('reader-worker', { workerData: data });
    this.worker.on('message', (message: FromReader) => this.#receive(message));
    this.worker.on('error', (error) => this.#end(`A reader thread failed: ${(error as Error).message}`));
    this.worker.on('exit', () => this.#end('A reader thread ended'));
  }

  get alive(): boolean {
    return this.#alive;
  }

  async run(sql: string, args: readonly SqlValue[], max: RowCount | Reduced, milliseconds: number): Promise<Row[]> {
    if (max === 'one' && isInterruptible(sql)) return this.#askOffThread(sql, args, milliseconds);
    return (await this.#ask({ sql, args, max, milliseconds })) as Row[];
  }

  prepare(forReadings: boolean): Promise<unknown> {
    return Promise.all([this.#ask({ prepare: forReadings }), this.#offThread.open()]);
  }

  perform(reading: string, given: unknown, milliseconds: number): Promise<unknown> {
    return this.#ask({ reading, given, milliseconds });
  }

  interrupt(): void {
    if (this.#asked) this.#post({ interrupt: true });
    if (!this.#asksOffThread) return;
    this.#offThread.interrupt();
    this.#again = setInterval(() => this.#offThread.interrupt(), interruptAgain);
  }

  async close(): Promise<void> {
    if (this.#alive) this.#post({ close: true });
    await this.#gone;
    await this.worker.terminate();
  }

  async #askOffThread(sql: string, args: readonly SqlValue[], milliseconds: number): Promise<Row[]> {
    this.#asksOffThread = true;
    try {
      return await this.#offThread.first(sql, args);
    } catch (error) {
      throw databaseCode(error) === 'SQLITE_INTERRUPT' ? tooLong(milliseconds) : this.#refusalOf(faultOf(error));
    } finally {
      clearInterval(this.#again);
      this.#asksOffThread = false;
      if (!this.#alive) this.#offThread.close();
    }
  }

  #ask(message: ToReader): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      try {
        this.#post(message);
      } catch (error) {
        this.#take()?.reject(bug(`A message to a reader thread: ${(error as Error).message}`));
      }
    });
  }

  #post(message: ToReader): void {
    this.worker.postMessage(message);
  }

  #receive(message: FromReader): void {
    if ('rows' in message) this.#take()?.resolve(message.rows);
    else if ('made' in message) this.#take()?.resolve(message.made);
    else if ('refused' in message) this.#take()?.reject(errorOf(message.refused));
    else if ('broken' in message) this.#take()?.reject(bug(message.broken));
    else if ('fault' in message) this.#take()?.reject(this.#refusalOf(message));
    else if ('closed' in message) this.#end('The database is closed');
    else {
      this.#end(message.dead);
      void this.worker.terminate();
    }
  }

  /** A connection that cannot read is not used again: the next query opens another. */
  #refusalOf({ fault, explanation }: Fault): ServiceError {
    if (fault === 'unavailable') {
      this.#alive = false;
      void this.worker.terminate();
    }
    return refusalOf(fault, fault === 'busy' ? 'The database is locked' : explanation);
  }

  #take(): PendingQuery | undefined {
    const pending = this.#asked;
    this.#asked = undefined;
    return pending;
  }

  #end(explanation: string): void {
    this.#alive = false;
    this.#take()?.reject(refusalOf('unavailable', explanation));
    if (!this.#asksOffThread) this.#offThread.close();
    this.#left();
  }
}

const bug = (explanation: string) => new ServiceError('internal', { explanation });
const errorOf = ({ code, detail, headers }: Refused) => new ServiceError(code, detail, headers);
