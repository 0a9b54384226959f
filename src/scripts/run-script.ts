import type { Json } from './json.ts';
import { runHere } from './run-here.ts';

export { type Json, lastValue } from './json.ts';
export { ScriptFails } from './script-fails.ts';

export type RunScript = (
  source: string,
  variables: Readonly<Record<string, Json>>,
  reads: readonly string[],
) => Promise<Record<string, Json>>;

let elsewhere: RunScript | undefined;

/** Sets the thread for scripts. On a server they run there, block no request, and can be aborted. */
export function runScriptsIn(thread: RunScript): void {
  elsewhere = thread;
}

/**
 * Runs a script in a sandbox of its own: it sees its variables and the language, and nothing else. Answers those of
 * `reads` as the script left them. What is no JSON, like a function, is left out. Throws `ScriptFails`.
 */
export const runScript: RunScript = (...given) => (elsewhere ?? runHere)(...given);
