import type { Json } from '../../scripts/json.ts';
import type { RunScript } from '../../scripts/run-script.ts';
import { ScriptFails, tooSlow } from '../../scripts/script-fails.ts';
import type { ToScripts } from './script-messages.ts';
import { taskThread } from './task-thread.ts';

/**
 * Milliseconds for one script. The engine counts steps and ends most scripts earlier. One call of a costly function is one
 * step however long it takes.
 */
const longest = 3_000;

/** A thread for scripts, started by the first one. They run one after the other. */
export function scriptThread(most = longest): RunScript & { close(): Promise<void> } {
  const thread = taskThread<ToScripts, Record<string, Json>>({
    program: 'script-worker',
    most,
    tooSlow,
    fails: (message) => new ScriptFails(message),
  });
  const run: RunScript = (source, variables, reads) => thread({ source, variables, reads });
  return Object.assign(run, { close: thread.close });
}
