import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ArrivingBody, BodyReader } from '../security/arrival.ts';
import { ownPiece } from './piece-pool.ts';

/** Bytes that wait for their reader. The connection rests while there are more. */
const maxWaiting = 256 * 1024;

class MessageReader implements BodyReader {
  readonly #message: IncomingMessage;
  #pieces: Uint8Array[] = [];
  #isOver = false;
  #failure: unknown;
  #wake = () => {};
  /** Number of bytes that wait for the reader. */
  bytes = 0;

  constructor(message: IncomingMessage) {
    this.#message = message;
    message.on('data', this.#add);
    message.once('end', () => this.#end());
    message.once('error', (error) => this.#end(error));
    message.once('close', () => this.#end(new Error('Expected the connection to stay')));
  }

  readonly #add = (piece: Uint8Array) => {
    this.#pieces.push(ownPiece(piece));
    this.bytes += piece.byteLength;
    if (this.bytes >= maxWaiting) this.#message.pause();
    this.#wake();
  };

  #end(failure?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#wake();
  }

  async read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    for (;;) {
      const value = this.#pieces.shift();
      if (value) {
        this.bytes -= value.byteLength;
        if (this.bytes < maxWaiting && this.#message.isPaused()) this.#message.resume();
        return { done: false, value };
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The rest of the message waits: the listener drops it behind the answer, or ends the connection. */
  async cancel(): Promise<void> {
    this.#end();
    this.#pieces = [];
    this.bytes = 0;
    this.#message.off('data', this.#add).pause();
  }
}

/** A class: each request with a body makes one. */
class ReceivedBody implements ArrivingBody {
  /** When its time began. */
  since = performance.now();
  /** The limit counts from the last byte. */
  hasTime = false;
  bytes = 0;
  readonly message: IncomingMessage;
  #reader: MessageReader | undefined;

  constructor(message: IncomingMessage) {
    this.message = message;
  }

  /** Bytes that wait for this service, not for the sender. */
  get waiting(): number {
    return this.message.readableLength + (this.#reader?.bytes ?? 0);
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

  open(): BodyReader | undefined {
    const { message } = this;
    if (this.#reader || message.readableDidRead || message.destroyed) return undefined;
    this.#reader = new MessageReader(message);
    return this.#reader;
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
      const moves = socket.bytesRead !== state.bytes || state.waiting > 0;
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
