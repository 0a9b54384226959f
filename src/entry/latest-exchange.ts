import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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
