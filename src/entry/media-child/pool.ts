import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaFault } from '../../checking/probing/faults.ts';
import { Loopback } from './loopback.ts';
import { MediaProcess, mediaProgram, type Question } from './media-process.ts';

export interface PoolOptions {
  /** Processes at a time. */
  readonly most: number;
  readonly megabytes: number;
  /** Of computing, for one process in all its life. */
  readonly cpuSeconds: number;
  /** Takes their empty folder where the system lends none. */
  readonly root?: string;
  /** What they run, instead of the shipped program. */
  readonly program?: URL;
}

/** Questions after which a process is replaced: libraries leak. Its start costs as much as a hundred small files. */
const mostAsked = 500;
/** Milliseconds after which a process without questions ends. */
const idleTime = 60_000;

/** A question that waits for a process. */
interface Waiter {
  go(): void;
  end(error: Error): void;
}

/** Media processes that are started when they are needed. */
export class ChildPool {
  readonly loopback = new Loopback();
  readonly #options: PoolOptions;
  readonly #idle: { readonly child: MediaProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #busy = new Set<MediaProcess>();
  readonly #line: Waiter[] = [];
  #running = 0;
  #folder: Promise<string> | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An empty folder for processes, the same until the pool closes. */
  folder(): Promise<string> {
    this.#folder ??= emptyFolder(this.#options.root);
    return this.#folder;
  }

  async ask(question: Question): Promise<unknown> {
    await this.inTurn(question.signal);
    let child: MediaProcess | undefined;
    try {
      child = await this.#take(question.reads ?? []);
      return await child.ask(question);
    } finally {
      if (child) this.#giveBack(child);
      this.leave();
    }
  }

  /** Waits for a place. Give it back with `leave`. */
  async inTurn(signal: AbortSignal): Promise<void> {
    if (this.#closed) throw new MediaFault('aborted', 'The service ends');
    if (signal.aborted) throw new MediaFault('aborted', 'The question about the media was withdrawn');
    if (this.#running < this.#options.most) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        go: () => {
          signal.removeEventListener('abort', withdraw);
          resolve();
        },
        end: reject,
      };
      const withdraw = () => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        reject(new MediaFault('aborted', 'The question about the media was withdrawn'));
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#line.push(waiter);
    });
  }

  leave(): void {
    const next = this.#line.shift();
    if (next) next.go();
    else this.#running--;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { child, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      child.kill();
    }
    for (const waiter of this.#line.splice(0)) waiter.end(new MediaFault('aborted', 'The service ends'));
    for (const child of this.#busy) child.kill();
    await this.loopback.close();
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }

  /** `reads`: plugins that were loaded since want a process of their own. */
  async #take(reads: readonly string[]): Promise<MediaProcess> {
    // It may have closed while the question waited.
    if (this.#closed) throw new MediaFault('aborted', 'The service ends');
    for (let known = this.#idle.pop(); known; known = this.#idle.pop()) {
      clearTimeout(known.timer);
      if (known.child.gone) continue;
      if (known.child.reads.join() !== reads.join()) {
        known.child.kill();
        continue;
      }
      this.#busy.add(known.child);
      return known.child;
    }
    const { megabytes, cpuSeconds, program = mediaProgram } = this.#options;
    const folder = await this.folder();
    if (this.#closed) throw new MediaFault('aborted', 'The service ends');
    const child = new MediaProcess({ megabytes, cpuSeconds, folder }, this.loopback, program, { reads });
    this.#busy.add(child);
    try {
      await child.ready();
    } catch (error) {
      this.#busy.delete(child);
      throw error;
    }
    return child;
  }

  #giveBack(child: MediaProcess): void {
    this.#busy.delete(child);
    if (child.gone) return;
    if (this.#closed || child.asked >= mostAsked) {
      child.kill();
      return;
    }
    const timer = setTimeout(() => child.kill(), idleTime).unref();
    this.#idle.push({ child, timer });
  }
}

async function emptyFolder(root: string | undefined): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'portico-media-'));
  } catch (error) {
    // Deno may write to the instance root only.
    if (root === undefined) throw error;
    await mkdir(root, { recursive: true });
    return mkdtemp(join(root, 'media-process-'));
  }
}
