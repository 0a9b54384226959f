import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { settingTable } from '../composition/settings.ts';
import { isAuthority } from '../http/address.ts';
import type { Arrival, ArrivingBody } from '../security/arrival.ts';
import { limitBodies } from './body-timeout.ts';
import type { Listen } from './listener.ts';
import { answerUnreadable, beginExchange, latestExchange } from './node-refusals.ts';
import { AnswerClass } from './piece-pool.ts';

const headersTimeout = 10_000;
const keepAliveTimeout = 65_000;

/** Targets that the adapter makes into a URL without a complaint. */
const plainTarget = /^\/[\w/.~%;=,:@&?+*()!'$-]*$/;

/** A class: each request makes one. */
class NodeArrival implements Arrival {
  readonly rawTarget: string | undefined;
  readonly address: string | undefined;
  readonly body: ArrivingBody | undefined;
  readonly #headers: IncomingMessage['headers'];

  constructor({ headers, socket }: IncomingMessage, rawTarget: string | undefined, body: ArrivingBody | undefined) {
    this.rawTarget = rawTarget;
    this.address = socket.remoteAddress;
    this.body = body;
    this.#headers = headers;
  }

  lacks(header: string): boolean {
    return this.#headers[header] === undefined;
  }
}

/** Node and Bun. The raw target comes from the parser: `Request.url` has been normalised. */
export const listenOnNode: Listen = async (fetch, options) => {
  const { host, port, requestTimeout, maxHeaderBytes = settingTable.maxHeaderBytes.fallback } = options;
  const replaced = new WeakMap<IncomingMessage, string | undefined>();
  const answer = getRequestListener(
    (request, { incoming }) => {
      const message = incoming as IncomingMessage;
      return fetch(request, new NodeArrival(message, replaced.get(message) ?? message.url, bodies.begin(message)));
    },
    // Load balancers that look whether it lives speak HTTP/1.0 and name no host.
    { hostname: 'localhost' },
  );
  const milliseconds = requestTimeout * 1000;
  const connections = new Set<Socket>();
  let stopping = false;
  const server = createServer(
    {
      // Counts a whole request, also one that may take long: `limitBodies` looks instead.
      requestTimeout: 0,
      headersTimeout: Math.min(headersTimeout, milliseconds),
      keepAliveTimeout,
      maxHeaderSize: maxHeaderBytes,
      ServerResponse: AnswerClass,
    },
    take,
  );
  // Beyond a count Node drops headers in silence. The limit of bytes bounds their number, too, and is told.
  server.maxHeadersCount = 0;
  // Handled like any other request: the service refuses it.
  server.on('checkExpectation', take);
  answerUnreadable(server, fetch);
  const bodies = limitBodies(server, milliseconds);
  function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (beginExchange(request, response)) {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    }
    if (stopping) endAfter(response, socket);
    letThrough(request);
    void answer(request, response);
  }

  /** A connection that is kept alive would hold up a stop for as long as it likes. */
  function endAfter(response: ServerResponse, socket: Socket): void {
    response.once('close', () => socket.destroySoon());
  }

  /** The adapter would answer what it makes no URL of with a bare 400. The service looks at the same and says why. */
  function letThrough(request: IncomingMessage): void {
    const { url = '', headers } = request;
    if (!plainTarget.test(url)) {
      replaced.set(request, url);
      request.url = '/';
    }
    // The service reads the header as it was sent; the adapter takes this one for the address.
    if (headers.host && !isAuthority(headers.host)) headers.host = 'localhost';
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Stops accepting, lets requests in flight end, and cuts off what is left after the time. */
    stop: (milliseconds) =>
      new Promise((resolve) => {
        stopping = true;
        for (const socket of connections) {
          const { response } = latestExchange(socket)!;
          if (!response.writableFinished) endAfter(response, socket);
        }
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};
