import type { ThreadTask } from '../../../lib/thread-task.ts';
import { StylesheetFails, tooSlow } from './fails.ts';
import type { Transformation } from './transform.ts';

const megabytes = 512;

/** Task whose stack holds as many nested calls as are allowed. The limit of steps ends most tasks earlier. */
export const stylesheetTask: ThreadTask<Transformation> = {
  program: 'extensions/stylesheets/processor/stylesheet-worker',
  most: 3_000,
  megabytes,
  stackMegabytes: 32,
  tooSlow,
  tooLarge: `Expected a stylesheet that needs at most ${megabytes} megabytes`,
  fails: (message) => new StylesheetFails(message),
  by: ({ by }) => by,
};
