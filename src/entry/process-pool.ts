import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import process from 'node:process';
import type { Log } from '../core/lib/log.ts';
import { joinMetrics } from '../core/lib/metrics.ts';
import type { WorkStatus } from '../core/work/status.ts';
import { CommandError } from '../room/command.ts';

/** Messages of a serving process to the primary. */
export type ToPrimary =
  | { readonly kind: 'listening'; readonly port: number }
  /** Commits may have made work of these kinds. */
  | { readonly kind: 'changed'; readonly kinds: readonly string[] }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'figures'; readonly id: number; readonly text: string };

/** Messages of the primary to a serving process. */
export type ToServing =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload' }
  | { readonly kind: 'tell-figures'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown };

export type Question = 'metrics' | 'work';

/** Names a process as one that a primary has started. Its value is the port to share on Deno. */
export const servingVariable = 'PORTICO_STARTED_BY_PRIMARY';

const onDeno = 'Deno' in globalThis;

/** Milliseconds that the figures of a process are waited for. */
const figuresWithin = 2_000;
/** Milliseconds before the successor of a process that never listened. */
const pauseAfterFailure = 1_000;

interface Serving {
  readonly name: string;
  readonly child: ChildProcess;
  listens: boolean;
}

interface ProcessPoolParts {
  readonly count: number;
  readonly port: number;
  readonly log: Log;
  /** Figures of this process. */
  figures(): Promise<string>;
  work(): Promise<readonly WorkStatus[]>;
  changed(kinds: readonly string[]): void;
}

/** Processes that serve, by their numbers from 1. One that ends is replaced. */
export class ProcessPool {
  readonly #parts: ProcessPoolParts;
  readonly #serving = new Map<string, Serving>();
  readonly #asked = new Map<number, (text: string) => void>();
  #questions = 0;
  #port: number;
  #stopping = false;
  #ended: () => void = () => undefined;

  constructor(parts: ProcessPoolParts) {
    this.#parts = parts;
    this.#port = onDeno ? parts.port : 0;
  }

  /** Starts all processes, and gives the port that they share. */
  async start(): Promise<number> {
    const [first = '', ...others] = Array.from({ length: this.#parts.count }, (_, index) => String(index + 1));
    const listens = this.#first(first);
    // Deno shares a port by its number, Node by the listener of this process.
    if (onDeno) this.#port = await listens;
    const [port] = await Promise.all([listens, ...others.map((name) => this.#first(name))]);
    return port;
  }

  reload(): void {
    this.#tellAll({ kind: 'reload' });
  }

  /** Resolves when all have finished what they were doing. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    if (this.#serving.size === 0) return;
    this.#tellAll({ kind: 'stop' });
    await ended;
  }

  /** Metrics of all processes. One that does not answer in time is left out. */
  async metrics(): Promise<string> {
    const figures = [...this.#serving.values()].map(
      async ({ name, child }) => [name, await this.#figuresOf(child)] as const,
    );
    const own = this.#parts.figures();
    return joinMetrics('process', [['0', await own], ...(await Promise.all(figures))]);
  }

  #first(name: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#begin(name, resolve, () => reject(new CommandError('A process ended before it served')));
    });
  }

  #begin(name: string, ready: (port: number) => void, failed: () => void): void {
    const child = this.#fork();
    const serving: Serving = { name, child, listens: false };
    this.#serving.set(name, serving);
    child.on('message', (message: ToPrimary) => {
      if (message.kind === 'listening') {
        serving.listens = true;
        this.#parts.log.write('info', 'process-serves', { process: name, pid: child.pid });
        ready(message.port);
      } else this.#take(child, message);
    });
    child.once('exit', (code, signal) => {
      this.#serving.delete(name);
      if (this.#serving.size === 0) this.#ended();
      if (!serving.listens) failed();
      if (this.#stopping) return;
      this.#parts.log.write('error', 'process-ended', { process: name, pid: child.pid, code, signal });
      if (serving.listens) this.#replace(name, 0);
    });
  }

  #replace(name: string, pause: number): void {
    setTimeout(() => {
      if (this.#stopping) return;
      this.#begin(
        name,
        () => undefined,
        () => this.#replace(name, pauseAfterFailure),
      );
    }, pause);
  }

  /** Starts this program once more, with the words that it was started with. */
  #fork(): ChildProcess {
    const environment = { [servingVariable]: String(this.#port) };
    if (!onDeno) return cluster.fork(environment).process;
    const [, program = '', ...words] = process.argv;
    return fork(program, words, { env: { ...process.env, ...environment } });
  }

  #take(child: ChildProcess, message: Exclude<ToPrimary, { kind: 'listening' }>): void {
    if (message.kind === 'changed') this.#parts.changed(message.kinds);
    else if (message.kind === 'figures') this.#asked.get(message.id)?.(message.text);
    else void this.#answer(child, message.id, message.question);
  }

  async #answer(child: ChildProcess, id: number, question: Question): Promise<void> {
    const value = question === 'metrics' ? await this.metrics() : await this.#parts.work();
    tell(child, { kind: 'answer', id, value });
  }

  async #figuresOf(child: ChildProcess): Promise<string> {
    const id = ++this.#questions;
    const text = new Promise<string>((resolve) => {
      const late = setTimeout(() => resolve(''), figuresWithin);
      this.#asked.set(id, (told) => {
        clearTimeout(late);
        resolve(told);
      });
      tell(child, { kind: 'tell-figures', id });
    });
    return text.finally(() => this.#asked.delete(id));
  }

  #tellAll(message: ToServing): void {
    for (const { child } of this.#serving.values()) tell(child, message);
  }
}

const tell = (child: ChildProcess, message: ToServing): void => {
  if (child.connected) child.send(message, () => undefined);
};
