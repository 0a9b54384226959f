import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { MediaFault, mediaKindOf } from '../../../production/checking/public-reading.ts';
import type { MediaSource } from '../../../spi/index.ts';
import { programPath } from '../../program-path.ts';
import { readsTypeScript, tsxLoader } from '../../start-thread.ts';
import type { Loopback } from './loopback.ts';
import { type ChildMessage, type ChildQuestion, Lines, messageLine } from './messages.ts';
import { killAll, type Limits, spawnLimited } from './spawn-limited.ts';

/** Milliseconds for the start of a process on a busy machine. */
const startWithin = 30_000;
/** Milliseconds after which a question is a long one: those behind it go where a place is free. */
const patience = 250;
/** Characters of what it said last that are kept for messages. */
const lastWords = 4_096;

export interface MediaQuestion {
  readonly call: string;
  readonly source: MediaSource;
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** Number of first bytes that are sent with the question: all of a small file, which then needs no address. */
  readonly sends?: number;
  /** Folders of plugins that the process loads. */
  readonly reads?: readonly string[];
  /** Milliseconds without progress after which the process is killed. */
  readonly within: number;
  onProgress?(progress: unknown): void;
}

/** Permissions of a process beside its media. Runtimes without permissions do not enforce them. */
interface Reach {
  /** Folders that the process may read. */
  readonly reads: readonly string[];
  /** Writable folder, private to the process. */
  readonly writes?: string;
  /** Whether it loads native code. */
  readonly isNative?: boolean;
}

const nothing: Reach = { reads: [] };

/** Fault of questions that wait in a process which ends or takes long. The pool asks another process. */
export const notBegun = new MediaFault('aborted', 'The media process has ended');

interface Waiting {
  /** Starts its time limit. */
  begin(): void;
  /** Leaves the queue: another process takes the question. */
  leave(): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  progress(progress: unknown): void;
}

/** A media process that answers one question at a time. Further questions wait in its queue. */
export class MediaProcess {
  readonly #process: ChildProcess;
  readonly #loopback: Loopback;
  readonly #limits: Limits;
  /** Queue of questions. The first one is being answered. */
  readonly #line: Waiting[] = [];
  #said = '';
  /** Whether the current question takes long. */
  isSlow = false;
  onSlow?: () => void;
  #slow: NodeJS.Timeout | undefined;
  /** Whether the process has ended or is unusable. */
  gone = false;
  /** Whether it ended by itself or sent an invalid message, caused by the current media or by earlier media. */
  broke = false;
  asked = 0;
  answered = 0;
  /** Readable folders, if the runtime has permissions. */
  readonly reads: readonly string[];

