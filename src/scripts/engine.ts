import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { ScriptFails } from './script-fails.ts';

let lent: WebAssembly.Module | undefined;
let running: Promise<QuickJSWASMModule> | undefined;

/** For platforms that compile nothing at run time: they lend the compiled `emscripten-module.wasm` of the variant. */
export function lendEngine(compiled: WebAssembly.Module): void {
  lent = compiled;
  running = undefined;
}

/** Compiled at the first script, and once only: it costs more than most scripts. */
export async function scriptEngine(): Promise<QuickJSWASMModule> {
  if (!lent && !compiles()) {
    throw new ScriptFails('Expected an edge that brings the engine of scripts along, or another instance for this job');
  }
  running ??= open().catch((error: unknown) => {
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

async function open(): Promise<QuickJSWASMModule> {
  // Cast, because its types are those of the CommonJS build.
  const { default: variant } = (await import('@jitl/quickjs-wasmfile-release-sync')) as unknown as {
    readonly default: QuickJSSyncVariant;
  };
  return newQuickJSWASMModuleFromVariant(lent ? newVariant(variant, { wasmModule: lent }) : variant);
}
