import type { IncomingMessage, Server } from 'node:http';

interface Receiving {
  /** When its time began. */
  since: number;
  /** The limit counts from the last byte. */
  takesTime: boolean;
  bytes: number;
}

const longestLook = 1000;

/**
 * Gives up requests whose body takes longer than the limit. The limit of Node counts for the whole request and cannot
 * be told of one that may take long.
 */
export function limitBodies(server: Server, milliseconds: number) {
  const receiving = new Map<IncomingMessage, Receiving>();
  const timer = setInterval(look, Math.min(milliseconds / 4, longestLook));
  timer.unref();
  server.once('close', () => clearInterval(timer));

  function look(): void {
    const now = performance.now();
    for (const [request, state] of receiving) {
      const { socket } = request;
      if (request.complete || request.destroyed || !socket) {
        receiving.delete(request);
        continue;
      }
      // Bytes that wait here wait for this service, not for the sender.
      const moves = socket.bytesRead !== state.bytes || request.readableLength > 0;
      if (state.takesTime && moves) Object.assign(state, { since: now, bytes: socket.bytesRead });
      if (now - state.since < milliseconds) continue;
      receiving.delete(request);
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, socket);
    }
  }

  return {
    began(request: IncomingMessage): void {
      const { headers } = request;
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
      receiving.set(request, { since: performance.now(), takesTime: false, bytes: request.socket.bytesRead });
    },
    takesTime(request: IncomingMessage): void {
      const state = receiving.get(request);
      if (state) state.takesTime = true;
    },
  };
}
