/** The little of a Worker's own module that the suite uses: its full types would redefine what every runtime shares. */
declare module 'cloudflare:workers' {
  export const env: Readonly<Record<string, unknown>>;
  export const exports: { readonly default: { fetch(address: string, init?: RequestInit): Promise<Response> } };
}

/** The module that `portico bundle` writes, of which the configuration makes one before the suite runs. */
declare module 'portico-bundle' {
  const bundled: {
    fetch(request: Request, environment: Readonly<Record<string, unknown>>): Response | Promise<Response>;
  };
  export default bundled;
}

/** A compiled module, as bundlers of such a runtime bring it along. */
declare module '*.wasm' {
  const compiled: WebAssembly.Module;
  export default compiled;
}

/** The plugin is installed beside the runtimes, and `npm run check` needs none of them. */
declare module '@cloudflare/vitest-plugin' {
  export function cloudflareTest(
    options: (context: { inject(name: 'databaseUrl'): string }) => Readonly<Record<string, unknown>>,
  ): import('vite').Plugin;
}
