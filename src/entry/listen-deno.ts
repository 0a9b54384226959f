import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { Arrival } from '../security/arrival.ts';
import type { Listen } from './listener.ts';

/** The little of Deno that is used here; its own types are there only when Deno checks. */
interface DenoServer {
  readonly addr: { readonly port: number };
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

interface DenoNamespace {
  serve(
    options: { hostname: string; port: number; reusePort: boolean; signal: AbortSignal; onListen(): void },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Maybe<Response>,
  ): DenoServer;
}

type Info = Parameters<Parameters<DenoNamespace['serve']>[1]>[1];

/** Asking for the address costs a call into the runtime: it is asked for once, when a reader of `address` needs it. */
export class DenoArrival implements Arrival {
  readonly #info: Info;
  readonly rawTarget: string;
  #address: { readonly hostname?: string } | undefined;

  constructor(request: Request, info: Info) {
    this.#info = info;
    this.rawTarget = targetIn(request);
  }

  /** Deno takes bytes for UTF-8 that the parser of Node refuses. */
  get refusal(): ServiceError | undefined {
    if (/^[\0-\x7f]*$/.test(this.rawTarget)) return undefined;
    const explanation = 'Expected percent-encoding for what is not ASCII';
    return new ServiceError('bad-target', { context: 'request target', explanation });
  }

  get address(): string | undefined {
    this.#address ??= this.#info.remoteAddr;
    return this.#address.hostname;
  }
}

/**
 * The target as it came. Deno writes the text of the `Host` header in front of it, and normalises nothing. The rest
 * behind that text is the target. Without that text in front, the whole is an absolute target.
 */
function targetIn({ url, method, headers }: Request): string {
  const host = headers.get('host');
  // Deno names the address that it listens on, unless the target names one: an absolute target either way.
  if (!host) return url;
  const front = `http://${host}`;
  const rest = url.startsWith(front) ? url.slice(front.length) : '';
  if (!rest.startsWith('/')) return url;
  return rest === '/*' && method === 'OPTIONS' ? '*' : rest;
}

export const listenOnDeno: Listen = async (fetch, { host, port, shared = false }) => {
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
  const abort = new AbortController();
  const server = Deno.serve(
    { hostname: host, port, reusePort: shared, signal: abort.signal, onListen: () => undefined },
    (request, info) => fetch(request, new DenoArrival(request, info)),
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
