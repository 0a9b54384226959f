import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTime, systemClock } from '../../../core/lib/clock.ts';
import { MediaFault } from '../../../production/checking/public-reading.ts';
import { Loopback } from './loopback.ts';
import { MediaProcess, type MediaQuestion, mediaProgram, notBegun } from './media-process.ts';

/**
 * First bytes of the media, sent with a question to save the process a read. Read before the question's turn, while the
 * process answers others.
 */
async function headOf(question: MediaQuestion): Promise<Uint8Array | undefined> {
  const { source, signal, within, sends } = question;
  if (sends === undefined) return undefined;
  const end = Math.min(sends, source.size);
  if (end === 0) return new Uint8Array();
  const late = () => new MediaFault('exhausted', `Expected the first bytes within ${within / 1000} seconds`);
  const head = await inTime(whileNeeded(source.read({ from: 0, end }), signal), systemClock, within, late);
  if (head.byteLength === end) return head;
  throw new Error(`Expected ${end} bytes of the file: found ${head.byteLength}`);
}

/** Ends with its caller, also where the storage hangs. */
function whileNeeded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const withdraw = () => reject(new MediaFault('aborted', 'The question about the media was withdrawn'));
    signal.addEventListener('abort', withdraw, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', withdraw));
    if (signal.aborted) withdraw();
  });
}

export interface PoolOptions {
  /** Maximal number of concurrent processes. */
  readonly max: number;
  readonly megabytes: number;
  /** Seconds of CPU time for one process in its whole life. */
  readonly cpuSeconds: number;
  /** Parent of the processes' empty folder, if the system has no temporary folder. */
  readonly root?: string;
  /** Program to run instead of the built-in one. */
  readonly program?: URL;
}

/**
 * Questions after which a process is replaced, because libraries leak memory. A start costs as much as a hundred small
 * files.
 */
const maxQuestions = 500;
/** Milliseconds after which a process without questions ends. */
const idleTime = 60_000;

/** Questions after which the successor is started in advance, so that no question waits for a start. */
const successorAt = maxQuestions - 60;
/** Questions that a process has at a time. It answers one, and need not wait for the next one. */
const deep = 4;

/** A process that is asked, and holds a place. */
interface BusyChild {
  readonly child: MediaProcess;
  /** Number of questions in the process. */
  questions: number;
  /** Whether a further question may wait: all its questions bring their whole media, so no storage can block them. */
  takesMore: boolean;
}

/** Request for a process, or for a question also for a place in a queue. */
interface Waiter {
  readonly question: MediaQuestion | undefined;
  go(turn: ProcessSlot): void;
  end(error: Error): void;
}

type ProcessSlot = BusyChild | 'a place of its own';

/** Media processes, started on demand. */
export class ChildPool {
  readonly loopback = new Loopback();
  readonly #options: PoolOptions;
  readonly #idle: { readonly child: MediaProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #busy = new Set<MediaProcess>();
  readonly #asking = new Set<BusyChild>();
  readonly #line: Waiter[] = [];
  /** Processes whose successor is started. */
  readonly #succeeded = new WeakSet<MediaProcess>();
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

  async ask(question: MediaQuestion): Promise<unknown> {
    const head = await headOf(question);
    for (let isAlone = false; ; ) {
      const turn = await this.#turn(question.signal, isAlone ? undefined : question);
      const asking = typeof turn === 'object' ? turn : await this.#begin(question, isAlone);
      const { child } = asking;
      try {
        return await child.ask(question, head);
      } catch (error) {
        if (error === notBegun) continue;
        // Media before this may have broken it: a new process that has nothing else tells.
        if (isAlone || !child.broke || child.answered === 0) throw error;
        isAlone = true;
      } finally {
        this.#done(asking);
      }
    }
  }

  /** Waits for a place. Give it back with `leave`. */
  async inTurn(signal: AbortSignal): Promise<void> {
    await this.#turn(signal);
  }

  leave(): void {
    this.#running--;
    this.#serve();
  }

