import { textToBase64, toHex } from '../../../src/kit/index.ts';
import type { Host, OutboundMethod, SecretText } from '../../../src/spi/index.ts';
import { signedHeaders } from '../../request-signature.ts';
import { parseJson } from './big-json.ts';
import { EngineRefusal, errorType, mayPass, refusal, unreachable } from './refusals.ts';

export type EngineLogin =
  | { readonly is: 'none' }
  | { readonly is: 'basic'; readonly user: string; readonly password: SecretText }
  | { readonly is: 'bearer'; readonly token: SecretText }
  | {
      readonly is: 'signature';
      readonly accessKey: string;
      readonly secretKey: SecretText;
      readonly region: string;
      readonly service: string;
    };

interface ClientOptions {
  /** Address without "/" at its end. */
  readonly base: string;
  readonly login: EngineLogin;
  /** Milliseconds of one request. */
  readonly timeout: number;
}

interface EngineRequest {
  readonly method: OutboundMethod;
  /** Path and query, with "/" at its beginning. */
  readonly path: string;
  /** A value as JSON, or lines. */
  readonly body?: object | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Statuses of answers beside 2xx. */
  readonly accepts?: readonly number[];
  /** Requests while the engine is busy. Default: one. */
  readonly attempts?: number;
}

interface EngineReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the engine
  readonly body: any;
}

type ClientHost = Pick<Host, 'call' | 'sleep' | 'now' | 'randomBytes'>;

/** Requests of work that must not fail because the engine is busy. */
export const patient = 6;
const firstPause = 200;
const maxPause = 10_000;
/** Limit of an answer: ten thousand hits, or as many facet values. */
const mostBytes = 64 * 1024 * 1024;

export type Client = ReturnType<typeof createClient>;

/** Client of the engine: JSON in and out, with the login of security.ini. */
export function createClient(host: ClientHost, { base, login, timeout }: ClientOptions) {
  const keys = new Map<string, ArrayBuffer>();

  async function headersFor(method: string, url: URL, body: string, type: string): Promise<Record<string, string>> {
    const headers = { accept: 'application/json', ...(body !== '' && { 'content-type': type }) };
    switch (login.is) {
      case 'none':
        return headers;
      case 'basic': {
        const pair = textToBase64(`${login.user}:${login.password.reveal()}`);
        return { ...headers, authorization: `Basic ${pair}` };
      }
      case 'bearer':
        return { ...headers, authorization: `Bearer ${login.token.reveal()}` };
      case 'signature': {
        const { accessKey, secretKey, region, service } = login;
        // The cache has one key for each day.
        if (keys.size > 2) keys.clear();
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
        const all = { ...headers, 'x-amz-content-sha256': toHex(new Uint8Array(digest)) };
        const signer = { accessKey, secret: secretKey.reveal(), region, service, cache: keys };
        return signedHeaders(signer, { method, url, headers: all, body: '', at: host.now() });
      }
    }
  }

  async function once({ method, path, body, signal, accepts = [] }: EngineRequest): Promise<EngineReply> {
    const url = new URL(base + path);
    const isText = typeof body === 'string';
    const text = body === undefined ? '' : isText ? body : JSON.stringify(body);
    const headers = await headersFor(method, url, text, isText ? 'application/x-ndjson' : 'application/json');
    const { status, text: answer } = await host
      .call({
        ...{ url: url.href, method, headers, timeout, mostBytes, trusted: true },
        ...(text !== '' && { body: text }),
        ...(signal && { signal }),
      })
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        throw unreachable(error);
      });
    const document = readable(answer);
    if ((status >= 200 && status <= 299) || accepts.includes(status)) {
      if (document === undefined) throw new EngineRefusal(status, undefined, 'Expected an answer in JSON');
      return { status, body: document };
    }
    throw refusal(status, errorType(document));
  }

  /** Milliseconds until the next attempt: twice as long each time, and not in step with others. */
  function pause(attempt: number): number {
    const [chance = 0] = host.randomBytes(1);
    return Math.min(firstPause * 2 ** attempt, maxPause) * (0.5 + chance / 512);
  }

  return {
    async ask(request: EngineRequest): Promise<EngineReply> {
      for (let attempt = 0; ; attempt++) {
        try {
          return await once(request);
        } catch (error) {
          if (attempt + 1 >= (request.attempts ?? 1) || !mayPass(error)) throw error;
          await host.sleep(pause(attempt), request.signal);
        }
      }
    },

    rest: (attempt: number) => host.sleep(pause(attempt)),
  };
}

function readable(text: string): unknown {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
