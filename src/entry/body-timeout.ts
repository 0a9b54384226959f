import type { IncomingMessage, Server } from 'node:http';
import type { ArrivingBody } from '../security/pipeline.ts';

/** A class: each request with a body makes one. */
class ReceivedBody implements ArrivingBody {
  /** When its time began. */
  since = performance.now();
  /** The limit counts from the last byte. */
  hasTime = false;
  bytes: number;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.bytes = message.socket.bytesRead;
  }

  isWhole(): boolean {
    return this.#message.complete;
  }

  takesTime(): void {
    this.hasTime = true;
  }
}

const longestLook = 1000;

/**
 * Gives up requests whose body takes longer than the limit. The limit of Node counts for the whole request and cannot
 * be told of one that may take long.
 */
export function limitBodies(server: Server, milliseconds: number) {
  const receiving = new Map<IncomingMessage, ReceivedBody>();
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
      if (state.hasTime && moves) {
        state.since = now;
        state.bytes = socket.bytesRead;
      }
      if (now - state.since < milliseconds) continue;
      receiving.delete(request);
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, socket);
    }
  }

  return {
    /** Undefined where the headers tell of none: to follow one costs a tenth of a short request. */
    begin(message: IncomingMessage): ArrivingBody | undefined {
      const { headers } = message;
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return undefined;
      const body = new ReceivedBody(message);
      receiving.set(message, body);
      return body;
    },
    /** Behind the answer. What has not come by then is still limited. */
    end(message: IncomingMessage): void {
      if (message.complete) receiving.delete(message);
    },
  };
}