  async #turn(signal: AbortSignal, question?: MediaQuestion): Promise<ProcessSlot> {
    if (this.#closed) throw new MediaFault('aborted', 'The service ends');
    if (signal.aborted) throw new MediaFault('aborted', 'The question about the media was withdrawn');
    return (this.#line.length === 0 ? this.#free(question) : undefined) ?? this.#inLine(signal, question);
  }

  #inLine(signal: AbortSignal, question: MediaQuestion | undefined): Promise<ProcessSlot> {
    return new Promise<ProcessSlot>((resolve, reject) => {
      const waiter: Waiter = {
        question,
        go: (turn) => {
          signal.removeEventListener('abort', withdraw);
          resolve(turn);
        },
        end: reject,
      };
      const withdraw = () => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        reject(new MediaFault('aborted', 'The question about the media was withdrawn'));
        this.#serve();
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#line.push(waiter);
    });
  }

  /** Takes what is free. */
  #free(question: MediaQuestion | undefined): ProcessSlot | undefined {
    if (this.#running < this.#options.max) {
      this.#running++;
      return 'a place of its own';
    }
    if (question?.sends === undefined) return undefined;
    const reads = (question.reads ?? []).join();
    for (const asking of this.#asking) {
      const { child, takesMore, questions } = asking;
      const isFree = Math.max(questions, child.load) < deep && !child.gone && !child.isSlow;
      const isOpen = takesMore && isFree && child.asked < maxQuestions;
      if (!isOpen || child.reads.join() !== reads) continue;
      asking.questions++;
      asking.takesMore = isWhole(question);
      return asking;
    }
    return undefined;
  }

  /** Serves the queue in order of arrival. */
  #serve(): void {
    for (let first = this.#line[0]; first; first = this.#line[0]) {
      const turn = this.#free(first.question);
      if (turn === undefined) return;
      this.#line.shift();
      first.go(turn);
    }
    this.#relieve();
  }

  /** Moves questions behind a slow one to free processes. */
  #relieve(): void {
    if (this.#line.length > 0 || this.#running >= this.#options.max) return;
    for (const { child } of this.#asking) if (child.isSlow) child.passOn();
  }

  /** `isAlone`: the question gets a new process, without a queue. */
  async #begin(question: MediaQuestion, isAlone: boolean): Promise<BusyChild> {
    let child: MediaProcess;
    try {
      child = await (isAlone ? this.#start(question.reads ?? []) : this.#take(question.reads ?? []));
    } catch (error) {
      this.leave();
      throw error;
    }
    child.onSlow = () => this.#relieve();
    const asking: BusyChild = { child, questions: 1, takesMore: !isAlone && isWhole(question) };
    this.#asking.add(asking);
    this.#serve();
    return asking;
  }

  #done(asking: BusyChild): void {
    const { child } = asking;
    if (child.asked >= successorAt) this.#prepareSuccessor(child);
    asking.questions--;
    if (asking.questions > 0) this.#serve();
    else {
      this.#asking.delete(asking);
      this.#giveBack(child);
      this.leave();
    }
  }

  #prepareSuccessor(child: MediaProcess): void {
    if (this.#succeeded.has(child) || child.gone || this.#closed) return;
    this.#succeeded.add(child);
    this.#start(child.reads).then(
      (next) => this.#giveBack(next),
      // The question that needs it finds out why it cannot start.
      () => undefined,
    );
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

  /** `reads`: folders of plugins. Plugins loaded since need a new process. */
  async #take(reads: readonly string[]): Promise<MediaProcess> {
    // The pool may have been closed while the question waited.
    if (this.#closed) throw new MediaFault('aborted', 'The service ends');
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.child.gone) continue;
      if (idle.child.reads.join() !== reads.join()) {
        idle.child.kill();
        continue;
      }
      this.#busy.add(idle.child);
      return idle.child;
    }
    return this.#start(reads);
  }

  async #start(reads: readonly string[]): Promise<MediaProcess> {
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
    if (this.#closed || child.asked >= maxQuestions) {
      child.kill();
      return;
    }
    const timer = setTimeout(() => child.kill(), idleTime).unref();
    this.#idle.push({ child, timer });
  }
}

/** Whether the question contains all bytes of the media. */
const isWhole = ({ source, sends = -1 }: MediaQuestion): boolean => sends >= source.size;

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
