/** Compiled `emscripten-module.wasm` of the variant, or what brings it at the first script. */
export type LentEngine = WebAssembly.Module | (() => Promise<WebAssembly.Module>);

let lent: LentEngine | undefined;

/** For platforms that compile nothing at run time, or have no file of the package. */
export function lendEngine(engine: LentEngine): void {
  lent = engine;
}

export const lentEngine = (): LentEngine | undefined => lent;
