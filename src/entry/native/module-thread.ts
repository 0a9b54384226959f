import type { ThreadTask } from '../../lib/thread-task.ts';
import { programPath } from '../program-path.ts';
import { taskThread } from './task-thread.ts';

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
  const known = threads.get(task.program) ?? moduleThread<In, Out>(task);
  threads.set(task.program, known);
  return known as (given: In) => Promise<Out>;
}
