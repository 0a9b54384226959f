import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { dropEngine, scriptEngine } from './engine.ts';
import { type Json, lastValue } from './json.ts';
import { prelude } from './prelude.ts';
import { ScriptFails, tooSlow } from './script-fails.ts';

/**
 * About a second. The engine asks every ten thousand branches and calls. Asks are counted and no clock is read, because
 * the clock of an edge stands still while a script runs.
 */
const mostAsks = 1_000;
const mostMemory = 16 * 1024 * 1024;
const mostStack = 256 * 1024;
const longestSource = 256 * 1024;
const longestResult = 1024 * 1024;
const longestMessage = 500;
const tooDeep = 'Expected values with fewer levels: these need more stack than there is';

/**
 * Runs a script on this thread, which is blocked meanwhile. A single call of an expensive function can exceed the
 * limit.
 */
export async function runHere(
  source: string,
  variables: Readonly<Record<string, Json>>,
  reads: readonly string[],
): Promise<Record<string, Json>> {
  if (source.length > longestSource) throw tooLong('a script', longestSource, source.length);
  const engine = await scriptEngine();
  const runtime = engine.newRuntime();
  let asks = 0;
  runtime.setMemoryLimit(mostMemory);
  runtime.setMaxStackSize(mostStack);
  runtime.setInterruptHandler(() => ++asks > mostAsks);
  const context = runtime.newContext();
  try {
    const sandbox = sandboxOf(context, () => asks > mostAsks);
    return sandbox.run(source, variables, reads);
  } catch (error) {
    if (error instanceof ScriptFails) throw error;
    dropEngine();
    // The engine needs the stack of its thread, which ends before its own does.
    throw error instanceof RangeError ? new ScriptFails(tooDeep) : error;
  } finally {
    close(context, runtime);
  }
}

/** A value of thousands of levels can leave the engine in doubt. What the script did or failed with is told all the same. */
function close(...parts: readonly { dispose(): void }[]): void {
  try {
    for (const part of parts) part.dispose();
  } catch {
    dropEngine();
  }
}

function sandboxOf(context: QuickJSContext, isOver: () => boolean) {
  const handles: QuickJSHandle[] = [];
  const disposable = (handle: QuickJSHandle): QuickJSHandle => {
    handles.push(handle);
    return handle;
  };

  /** Failure of a script. Errors thrown while it is described are ignored. */
  function failure(thrown: QuickJSHandle): ScriptFails {
    if (isOver()) return new ScriptFails(tooSlow);
    const description = context.callFunction(describe, context.undefined, thrown);
    if (description.error) {
      description.error.dispose();
      return new ScriptFails('Expected the script to end: it threw something without a text');
    }
    return new ScriptFails(description.value.consume((text) => context.getString(text)).slice(0, longestMessage));
  }

  function evaluate(code: string, name: string): QuickJSHandle {
    const result = context.evalCode(code, name);
    if (result.error) throw result.error.consume(failure);
    return disposable(result.value);
  }

  function call(tool: QuickJSHandle, ...given: QuickJSHandle[]): QuickJSHandle {
    const result = context.callFunction(tool, context.undefined, ...given);
    if (result.error) throw result.error.consume(failure);
    return disposable(result.value);
  }

  /** Undefined: there is no such variable, or it is no JSON. */
  function jsonOf(handle: QuickJSHandle, name: string): Json | undefined {
    const written = call(write, handle);
    if (context.typeof(written) !== 'string') return undefined;
    const text = context.getString(written);
    if (text.length > longestResult) throw tooLong(`a value in "${name}"`, longestResult, text.length);
    return JSON.parse(text) as Json;
  }

  const service = context.unwrapResult(context.evalCode(prelude, 'service'));
  const [set, write, describe] = ['set', 'write', 'describe'].map((name) =>
    disposable(context.getProp(service, name)),
  ) as [QuickJSHandle, QuickJSHandle, QuickJSHandle];
  disposable(service);

  return {
    run(source: string, variables: Readonly<Record<string, Json>>, reads: readonly string[]): Record<string, Json> {
      try {
        for (const [name, value] of Object.entries(variables)) {
          const text = JSON.stringify(value);
          call(set, disposable(context.newString(name)), disposable(context.newString(text)));
        }
        const last = evaluate(source, 'script');
        const read = (name: string): QuickJSHandle =>
          name === lastValue ? last : evaluate(`typeof ${name} === 'undefined' ? undefined : ${name}`, 'service');
        const entries = reads.map((name) => [name, jsonOf(read(name), name)] as const);
        return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
      } finally {
        for (const handle of handles) handle.dispose();
      }
    },
  };
}

const tooLong = (what: string, most: number, found: number): ScriptFails =>
  new ScriptFails(`Expected ${what} of at most ${most} characters: found ${found}`);
