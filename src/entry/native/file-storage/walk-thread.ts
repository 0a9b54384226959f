import type { Worker } from 'node:worker_threads';
import type { Listing } from '../../../spi/index.ts';
import { DriverError } from '../../../storage/public.ts';
import { startWorker } from '../../start-thread.ts';
import { driverFault } from './disk.ts';
import { listingOf } from './stored-files.ts';
import type { FromWalker, ToWalker } from './walk.ts';

interface PendingListing {
  resolve(page: Listing): void;
  reject(reason: unknown): void;
}

/** The thread that walks places. The first listing starts it, and the next one after it has failed. */
export class WalkThread {
  readonly #asked = new Map<number, PendingListing>();
  #worker: Worker | undefined;
  #number = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  async page(question: Omit<ToWalker, 'number'>, signal?: AbortSignal): Promise<Listing> {
    if (signal?.aborted) throw left();
    if (this.#closed) throw new DriverError('aborted', 'The scheme of the storage is closed');
    const number = this.#number++;
    const answer = new Promise<Listing>((resolve, reject) => this.#asked.set(number, { resolve, reject }));
    const worker = this.#running();
    worker.ref();
    worker.postMessage({ ...question, number } satisfies ToWalker);
    // The thread still finishes its page, and the result is ignored.
    const stop = () => this.#take(number)?.reject(left());
    signal?.addEventListener('abort', stop, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', stop));
  }

  /** Ends once the pages that are under way are done. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#asked.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = startWorker('file-storage/walk-worker', {});
    this.#worker = worker;
    worker.on('message', (message: FromWalker) => this.#receive(message));
    worker.on('error', (error) => this.#end(worker, String(error)));
    worker.on('exit', () => this.#end(worker, 'it ended'));
    return worker;
  }

  #receive(message: FromWalker): void {
    const pending = this.#take(message.number);
    if ('page' in message) pending?.resolve(listingOf(message.page));
    else
      pending?.reject(
        driverFault(Object.assign(new Error(message.message), { code: message.code }), 'list the storage'),
      );
  }

  #take(number: number): PendingListing | undefined {
    const pending = this.#asked.get(number);
    this.#asked.delete(number);
    if (this.#asked.size === 0) {
      // An idle thread keeps no process alive.
      this.#worker?.unref();
      this.#idle?.();
    }
    return pending;
  }

  #end(worker: Worker, why: string): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const number of [...this.#asked.keys()]) {
      this.#take(number)?.reject(new DriverError('failed', `Expected the thread that lists folders to go on: ${why}`));
    }
  }
}

const left = () => new DriverError('aborted', 'The reader went away');
