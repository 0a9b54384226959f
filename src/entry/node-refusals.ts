import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../core/lib/errors.ts';
import { noTunnel } from '../http/whole-request.ts';
import type { Fetch } from './listener.ts';

/** The request that a connection sent last, and its answer. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

const latest = Symbol('latest exchange');

type Connection = Duplex & { [latest]?: Exchange };

/** Undefined before the first request. */
export const latestExchange = (socket: Duplex): Exchange | undefined => (socket as Connection)[latest];

/** True for the first request of its connection. A property: a weak map costs each request more than its routing. */
export function beginExchange(request: IncomingMessage, response: ServerResponse): boolean {
  const socket = request.socket as Connection;
  const newest = socket[latest];
  if (newest === undefined) {
    socket[latest] = { request, response };
    return true;
  }
  newest.request = request;
  newest.response = response;
  return false;
}

type Refusal = readonly [code: 'headers-too-large' | 'request-timeout' | 'malformed-request', explanation: string];

/** By the code of the error that the parser of Node tells. */
const refusals: ReadonlyMap<string, Refusal> = new Map([
  ['HPE_HEADER_OVERFLOW', ['headers-too-large', 'Expected fewer bytes in the request target and the headers']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request-timeout', 'Expected the whole request sooner']],
]);
const malformed: Refusal = ['malformed-request', 'Expected a request as HTTP/1.1 describes it'];

/**
 * The parser of Node answers what it cannot read with a bare status, and CONNECT not at all. Here the service answers:
 * with the error document, a line in the log and a count.
 */
export function answerUnreadable(server: Server, fetch: Fetch): void {
  const failed = new WeakSet<Duplex>();

  async function refuse(socket: Duplex, refusal: ServiceError): Promise<void> {
    const address = (socket as Socket).remoteAddress;
    const request = new Request('http://localhost/', { method: '-' });
    const refused = await fetch(request, { rawTarget: '/', address, refusal });
    // Metrics have a listener too, and answer every request alike.
    const response = refused.status === refusal.status ? refused : new Response(null, { status: refusal.status });
    const body = await response.text();
    const headers = [...response.headers].filter(([name]) => name !== 'content-length');
    const lines = [
      `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    if (socket.writable) socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
    else socket.destroy();
  }

  const answer = (socket: Duplex, refusal: ServiceError) => void refuse(socket, refusal).catch(() => socket.destroy());

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser says so again for each further piece.
    if (failed.has(socket)) return;
    failed.add(socket);
    // The parser may stop in the middle of its body.
    const exchange = latestExchange(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (!exchange || exchange.request.complete) {
      answer(socket, refusalOf(error));
    } else if (exchange.response.writableEnded) {
      socket.destroy();
    } else {
      exchange.response.shouldKeepAlive = false;
      failBody(exchange.request, error);
    }
  });
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    answer(socket, noTunnel('CONNECT'));
  });
}

function refusalOf({ code = '' }: NodeJS.ErrnoException): ServiceError {
  const [errorCode, explanation] = refusals.get(code) ?? malformed;
  return new ServiceError(errorCode, { context: 'request', explanation });
}

/** Ends the reading of the body with an error. A message that still has its socket would destroy it, and the answer with it. */
function failBody(request: IncomingMessage, error: Error): void {
  (request as { socket: Socket | undefined }).socket = undefined;
  request.destroy(error);
}
