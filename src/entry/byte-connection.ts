import { isIP, connect as openPlain, type Socket } from 'node:net';
import { connect as openSecure } from 'node:tls';
import { OutboundError, type WireConnection, type WireTarget } from '../core/outbound/wire.ts';
import { outboundError } from './outbound-error.ts';

interface Options {
  /** A certificate to trust instead of those of the runtime. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** Bytes that wait to be read. A socket rests while there are more. */
const maxWaiting = 65_536;

/** Connects to an address, or to where the name leads, and verifies certificates for the name. */
export async function openConnection(
  address: string | undefined,
  { host, port, secure, connectLimit }: WireTarget,
  { ca, signal }: Options,
): Promise<WireConnection> {
  const socket = quiet(openPlain({ host: address ?? host, port }));
  const connection = new ByteConnection(socket, host, ca);
  const stop = () => connection.end(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', stop));
  const late = () => new OutboundError('connect', `Expected a connection from "${host}" within ${connectLimit} ms`);
  const timer = connectLimit === undefined ? undefined : setTimeout(() => socket.destroy(late()), connectLimit);
  try {
    await ready(socket, 'connect');
  } catch (error) {
    throw outboundError(error, host);
  } finally {
    clearTimeout(timer);
  }
  if (secure) await connection.secure();
  return connection;
}

/** A socket whose failure ends no process: who reads or writes learns of it. */
const quiet = <S extends Socket>(socket: S): S => socket.on('error', () => undefined);

/** Waits for an event of a socket, or its failure. */
function ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error = new Error('Expected the connection to stay')) => {
      socket.off(event, done);
      reject(error);
    };
    const closed = () => failed();
    const done = () => {
      socket.off('error', failed).off('close', closed);
      resolve();
    };
    socket.once(event, done).once('error', failed).once('close', closed);
  });
}

class ByteConnection implements WireConnection {
  readonly #host: string;
  readonly #ca: string | undefined;
  #socket: Socket;
  #waiting: Uint8Array[] = [];
  #size = 0;
  #isOver = false;
  #error: unknown;
  #wake = () => {};

  constructor(socket: Socket, host: string, ca: string | undefined) {
    this.#host = host;
    this.#ca = ca;
    this.#socket = socket;
    this.#attach(socket);
  }

  get address(): string | undefined {
    return this.#socket.remoteAddress;
  }

  #attach(socket: Socket): void {
    this.#socket = socket;
    socket.on('data', (piece: Uint8Array) => {
      this.#waiting.push(piece);
      this.#size += piece.length;
      if (this.#size > maxWaiting) socket.pause();
      this.#wake();
    });
    const over = (error?: unknown) => {
      this.#isOver = true;
      this.#error ??= error;
      this.#wake();
    };
    socket.on('error', over);
    socket.on('end', () => over());
    socket.on('close', () => over());
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#waiting.shift();
      if (piece) {
        this.#size -= piece.length;
        this.#socket.resume();
        return piece;
      }
      if (this.#error !== undefined) throw outboundError(this.#error, this.#host);
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(outboundError(error, this.#host)) : resolve()));
    });
  }

  async secure(): Promise<void> {
    const host = this.#host;
    // Somebody in between could have put them there, and they would count as said under TLS.
    if (this.#waiting.length > 0) throw new OutboundError('tls', `Expected no bytes before TLS from "${host}"`);
    const plain = this.#socket;
    quiet(plain.removeAllListeners('data').removeAllListeners('end').removeAllListeners('error'));
    const socket = quiet(
      openSecure({
        socket: plain,
        host,
        // An address has none.
        servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
        rejectUnauthorized: true,
        ...(this.#ca === undefined ? {} : { ca: this.#ca }),
      }),
    );
    try {
      await ready(socket, 'secureConnect');
    } catch (error) {
      socket.destroy();
      const { kind, message } = outboundError(error, host);
      throw new OutboundError('tls', kind === 'tls' ? message : `Expected TLS from "${host}"`, error);
    }
    this.#attach(socket);
  }

  close(): void {
    this.end();
  }

  end(reason?: unknown): void {
    this.#socket.destroy(reason as Error | undefined);
  }
}
