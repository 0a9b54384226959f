import { parentPort } from 'node:worker_threads';
import { StylesheetFails } from '../../extensions/stylesheets/processor/fails.ts';
import {
  type Transformation,
  type Transformed,
  transformHere,
} from '../../extensions/stylesheets/processor/transform.ts';
import type { FromTasks } from './task-thread.ts';

const port = parentPort!;
const tell = (message: FromTasks<Transformed>): void => port.postMessage(message);

/** Carries out stylesheets, one at a time. */
port.on('message', (given: Transformation) => {
  try {
    tell({ done: transformHere(given) });
  } catch (error) {
    tell(error instanceof StylesheetFails ? { fails: error.message } : { broken: (error as Error).message });
  }
});

tell({ ready: true });
