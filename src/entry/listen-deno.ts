import type { Maybe } from '../lib/maybe.ts';
import type { Arrival } from '../security/pipeline.ts';
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

type Info = Parameters<Parameters<DenoNamespace['serve']>[1]>[1];

/** Asking for the address costs a call into the runtime, so it is asked for when somebody wants to know. */
class DenoArrival implements Arrival {
  readonly #info: Info;

  constructor(info: Info) {
    this.#info = info;
  }

  get address(): string | undefined {
    return this.#info.remoteAddr.hostname;
  }
}

/** Deno's `Request.url` is the target as it came: nothing is normalised, so nothing else need be handed on. */
export const listenOnDeno: Listen = async (fetch, { host, port }) => {
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
  const abort = new AbortController();
  const server = Deno.serve(
    { hostname: host, port, signal: abort.signal, onListen: () => undefined },
    (request, info) => fetch(request, new DenoArrival(info)),
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
