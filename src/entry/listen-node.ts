import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { settingTable } from '../composition/settings.ts';
import { isAuthority } from '../http/authority.ts';
import { limitBodies } from './body-timeout.ts';
import type { Listen } from './listener.ts';
import { answerUnreadable } from './node-refusals.ts';

const headersTimeout = 10_000;
const keepAliveTimeout = 65_000;

/** Targets that the adapter makes into a URL without a complaint. */
const plainTarget = /^\/[\w/.~%;=,:@&?+*()!'$-]*$/;

/** Node and Bun. The raw target comes from the parser: `Request.url` has been normalised. */
export const listenOnNode: Listen = async (fetch, options) => {
  const { host, port, requestTimeout, maxHeaderBytes = settingTable.maxHeaderBytes.fallback } = options;
  const replaced = new WeakMap<IncomingMessage, string | undefined>();
  const answer = getRequestListener(
    (request, { incoming }) => {
      const message = incoming as IncomingMessage;
      const { url, socket } = message;
      const rawTarget = replaced.get(message) ?? url;
      return fetch(request, { rawTarget, address: socket.remoteAddress, body: bodies.begin(message) });
    },
    // Load balancers that look whether it lives speak HTTP/1.0 and name no host.
    { hostname: 'localhost' },
  );
  const milliseconds = requestTimeout * 1000;
  let stopping = false;
  const server = createServer(
    {
      // Counts a whole request, also one that may take long: `limitBodies` looks instead.
      requestTimeout: 0,
      headersTimeout: Math.min(headersTimeout, milliseconds),
      keepAliveTimeout,
      maxHeaderSize: maxHeaderBytes,
    },
    take,
  );
  // Beyond a count Node drops headers in silence. The limit of bytes bounds their number, too, and is told.
  server.maxHeadersCount = 0;
  // As any other request: the service refuses it.
  server.on('checkExpectation', take);
  const { began } = answerUnreadable(server, fetch);
  const bodies = limitBodies(server, milliseconds);
  function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    began(request, response);
    // A connection that is kept alive would hold up a stop for as long as it likes.
    response.once('close', () => {
      bodies.end(request);
      if (stopping) socket.destroySoon();
    });
    letThrough(request);
    void answer(request, response);
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
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};
