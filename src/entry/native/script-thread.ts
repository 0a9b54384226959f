import type { Worker } from 'node:worker_threads';
import type { RunScript } from '../../scripts/run-script.ts';
import { ScriptFails, tooSlow } from '../../scripts/script-fails.ts';
import type { FromScripts, ToScripts } from './script-messages.ts';
import { startWorker } from './worker-program.ts';

/**
 * Milliseconds for one script. The engine counts steps and ends most scripts earlier. One call of a costly function is one
 * step however long it takes.
 */
const most = 3_000;

/** Its answer. Without one in time the thread still runs the script. */
async function ask(worker: Worker, given: ToScripts, milliseconds: number): Promise<FromScripts> {
  let stop = () => {};
  const answer = await new Promise<FromScripts>((resolve) => {
    const timer = setTimeout(() => resolve({ fails: tooSlow }), milliseconds);
    const failed = (error: unknown) => resolve({ broken: (error as Error).message });
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

/** A thread for scripts, started by the first one. They run one after the other. */
export function scriptThread(milliseconds = most): RunScript & { close(): Promise<void> } {
  let thread: Promise<Worker> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** The thread once its engine is there. It keeps no process alive. */
  function started(): Promise<Worker> {
    if (thread) return thread;
    const begun = new Promise<Worker>((resolve, reject) => {
      const worker = startWorker('script-worker', {});
      worker.unref();
      worker.once('message', (message: FromScripts) => {
        if ('ready' in message) resolve(worker);
        else reject(new Error('broken' in message ? message.broken : 'Expected a thread that runs scripts'));
      });
      worker.on('error', reject);
      worker.once('exit', () => {
        if (thread === begun) thread = undefined;
        reject(new Error('The thread of scripts ended'));
      });
    });
    thread = begun;
    return begun;
  }

  async function drop(worker: Worker | undefined): Promise<void> {
    thread = undefined;
    await worker?.terminate();
  }

  async function run(given: ToScripts): ReturnType<RunScript> {
    const worker = await started().catch(async (error: unknown) => {
      await drop(undefined);
      throw error;
    });
    const answer = await ask(worker, given, milliseconds);
    worker.unref();
    if ('read' in answer) return answer.read;
    // It still runs, or nobody knows what it left behind.
    if (!('fails' in answer) || answer.fails === tooSlow) await drop(worker);
    if ('fails' in answer) throw new ScriptFails(answer.fails);
    throw new Error('broken' in answer ? answer.broken : 'Expected an answer of a script');
  }

  const inTurn: RunScript = (source, variables, reads) => {
    const turn = last.then(() => run({ source, variables, reads }));
    last = turn.catch(() => undefined);
    return turn;
  };
  return Object.assign(inTurn, { close: async () => drop(await thread?.catch(() => undefined)) });
}
