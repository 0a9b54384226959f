import { availableParallelism } from 'node:os';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { HashedFile, Listing, StorageError } from '../../../spi/index.ts';
import { DriverError } from '../../../storage/public.ts';
import { startWorker } from '../../start-thread.ts';
import type { FromFolders, HashAnswer, HashQuestion, PageQuestion, ToFolders } from './folder-messages.ts';
import { listingOf, storedFile, type WalkPage } from './stored-files.ts';

interface Pending<Out> {
  resolve(answer: Out): void;
  reject(reason: unknown): void;
}

type Question = ToFolders extends infer Each ? (Each extends ToFolders ? Omit<Each, 'number'> : never) : never;

/** A thread for folders. The first question starts it, and the next one after it has failed. */
class FolderThread<Out extends WalkPage | readonly HashAnswer[]> {
  readonly #options: WorkerOptions;
  readonly #asked = new Map<number, Pending<Out>>();
  #worker: Worker | undefined;
  #number = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  constructor(options: WorkerOptions = {}) {
    this.#options = options;
  }

  async ask(question: Question, signal?: AbortSignal): Promise<Out> {
    if (signal?.aborted) throw left();
    if (this.#closed) throw new DriverError('aborted', 'The scheme of the storage is closed');
    const number = this.#number++;
    const answer = new Promise<Out>((resolve, reject) => this.#asked.set(number, { resolve, reject }));
    const worker = this.#running();
    worker.ref();
    worker.postMessage({ ...question, number } satisfies ToFolders);
    // The thread still finishes its page, and the result is ignored.
    const stop = () => {
      if ('stop' in question) Atomics.store(question.stop, 0, 1);
      this.#take(number)?.reject(left());
    };
    signal?.addEventListener('abort', stop, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', stop));
  }

  /** Ends once the questions that are under way are answered. */
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
    const worker = startWorker('file-storage/folder-worker', this.#options);
    this.#worker = worker;
    worker.on('message', (message: FromFolders) => this.#receive(message));
    worker.on('error', (error) => this.#end(worker, String(error)));
    worker.on('exit', () => this.#end(worker, 'it ended'));
    return worker;
  }

  #receive(message: FromFolders): void {
    const pending = this.#take(message.number);
    if ('answer' in message) pending?.resolve(message.answer as Out);
    else pending?.reject(Object.assign(new Error(message.message), { code: message.code }));
  }

  #take(number: number): Pending<Out> | undefined {
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
      this.#take(number)?.reject(new DriverError('failed', `Expected the thread of the storage to go on: ${why}`));
    }
  }
}

/** Threads that hash: requests keep a core. */
const maxHashThreads = Math.min(4, Math.max(1, availableParallelism() - 1));

/** Threads for the folders of storages: one lists them, and others hash files. */
export class FolderThreads {
  readonly #walker = new FolderThread<WalkPage>();
  // Hashing takes a core for as long as it lasts.
  readonly #hashers = Array.from(
    { length: maxHashThreads },
    () => new FolderThread<readonly HashAnswer[]>({ workerData: { stepsBack: true } }),
  );

  async page(page: PageQuestion, signal?: AbortSignal): Promise<Listing> {
    return listingOf(await this.#walker.ask({ page }, signal));
  }

  /** Hashes files in the order of their paths: each thread takes neighbours, which share a folder. */
  async hash(question: HashQuestion, signal?: AbortSignal): Promise<readonly (HashedFile | StorageError)[]> {
    const { paths, algorithms } = question;
    const share = Math.ceil(paths.length / this.#hashers.length);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const answers = await Promise.all(
      this.#hashers.map(async (thread, index) => {
        const part = paths.slice(index * share, (index + 1) * share);
        return part.length === 0 ? [] : thread.ask({ hash: { ...question, paths: part }, stop }, signal);
      }),
    );
    return answers.flat().map((answer, index) => hashedFile(paths[index]!, answer, algorithms));
  }

  async close(): Promise<void> {
    await Promise.all([this.#walker, ...this.#hashers].map((thread) => thread.close()));
  }
}

function hashedFile(
  path: string,
  answer: HashAnswer,
  algorithms: HashQuestion['algorithms'],
): HashedFile | StorageError {
  if ('kind' in answer) return new DriverError(answer.kind, answer.message);
  const hashes = Object.fromEntries(algorithms.map((algorithm, index) => [algorithm, answer.hashes[index]!]));
  return { file: storedFile(path, answer), hashes };
}

const left = () => new DriverError('aborted', 'The reader went away');
