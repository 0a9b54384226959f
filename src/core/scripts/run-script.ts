import type { Json } from './json.ts';
import { ScriptFails } from './script-fails.ts';

export { type Json, lastValue } from './json.ts';
export { ScriptFails };

export type RunScript = (
  source: string,
  variables: Readonly<Record<string, Json>>,
  reads: readonly string[],
) => Promise<Record<string, Json>>;

let onThread: RunScript | undefined;
let here: RunScript | undefined;

/** Sets the thread for scripts. On a server they run there, block no request, and can be aborted. */
export function runScriptsIn(thread: RunScript): void {
  onThread = thread;
}

/** Sets what runs scripts where no thread does. */
export function runScriptsBy(run: RunScript): void {
  here = run;
}

/**
 * Runs a script in a sandbox of its own: it sees its variables and the language, and nothing else. Answers those of
 * `reads` as the script left them. What is no JSON, like a function, is left out. Throws `ScriptFails`.
 */
export const runScript: RunScript = async (...given) => {
  const run = here && (onThread ?? here);
  if (!run) throw new ScriptFails('Expected the extension "scripts", which this service leaves out');
  return run(...given);
};
