import { parentPort, workerData } from 'node:worker_threads';
import type { FromTasks } from './task-thread.ts';

interface Program {
  run(given: unknown): unknown;
  isFailure(error: unknown): boolean;
}

const port = parentPort!;
const tell = (message: FromTasks<unknown>): void => port.postMessage(message);
const { run, isFailure }: Program = await import(workerData.module);

/** Carries out the tasks of a module, one at a time. */
port.on('message', async (given: unknown) => {
  try {
    tell({ done: await run(given) });
  } catch (error) {
    const { message } = error as Error;
    tell(isFailure(error) ? { fails: message } : { broken: message });
  }
});

tell({ ready: true });
