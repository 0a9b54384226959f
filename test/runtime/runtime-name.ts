/** The runtime that this module finds itself in, and of Node also which one. */
export function runtimeName(): string {
  const world = globalThis as { Deno?: unknown; Bun?: unknown; process?: { versions?: { node?: string } } };
  if (world.Deno) return 'deno';
  if (world.Bun) return 'bun';
  // With `nodejs_compat` a Worker has a `process` as well.
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return 'workerd';
  return `node${world.process?.versions?.node?.split('.')[0]}`;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Runtime that the launcher was asked to start. */
    runtime: string;
  }
}
