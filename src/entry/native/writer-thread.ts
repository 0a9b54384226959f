import type { Worker } from 'node:worker_threads';
import { type ErrorCode, ServiceError } from '../../core/lib/errors.ts';
import type { Statement } from '../../core/store/contract.ts';
import { refusalOf } from '../../core/store/faults.ts';
import type { GroupTerms, Settled } from '../../core/store/local/executor.ts';
import type { LocalWriter } from '../../core/store/local/local-database.ts';
import { startWorker } from '../start-thread.ts';
import { type FromWriter, type GroupAnswer, GroupEncoder, settledOf } from './writer-messages.ts';
import type { WriterData } from './writer-worker.ts';

interface Pending {
  readonly members: number;
  resolve(settled: Settled[]): void;
  reject(reason: unknown): void;
}

/** Run of the thread. When it ends, pending writes are refused, and the next write starts a new thread. */
class WriterLife {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  readonly gone: Promise<void>;
  alive = true;
  readonly #pending = new Map<number, Pending>();
  readonly #encoder = new GroupEncoder();
  #nextGroup = 0;
  #opened = () => {};
  #refused: (reason: unknown) => void = () => {};
  #left = () => {};

  constructor(data: WriterData) {
    this.ready = new Promise((resolve, reject) => {
      this.#opened = resolve;
      this.#refused = reject;
    });
    this.ready.catch(() => {});
    this.gone = new Promise((resolve) => {
      this.#left = resolve;
    });
    this.worker = startWorker('writer-worker', { workerData: data });
    this.worker.on('message', (message: FromWriter) => this.#receive(message));
    this.worker.on('error', (error) => this.#end(`The writer thread failed: ${(error as Error).message}`));
    this.worker.on('exit', () => this.#end('The writer thread ended'));
  }

  run(transactions: readonly (readonly Statement[])[], terms: GroupTerms): Promise<Settled[]> {
    return new Promise((resolve, reject) => {
      const group = this.#nextGroup++;
      this.#pending.set(group, { members: transactions.length, resolve, reject });
      this.worker.postMessage(this.#encoder.encode(group, transactions, terms));
    });
  }

  async stop(): Promise<void> {
    if (this.alive) this.worker.postMessage({ close: true });
    await this.gone;
    await this.worker.terminate();
  }

  #receive(message: FromWriter): void {
    if ('group' in message) this.#settle(message);
    else if ('ready' in message) this.#opened();
    else if ('closed' in message) this.#end('The database is closed');
    else {
      this.#end(message.dead);
      void this.worker.terminate();
    }
  }

  #settle(answer: GroupAnswer): void {
    const pending = this.#pending.get(answer.group);
    if (pending === undefined) return;
    this.#pending.delete(answer.group);
    if (answer.failed === undefined) {
      pending.resolve(settledOf(answer, pending.members));
      return;
    }
    const { code, explanation } = answer.failed;
    pending.reject(new ServiceError(code as ErrorCode, { explanation }, code === 'busy' ? { 'Retry-After': '1' } : {}));
  }

  #end(explanation: string): void {
    if (!this.alive) return;
    this.alive = false;
    this.#refused(refusalOf('unavailable', explanation));
    for (const pending of this.#pending.values()) {
      // The thread may have ended between sync and answer.
      pending.reject(refusalOf('unavailable', `${explanation}; the change may have been made`));
    }
    this.#pending.clear();
    this.#left();
  }
}

export class WriterThread implements LocalWriter {
  readonly #data: WriterData;
  #life: WriterLife;

  constructor(data: WriterData) {
    this.#data = data;
    this.#life = new WriterLife(data);
  }

  /** Resolves when the thread has the database open. */
  get ready(): Promise<void> {
    return this.#life.ready;
  }

  /** The thread itself, for a test that ends it. */
  get worker(): Worker {
    return this.#life.worker;
  }

  async runGroup(transactions: readonly (readonly Statement[])[], terms: GroupTerms = {}): Promise<Settled[]> {
    if (!this.#life.alive) this.#life = new WriterLife(this.#data);
    const life = this.#life;
    await life.ready;
    return life.run(transactions, terms);
  }

  close(): Promise<void> {
    return this.#life.stop();
  }
}
