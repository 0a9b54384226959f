import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { type LentEngine, lentEngine } from './lent-engine.ts';
import { ScriptFails } from './script-fails.ts';

let running: Promise<QuickJSWASMModule> | undefined;
/** Engine from which `running` was compiled. */
let compiledEngine: LentEngine | undefined;

/** Compiled at the first script, and once only: it costs more than most scripts. */
export async function scriptEngine(): Promise<QuickJSWASMModule> {
  const lent = lentEngine();
  if (!lent && !compiles()) throw new ScriptFails(expected);
  if (compiledEngine !== lent) running = undefined;
  compiledEngine = lent;
  running ??= open(lent).catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

/** After a script that left the engine in doubt, the next one gets another. */
export function dropEngine(): void {
  running = undefined;
}

/** Runtimes that compile nothing lack this function, too. */
const compiles = (): boolean => typeof WebAssembly.instantiateStreaming === 'function';

const expected = 'Expected an edge that brings the engine of scripts along, or another instance for this job';

async function lentModule(engine: LentEngine): Promise<WebAssembly.Module> {
  if (typeof engine !== 'function') return engine;
  try {
    return await engine();
  } catch {
    throw new ScriptFails(`${expected}. The .wasm file beside the module is missing`);
  }
}

async function open(lent: LentEngine | undefined): Promise<QuickJSWASMModule> {
  // Cast, because its types are those of the CommonJS build.
  const { default: variant } = (await import('@jitl/quickjs-wasmfile-release-sync')) as unknown as {
    readonly default: QuickJSSyncVariant;
  };
  return newQuickJSWASMModuleFromVariant(lent ? newVariant(variant, { wasmModule: await lentModule(lent) }) : variant);
}
