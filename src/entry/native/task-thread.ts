import type { Worker, WorkerOptions } from 'node:worker_threads';
import { FairQueue } from '../../core/lib/fair-queue.ts';
import type { ThreadTask } from '../../core/lib/thread-task.ts';
import type { Json, RunScript } from '../../core/scripts/run-script.ts';
import { ScriptFails, tooSlow } from '../../core/scripts/run-script.ts';
import { programPath } from '../program-path.ts';
import { startWorker } from '../start-thread.ts';

/** A script for the thread. */
export interface ToScripts {
  readonly source: string;
  readonly variables: Readonly<Record<string, Json>>;
  readonly reads: readonly string[];
}

/** Message of the thread. `ready`: the next task starts at once. */
export type FromTasks<Out> =
  | { readonly ready: true }
  | { readonly done: Out }
  | { readonly fails: string }
  | { readonly broken: string };

interface Task<In> {
  /** File name of the thread's program, in this folder. */
  readonly program: string;
  readonly options?: WorkerOptions;
  /** Milliseconds for one task. */
  readonly max: number;
  /** Message for a task that exceeds its time. */
  readonly tooSlow: string;
  fails(message: string): Error;
  /** Key of the requester: requesters take turns. Without it, tasks run in order of arrival. */
  by?(given: In): string | undefined;
  /** Message for an error that ended the thread, if its task caused it. */
  faultOf?(error: Error): string | undefined;
}

/** Runs the task on the thread. After a timeout the thread is still busy. */
async function ask<In, Out>(worker: Worker, given: In, task: Task<In>): Promise<FromTasks<Out>> {
  let stop = () => {};
  const answer = await new Promise<FromTasks<Out>>((resolve) => {
    const timer = setTimeout(() => resolve({ fails: task.tooSlow }), task.max);
    const failed = (error: unknown) => {
      const fault = task.faultOf?.(error as Error);
      resolve(fault === undefined ? { broken: (error as Error).message } : { fails: fault });
    };
    stop = () => {
      clearTimeout(timer);
      worker.off('message', resolve);
      worker.off('error', failed);
    };
    worker.on('message', resolve);
    worker.on('error', failed);
    worker.ref();
    worker.postMessage(given);
  });
  stop();
  return answer;
}

/** The one at work, and those that are told to end: near the end of its memory, one takes many seconds for that. */
const maxThreads = 3;

/** A thread for tasks, started by the first one. It does one after the other. */
function taskThread<In, Out>(task: Task<In>): ((given: In) => Promise<Out>) & { close(): Promise<void> } {
  let thread: Promise<Worker> | undefined;
  const waiting = new FairQueue<() => Promise<unknown>>();
  let busy = false;
  const ending = new Set<Promise<unknown>>();

  /** The thread once it is ready. It keeps no process alive. */
  async function started(): Promise<Worker> {
    while (!thread && ending.size >= maxThreads) await Promise.race(ending);
    if (thread) return thread;
    const begun = new Promise<Worker>((resolve, reject) => {
      const worker = startWorker(task.program, task.options ?? {});
      worker.unref();
      worker.once('message', (message: FromTasks<Out>) => {
        if ('ready' in message) resolve(worker);
        else reject(new Error('broken' in message ? message.broken : `Expected a thread of ${task.program}`));
      });
      worker.on('error', reject);
      worker.once('exit', () => {
        if (thread === begun) thread = undefined;
        reject(new Error(`The thread of ${task.program} ended`));
      });
    });
    thread = begun;
    return begun;
  }

  /** Ends the thread without waiting, while few others are ending. */
  function drop(worker: Worker | undefined): void {
    thread = undefined;
    if (!worker) return;
    const end = worker.terminate().finally(() => ending.delete(end));
    ending.add(end);
  }

  async function run(given: In): Promise<Out> {
    const worker = await started().catch((error: unknown) => {
      drop(undefined);
      throw error;
    });
    const answer = await ask<In, Out>(worker, given, task);
    worker.unref();
    if ('done' in answer) return answer.done;
    // The thread is still busy, or in an unknown state.
    if (!('fails' in answer) || answer.fails === task.tooSlow) drop(worker);
    if ('fails' in answer) throw task.fails(answer.fails);
    throw new Error('broken' in answer ? answer.broken : 'Expected an answer of a thread');
  }

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let next = waiting.take(); next; next = waiting.take()) await next();
    busy = false;
  }

  const inTurn = (given: In): Promise<Out> =>
    new Promise((resolve, reject) => {
      waiting.push([task.by?.(given) ?? ''], () => run(given).then(resolve, reject));
      void work();
    });
  async function close(): Promise<void> {
    drop(await thread?.catch(() => undefined));
    await Promise.all(ending);
  }
  return Object.assign(inTurn, { close });
}

/**
 * Milliseconds for one script. The engine counts steps and ends most scripts earlier. One call of a costly function is one
 * step however long it takes.
 */
const maxLength = 3_000;

/** A thread for scripts, started by the first one. They run one after the other. */
export function scriptThread(max = maxLength): RunScript & { close(): Promise<void> } {
  const thread = taskThread<ToScripts, Record<string, Json>>({
    program: 'script-worker',
    max,
    tooSlow,
    fails: (message) => new ScriptFails(message),
  });
  const run: RunScript = (source, variables, reads) => thread({ source, variables, reads });
  return Object.assign(run, { close: thread.close });
}

/** A thread that a module of the program runs on, started by its first task. */
export const moduleThread = <In, Out>(task: ThreadTask<In>) =>
  taskThread<In, Out>({
    ...task,
    program: 'task-worker',
    options: {
      workerData: { module: programPath(task.program).href },
      resourceLimits: { maxOldGenerationSizeMb: task.megabytes, stackSizeMb: task.stackMegabytes },
    },
    faultOf: ({ message }) => (/memory/i.test(message) ? task.tooLarge : undefined),
  });

const threads = new Map<string, (given: never) => Promise<unknown>>();

/** Services of one process share the thread of a module. */
export function sharedThread<In, Out>(task: ThreadTask<In>): (given: In) => Promise<Out> {
  const thread = threads.get(task.program) ?? moduleThread<In, Out>(task);
  threads.set(task.program, thread);
  return thread as (given: In) => Promise<Out>;
}