  /** `program`: the module to run. */
  constructor(limits: Limits, loopback: Loopback, program: URL, reach: Reach = nothing) {
    this.reads = reach.reads;
    this.#loopback = loopback;
    this.#limits = limits;
    const child = spawnLimited(process.execPath, wordsFor(program, limits, reach), limits, environmentFor(limits));
    this.#process = child;
    const lines = new Lines();
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      try {
        for (const line of lines.take(text)) this.#hear(line);
      } catch {
        this.#break(new MediaFault('broken', 'Expected messages of the media process'));
      }
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-lastWords);
    });
    child.stdin!.on('error', () => undefined);
    child.on('error', (error) => this.#end(new Error(`Expected to start a media process: ${error.message}`)));
    child.on('exit', (code, signal) => {
      const end = () => this.#break(this.#reason(signal ?? `code ${code}`));
      // Waits for the last output: it tells which question was the last one.
      child.once('close', end);
      setTimeout(() => setImmediate(end), 200).unref();
    });
    if (child.pid === undefined) {
      const reason = 'Expected the right to start a media process (on Deno: --allow-run=prlimit)';
      // An event with a more precise reason may follow.
      setTimeout(() => this.#end(new Error(reason)), 50);
      return;
    }
    // Does not keep the process alive: a command ends when its work is done.
    child.unref();
    for (const stream of [child.stdin!, child.stdout!, child.stderr!]) {
      (stream as unknown as { unref?(): void }).unref?.();
    }
  }

  /** Number of questions, including those whose caller has left. */
  get load(): number {
    return this.#line.length;
  }

  /** Resolves when the process takes questions. */
  ready(): Promise<unknown> {
    return this.#answer(startWithin, new AbortController().signal);
  }

  /** `head`: the first bytes of the media. */
  async ask({ call, source, input, signal, within, onProgress }: MediaQuestion, head?: Uint8Array): Promise<unknown> {
    const { size, name } = source;
    const lent = head?.byteLength === size ? undefined : await this.#loopback.lend(source);
    try {
      if (signal.aborted) throw withdrawn();
      this.asked++;
      const answer = this.#answer(within, signal, onProgress);
      const question: ChildQuestion = {
        call,
        source: {
          size,
          ...(lent && { url: lent.url }),
          ...(name !== undefined && { name }),
          ...(head && { head: textOf(head) }),
        },
        input,
      };
      this.#process.stdin!.write(messageLine(question));
      return await answer;
    } catch (error) {
      const fault = lent?.fault();
      throw fault && !signal.aborted ? fault.error : error;
    } finally {
      lent?.takeBack();
    }
  }

  kill(): void {
    this.#end(new MediaFault('aborted', 'The media process was ended'));
  }

  #answer(within: number, signal: AbortSignal, onProgress?: (progress: unknown) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.gone) return reject(notBegun);
      let timer: NodeJS.Timeout | undefined;
      const late = () =>
        this.#end(new MediaFault('exhausted', `Expected an answer about the media within ${within / 1000} seconds`));
      let isWanted = true;
      // A queued question cannot be removed. Its answer is ignored.
      const leave = (error: Error) => {
        isWanted = false;
        signal.removeEventListener('abort', stop);
        reject(error);
      };
      const stop = () => (this.#line[0] === waiting ? this.#end(withdrawn()) : leave(withdrawn()));
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      };
      const waiting: Waiting = {
        begin() {
          timer = setTimeout(late, isWanted ? within : Math.min(within, patience));
        },
        leave: () => leave(notBegun),
        resolve(result) {
          done();
          resolve(result);
        },
        reject(error) {
          done();
          reject(error);
        },
        progress(progress) {
          clearTimeout(timer);
          timer = setTimeout(late, within);
          onProgress?.(progress);
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      if (this.#line.push(waiting) === 1) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#slow);
    this.isSlow = false;
    const [first] = this.#line;
    if (!first) return;
    first.begin();
    this.#slow = setTimeout(() => {
      this.isSlow = true;
      this.onSlow?.();
    }, patience);
  }

  /** Sends queued questions to other processes. This process still answers them, and the answers are ignored. */
  passOn(): void {
    for (const waiting of this.#line.slice(1)) waiting.leave();
  }

  #hear(line: string): void {
    const childMessage = JSON.parse(line) as ChildMessage;
    if ('progress' in childMessage) {
      this.#line[0]?.progress(childMessage.progress);
      return;
    }
    const answered = this.#line.shift();
    this.#next();
    if (!('ready' in childMessage)) this.answered++;
    if ('ready' in childMessage) answered?.resolve(undefined);
    else if ('result' in childMessage) answered?.resolve(childMessage.result);
    else {
      const { kind, message } = childMessage.failed;
      const fault = new MediaFault(mediaKindOf({ kind }) ?? 'broken', String(message).slice(0, 500));
      answered?.reject(fault);
    }
  }

  /** Why it has ended by itself. */
  #reason(how: string): Error {
    const isMemory = /heap out of memory|allocation failed|out of memory/i.test(this.#said);
    if (isMemory) {
      const { megabytes, setting = 'mediaChildMegabytes' } = this.#limits;
      const max = `${megabytes} MiB (${setting})`;
      return new MediaFault('exhausted', `Expected the media to need at most ${max}`);
    }
    const last = this.#said.trim().split('\n').at(-1) ?? '';
    const words = last === '' ? '' : `: ${last.slice(0, 200)}`;
    return new MediaFault('broken', `Expected the media process to survive the media: it ended with ${how}${words}`);
  }

  #break(error: Error): void {
    this.broke ||= !this.gone;
    this.#end(error);
  }

  #end(error: Error): void {
    clearTimeout(this.#slow);
    if (!this.gone) {
      this.gone = true;
      killAll(this.#process);
    }
    const [answering, ...others] = this.#line.splice(0);
    answering?.reject(error);
    for (const waiting of others) waiting.reject(notBegun);
  }
}

const withdrawn = () => new MediaFault('aborted', 'The question about the media was withdrawn');

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** Path of the built-in media program. */
export const mediaProgram = programPath('entry/media/child/media-child');

const heapOf = ({ megabytes }: Limits) => `--max-old-space-size=${Math.floor(megabytes / 2)}`;

/** Environment of the program on Node. An executable with the program inside reads flags of Node from there alone. */
function environmentFor(limits: Limits): Readonly<Record<string, string>> {
  return 'Deno' in globalThis || 'Bun' in globalThis ? {} : { NODE_OPTIONS: heapOf(limits) };
}

/** Command line for the program in this runtime. */
function wordsFor(program: URL, limits: Limits, { reads, writes, isNative = false }: Reach): readonly string[] {
  const path = fileURLToPath(program);
  // Deno permits only the loopback and the folders of the plugins.
  if ('Deno' in globalThis) {
    const lent = [
      ...(reads.length === 0 ? [] : [`--allow-read=${reads.join(',')}`]),
      ...(writes === undefined ? [] : [`--allow-write=${writes}`]),
      ...(isNative ? ['--allow-ffi', '--allow-env', '--allow-sys'] : []),
    ];
    return ['run', '--no-prompt', '--allow-net=127.0.0.1', ...lent, `--v8-flags=${heapOf(limits)}`, path];
  }
  if ('Bun' in globalThis) return ['run', path];
  const loader = path.endsWith('.ts') && !readsTypeScript() ? ['--import', tsxLoader()] : [];
  return [...loader, path];
}
