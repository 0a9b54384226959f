import type { Maybe } from '../lib/maybe.ts';
import type { Listen } from './serve.ts';

/** The little of Deno that is used here; its own types are there only when Deno checks. */
interface DenoServer {
  readonly addr: { readonly port: number };
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

interface DenoNamespace {
  serve(
    options: { hostname: string; port: number; signal: AbortSignal; onListen(): void },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Maybe<Response>,
  ): DenoServer;
}

/** Deno's `Request.url` is the target as it came: nothing is normalised, so nothing else need be handed on. */
export const listenOnDeno: Listen = async (fetch, { host, port }) => {
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
  const abort = new AbortController();
  const server = Deno.serve(
    { hostname: host, port, signal: abort.signal, onListen: () => undefined },
    (request, { remoteAddr }) => fetch(request, { address: remoteAddr.hostname }),
  );
  return {
    port: server.addr.port,
    async stop(milliseconds) {
      const cut = setTimeout(() => abort.abort(), milliseconds);
      await server.shutdown();
      await server.finished;
      clearTimeout(cut);
    },
  };
};
