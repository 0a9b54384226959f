/** Values that scripts receive and return. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Name of the last statement's value. A reserved word, so that no variable has this name. */
export const lastValue = 'return';

/** A script threw, or took more time or memory than it may. The message is for the author of the script. */
export class ScriptFails extends Error {}

export const tooSlow = 'Expected the script to end within a second';

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
export const runScript: RunScript = async (...script) => {
  const run = here && (onThread ?? here);
  if (!run) throw new ScriptFails('Expected the extension "scripts", which this service leaves out');
  return run(...script);
};

/** Compiled `emscripten-module.wasm` of the variant, or what brings it at the first script. */
export type EngineModule = WebAssembly.Module | (() => Promise<WebAssembly.Module>);

let engineModule: EngineModule | undefined;

/** For platforms that compile nothing at run time, or have no file of the package. */
export function setEngine(engine: EngineModule): void {
  engineModule = engine;
}

export const engineInUse = (): EngineModule | undefined => engineModule;
