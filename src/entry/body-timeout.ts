import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ArrivingBody } from '../security/arrival.ts';

/** A class: each request with a body makes one. */
class ReceivedBody implements ArrivingBody {
  /** When its time began. */
  since = performance.now();
  /** The limit counts from the last byte. */
  hasTime = false;
  bytes = 0;
  readonly message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.message = message;
  }

  isWhole(): boolean {
    return this.message.complete;
  }

  take(length: number): Uint8Array<ArrayBuffer> | undefined {
    const { message } = this;
    if (message.readableLength !== length || message.readableDidRead || message.destroyed) return undefined;
    const bytes = message.read() as Buffer<ArrayBuffer> | null;
    // Nothing more comes but its end, which has to be met.
    message.resume();
    return bytes === null ? undefined : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  takesTime(): void {
    this.hasTime = true;
    this.bytes = this.message.socket.bytesRead;
  }
}

const maxLook = 1000;

/**
 * Gives up requests whose body takes longer than the limit. The limit of Node counts for the whole request and cannot
 * be told of one that may take long.
 */
export function limitBodies(server: Server, milliseconds: number) {
  // By connection, which sends one body after the other: no listener waits for the end of each.
  const receiving = new Map<Socket, ReceivedBody>();
  const timer = setInterval(look, Math.min(milliseconds / 4, maxLook));
  timer.unref();
  server.once('close', () => clearInterval(timer));

  function look(): void {
    const now = performance.now();
    for (const [socket, state] of receiving) {
      const { message: request } = state;
      if (request.complete || request.destroyed) {
        receiving.delete(socket);
        continue;
      }
      // Bytes that wait here wait for this service, not for the sender.
      const moves = socket.bytesRead !== state.bytes || request.readableLength > 0;
      if (state.hasTime && moves) {
        state.since = now;
        state.bytes = socket.bytesRead;
      }
      if (now - state.since < milliseconds) continue;
      receiving.delete(socket);
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
      receiving.set(message.socket, body);
      return body;
    },
  };
}
