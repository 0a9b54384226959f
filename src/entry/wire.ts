import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { OutboundError, type OutboundErrorKind } from '../outbound/error.ts';
import type { Wire, WireAnswer, WireRequest } from '../outbound/wire.ts';

const headerBytes = 16_384;

/** Connections to one name at one address; names with idle ones; and how long one may idle: most servers close after five seconds. */
const limits = { keepAlive: true, maxSockets: 128, maxFreeSockets: 64, timeout: 4_000 };
const idleNames = 256;

export interface WireOptions {
  /** A certificate to trust instead of those of the runtime. */
  readonly ca?: string;
}

/** Node, Deno and Bun. Not by `fetch`, which connects to whatever the name leads to by then, and costs Node twice as much. */
export function hostWire(tls: WireOptions = {}): Wire {
  const plain = pool(new http.Agent(limits));
  const secure = pool(new https.Agent(limits));

  function optionsOf(address: string | undefined, request: WireRequest): https.RequestOptions {
    const { url, method, headers, body } = request;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const length = method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body ?? '') };
    return {
      ...tls,
      host: address ?? host,
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...length, host: url.host },
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      maxHeaderSize: headerBytes,
      agent: url.protocol === 'https:' ? secure : plain,
    };
  }

  return {
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    async send(address, request, signal) {
      const options = optionsOf(address, request);
      const start = request.url.protocol === 'https:' ? https.request : http.request;
      try {
        return await exchange(start(options), request.body, signal);
      } catch (error) {
        // The other side closed the connection while it was idle, so it has not read the request.
        if (!(error instanceof Stale)) throw told(error, request.url.hostname);
      }
      return exchange(start({ ...options, agent: false }), request.body, signal).catch((error: unknown) => {
        throw told(error, request.url.hostname);
      });
    },
  };
}

class Stale extends Error {}

function exchange(request: http.ClientRequest, body: string | undefined, signal: AbortSignal): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const stop = () => request.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    request.once('close', () => signal.removeEventListener('abort', stop));
    request.on('error', (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(stale && !signal.aborted ? new Stale() : error);
    });
    request.once('response', (response) => {
      // Whoever reads is told of a broken answer by the reading.
      response.on('error', () => undefined);
      const { statusCode: status = 0, rawHeaders, socket } = response;
      resolve({ status, headers: headersFrom(rawHeaders), body: response, address: socket.remoteAddress });
    });
    request.end(body);
  });
}

function headersFrom(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index]!, raw[index + 1]!);
  return headers;
}

/** Connections are shared by calls to one name at one address: what was checked for one name says nothing about another. */
function pool<A extends http.Agent>(agent: A): A {
  const own = agent as A & {
    readonly freeSockets: Readonly<Record<string, unknown>>;
    getName(options?: https.RequestOptions): string;
    keepSocketAlive(socket: unknown): boolean;
  };
  const { getName, keepSocketAlive } = own;
  own.getName = (options) => `${getName.call(own, options)}|${options?.servername}`;
  own.keepSocketAlive = (socket) =>
    Object.keys(own.freeSockets).length < idleNames && keepSocketAlive.call(own, socket);
  return agent;
}

const kinds: readonly (readonly [code: RegExp, kind: OutboundErrorKind, expected: string])[] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'dns', 'a name that can be resolved'],
  [
    /^E(?:CONNREFUSED|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|TIMEDOUT|ADDRNOTAVAIL|ACCES|PERM)$/,
    'connect',
    'a connection',
  ],
  [/CERT|TLS|SSL|^EPROTO$|HOSTNAME_MISMATCH/, 'tls', 'a certificate that is valid for the name'],
];

/** Quotes the code alone: the sentence of a runtime may have anything in it. */
function told(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = String((error as Partial<NodeJS.ErrnoException>).code ?? 'no code');
  const [, kind, expected] = kinds.find(([pattern]) => pattern.test(code)) ?? ['', 'answer', 'a whole HTTP answer'];
  return new OutboundError(kind as OutboundErrorKind, `Expected ${expected} from "${host}": "${code}"`, error);
}
