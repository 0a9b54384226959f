import { StylesheetFails, tooSlow } from '../../extensions/stylesheets/processor/fails.ts';
import type { Transformation, Transformed } from '../../extensions/stylesheets/processor/transform.ts';
import { taskThread } from './task-thread.ts';

/** Milliseconds for one stylesheet. Its steps are counted, which ends most of them earlier. */
const longest = 3_000;
const megabytes = 512;

/** A thread for stylesheets, started by the first one. Its stack holds as many calls within calls as are allowed. */
export const stylesheetThread = (most = longest) =>
  taskThread<Transformation, Transformed>({
    program: 'stylesheet-worker',
    options: { resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb: 32 } },
    most,
    tooSlow,
    by: ({ by }) => by,
    fails: (message) => new StylesheetFails(message),
    faultOf: ({ message }) =>
      /memory/i.test(message) ? `Expected a stylesheet that needs at most ${megabytes} megabytes` : undefined,
  });
