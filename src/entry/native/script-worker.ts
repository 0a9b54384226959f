import { parentPort } from 'node:worker_threads';
import { runHere } from '../../core/scripts/run-here.ts';
import { type Json, ScriptFails } from '../../core/scripts/run-script.ts';
import type { FromTasks, ToScripts } from './task-thread.ts';

const port = parentPort!;
const tell = (message: FromTasks<Record<string, Json>>): void => port.postMessage(message);

/** Runs scripts, one at a time. */
port.on('message', ({ source, variables, reads }: ToScripts) => {
  runHere(source, variables, reads).then(
    (done) => tell({ done }),
    (error: unknown) =>
      tell(error instanceof ScriptFails ? { fails: error.message } : { broken: (error as Error).message }),
  );
});

// Compiles the engine ahead, so that no script pays for it.
runHere('0', {}, []).then(
  () => tell({ ready: true }),
  (error: unknown) => tell({ broken: (error as Error).message }),
);
