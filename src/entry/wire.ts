import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import {
  isUpload,
  OutboundError,
  type Wire,
  type WireAnswer,
  type WireRequest,
  type WireUpload,
} from '../core/outbound/wire.ts';
import { openConnection } from './byte-connection.ts';
import { outboundError } from './outbound-error.ts';

const headerBytes = 16_384;

/**
 * Connections to one name at one address, all of which may be idle at a time: deliveries wait together for a commit.
 * And how long one may idle: most servers close after five seconds.
 */
const limits = { keepAlive: true, maxSockets: 128, maxFreeSockets: 128, timeout: 4_000 };
const idleNames = 256;
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** Proxies of the environment would connect to what they please. */
const direct: http.AgentOptions & { readonly proxyEnv: object } = { proxyEnv: {} };

interface WireOptions {
  /** A certificate to trust instead of those of the runtime. */
  readonly ca?: string;
}

type Agents = readonly [plain: http.Agent, secure: https.Agent];

/** Node, Deno and Bun. Not by `fetch`, which connects to whatever the name leads to by then, and costs Node twice as much. */
export function hostWire({ ca }: WireOptions = {}): Wire {
  const tls = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };
  const shared: Agents = [
    pool(new http.Agent({ ...limits, ...direct })),
    pool(new https.Agent({ ...limits, ...direct })),
  ];
  const fresh: Agents = [new http.Agent(direct), new https.Agent(direct)];

  function start(address: string | undefined, { url, method, headers, body }: WireRequest, agents: Agents) {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const options: https.RequestOptions = {
      ...tls,
      host: address ?? host,
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...framingOf(method, body), host: url.host },
      // An address has none.
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      maxHeaderSize: headerBytes,
    };
    const [plain, secure] = agents;
    return url.protocol === 'https:'
      ? https.request({ ...options, agent: secure })
      : http.request({ ...options, agent: plain });
  }

  return {
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    async send(address, request, signal) {
      const { body } = request;
      // An idle connection may turn out to be closed, and a stream cannot be sent again.
      const first = isUpload(body) && !body.repeatable ? fresh : shared;
      try {
        return await exchange(start(address, request, first), request, signal).catch((error: unknown) => {
          if (!(error instanceof Stale)) throw error;
          return exchange(start(address, request, fresh), request, signal);
        });
      } catch (error) {
        throw outboundError(error, request.url.hostname);
      }
    },
    connect: (address, target, signal) => openConnection(address, target, { ca, signal }),
  };
}

/** The server closed an idle connection. It has probably not read the request. */
class Stale extends Error {}

function exchange(request: http.ClientRequest, { url, body, once, connectLimit }: WireRequest, signal: AbortSignal) {
  return new Promise<WireAnswer>((resolve, reject) => {
    const stop = () => {
      // After the last byte of an answer the connection changes owner: for a moment it has no error listener.
      request.socket?.on('error', () => undefined);
      request.destroy(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    request.once('close', () => signal.removeEventListener('abort', stop));
    request.on('error', (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(stale && !once && !signal.aborted ? new Stale() : error);
    });
    request.once('response', (response) => {
      // A reader learns of a broken answer when it reads.
      response.on('error', () => undefined);
      const { statusCode: status = 0, rawHeaders, socket } = response;
      try {
        resolve({ status, headers: headersFrom(rawHeaders), body: response, address: socket.remoteAddress });
      } catch (error) {
        reject(error);
      }
    });
    // Upgrades of the protocol are refused.
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('Expected no change of the protocol'));
    });
    if (connectLimit !== undefined) limitConnecting(request, url, connectLimit);
    if (isUpload(body)) sendUpload(request, url, body);
    else request.end(body);
  });
}

/** Header for the length of the request. */
function framingOf(method: WireRequest['method'], body: WireRequest['body']): http.OutgoingHttpHeaders {
  if (body === undefined) return withoutBody.has(method) ? {} : { 'content-length': 0 };
  if (!isUpload(body)) return { 'content-length': Buffer.byteLength(body) };
  return body.length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length };
}

function sendUpload(request: http.ClientRequest, url: URL, upload: WireUpload): void {
  request.flushHeaders();
  whenConnected(request, url, () => {
    // The upload reports its own failures to the call, which ends the request by its signal.
    pump(upload.open().getReader(), request).catch(() => request.destroy());
  });
}

/** Reads a piece when the connection has taken the one before. */
async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, request: http.ClientRequest): Promise<void> {
  request.once('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { value, done } = await reader.read();
    if (request.destroyed) return;
    if (done) return void request.end();
    if (!request.write(value)) await drained(request);
  }
}

function drained(request: http.ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      request.off('drain', wake);
      request.off('close', wake);
      resolve();
    };
    request.on('drain', wake);
    request.on('close', wake);
  });
}

function whenConnected(request: http.ClientRequest, url: URL, then: () => void): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) then();
    else socket.once(connected(url), then);
  });
}

const connected = ({ protocol }: URL): string => (protocol === 'https:' ? 'secureConnect' : 'connect');

function limitConnecting(request: http.ClientRequest, url: URL, milliseconds: number): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) return;
    const late = new OutboundError('connect', `Expected a connection from "${url.hostname}" within ${milliseconds} ms`);
    const timer = setTimeout(() => request.destroy(late), milliseconds);
    socket.once(connected(url), () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
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
    getName(options?: https.RequestOptions): string;
    keepSocketAlive(socket: unknown): boolean;
  };
  const { getName, keepSocketAlive } = own;
  own.getName = (options) => `${getName.call(own, options)}|${options?.servername}`;
  own.keepSocketAlive = (socket) =>
    Object.keys(own.freeSockets).length < idleNames && keepSocketAlive.call(own, socket);
  return agent;
}
