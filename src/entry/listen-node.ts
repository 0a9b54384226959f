import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Listen } from './serve.ts';

const headersTimeout = 10_000;
const keepAliveTimeout = 65_000;

/** Node and Bun. The raw target comes from the parser: `Request.url` has been normalised. */
export const listenOnNode: Listen = async (fetch, { host, port, requestTimeout }) => {
  const answer = getRequestListener(
    (request, { incoming }) => {
      const { url, socket } = incoming as IncomingMessage;
      return fetch(request, { rawTarget: url, address: socket.remoteAddress });
    },
    // Load balancers that look whether it lives speak HTTP/1.0 and name no host.
    { hostname: 'localhost' },
  );
  const milliseconds = requestTimeout * 1000;
  let stopping = false;
  const server = createServer(
    { requestTimeout: milliseconds, headersTimeout: Math.min(headersTimeout, milliseconds), keepAliveTimeout },
    (request, response) => {
      // A connection that is kept alive would hold up a stop for as long as it likes.
      response.once('close', () => {
        if (stopping) request.socket.destroySoon();
      });
      void answer(request, response);
    },
  );
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
