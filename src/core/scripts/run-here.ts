import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { type EngineModule, engineInUse, type Json, lastValue, ScriptFails, tooSlow } from './run-script.ts';

let running: Promise<QuickJSWASMModule> | undefined;
/** Engine from which `running` was compiled. */
let compiledEngine: EngineModule | undefined;

/** Compiled at the first script, and once only: it costs more than most scripts. */
async function scriptEngine(): Promise<QuickJSWASMModule> {
  const module = engineInUse();
  if (!module && !compiles()) throw new ScriptFails(expected);
  if (compiledEngine !== module) running = undefined;
  compiledEngine = module;
  running ??= open(module).catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

/** After a script that left the engine in doubt, the next one gets another. */
function dropEngine(): void {
  running = undefined;
}

/** Runtimes that compile nothing lack this function, too. */
const compiles = (): boolean => typeof WebAssembly.instantiateStreaming === 'function';

const expected = 'Expected an edge that brings the engine of scripts along, or another instance for this job';

async function compiledModule(engine: EngineModule): Promise<WebAssembly.Module> {
  if (typeof engine !== 'function') return engine;
  try {
    return await engine();
  } catch {
    throw new ScriptFails(`${expected}. The .wasm file beside the module is missing`);
  }
}

async function open(module: EngineModule | undefined): Promise<QuickJSWASMModule> {
  // Cast, because its types are those of the CommonJS build.
  const { default: variant } = (await import('@jitl/quickjs-wasmfile-release-sync')) as unknown as {
    readonly default: QuickJSSyncVariant;
  };
  return newQuickJSWASMModuleFromVariant(
    module ? newVariant(variant, { wasmModule: await compiledModule(module) }) : variant,
  );
}

/**
 * Runs in the sandbox before a script, and keeps what it needs before the script can replace it. Variables are trees
 * of JSON. Scripts of the API also read and write them as beans: `shape.getMimeType().get(0)`, `preset.setFormat("mp4")`.
 */
const prelude = `(({ parse, stringify }, Error, String, Proxy, Reflect, Array, global) => {
  const { isArray } = Array;
  const owns = (target, key) => Reflect.getOwnPropertyDescriptor(target, key) !== undefined;
  const own = (target, key) => (owns(target, key) ? bean(target[key]) : null);
  const write = (target, key, value) => {
    Reflect.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  const ofLists = {
    get: (list) => (index) => own(list, String(index)),
    size: (list) => () => list.length,
    isEmpty: (list) => () => list.length === 0,
    add: (list) => (value) => { write(list, list.length, value); return true; },
    clear: (list) => () => { list.length = 0; },
  };
  const ofMaps = {
    get: (map) => (key) => own(map, String(key)),
    containsKey: (map) => (key) => owns(map, String(key)),
    put: (map) => (key, value) => { write(map, String(key), value); return null; },
  };
  const accessor = (target, key) => {
    const methods = isArray(target) ? ofLists : ofMaps;
    if (owns(methods, key)) return methods[key](target);
    const length = key.startsWith('is') ? 2 : 3;
    const verb = key.slice(0, length);
    const first = key.charAt(length);
    if (first === '' || first !== first.toUpperCase() || first === first.toLowerCase()) return undefined;
    const name = first.toLowerCase() + key.slice(length + 1);
    if (verb === 'get' || verb === 'is') return () => own(target, name);
    return verb === 'set' ? (value) => { write(target, name, value); } : undefined;
  };
  const handler = {
    get(target, key) {
      if (typeof key !== 'string' || owns(target, key)) return bean(target[key]);
      const found = Reflect.get(target, key);
      return found === undefined ? accessor(target, key) : found;
    },
  };
  const bean = (value) => (typeof value === 'object' && value !== null ? new Proxy(value, handler) : value);
  return {
    set: (name, text) => { write(global, name, bean(parse(text))); },
    write: (value) => stringify(value),
    describe: (thrown) => {
      if (!(thrown instanceof Error)) return String(thrown);
      const line = /\\bscript:(\\d+)/.exec(thrown.stack);
      return thrown.name + ': ' + thrown.message + (line ? ' (line ' + line[1] + ')' : '');
    },
  };
})(JSON, Error, String, Proxy, Reflect, Array, globalThis)`;

/**
 * About a second. The engine asks every ten thousand branches and calls. Asks are counted and no clock is read, because
 * the clock of an edge stands still while a script runs.
 */
const maxAsks = 1_000;
const maxMemory = 16 * 1024 * 1024;
const maxStack = 256 * 1024;
const maxSourceLength = 256 * 1024;
const maxResultLength = 1024 * 1024;
const maxMessageLength = 500;
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
  if (source.length > maxSourceLength) throw tooLong('a script', maxSourceLength, source.length);
  const engine = await scriptEngine();
  const runtime = engine.newRuntime();
  let asks = 0;
  runtime.setMemoryLimit(maxMemory);
  runtime.setMaxStackSize(maxStack);
  runtime.setInterruptHandler(() => ++asks > maxAsks);
  const context = runtime.newContext();
  try {
    const sandbox = sandboxOf(context, () => asks > maxAsks);
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
    return new ScriptFails(description.value.consume((text) => context.getString(text)).slice(0, maxMessageLength));
  }

  function evaluate(code: string, name: string): QuickJSHandle {
    const result = context.evalCode(code, name);
    if (result.error) throw result.error.consume(failure);
    return disposable(result.value);
  }

  function call(tool: QuickJSHandle, ...values: QuickJSHandle[]): QuickJSHandle {
    const result = context.callFunction(tool, context.undefined, ...values);
    if (result.error) throw result.error.consume(failure);
    return disposable(result.value);
  }

  /** Undefined: there is no such variable, or it is no JSON. */
  function jsonOf(handle: QuickJSHandle, name: string): Json | undefined {
    const written = call(write, handle);
    if (context.typeof(written) !== 'string') return undefined;
    const text = context.getString(written);
    if (text.length > maxResultLength) throw tooLong(`a value in "${name}"`, maxResultLength, text.length);
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

const tooLong = (what: string, max: number, length: number): ScriptFails =>
  new ScriptFails(`Expected ${what} of at most ${max} characters: found ${length}`);
