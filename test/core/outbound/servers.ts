import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Somebody else's port: speaks no protocol but what the test makes it say. */
export interface RawServer {
  readonly port: number;
  /** How many connections were made. */
  readonly connections: number;
  /** All that came, of all connections. */
  readonly received: string;
  /** Resolves when no more of the connections that sent something are open. */
  closed(left?: number): Promise<void>;
  /** Resolves when what came includes the text. */
  until(text: string): Promise<void>;
}

/** `serve` is called whenever something came, with all that came over that connection. */
export async function rawServer(serve: (socket: Socket, received: string) => void): Promise<RawServer> {
  let connections = 0;
  let received = '';
  const open = new Set<Socket>();
  /** Those that sent something: after a request that is left, fetch may open one ahead of the next request. */
  const used = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const changed = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  const when = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((wake) => waiting.push(wake));
  };
  const server = createServer((socket) => {
    connections++;
    open.add(socket);
    let came = '';
    socket.on('data', (bytes) => {
      used.add(socket);
      came += bytes.toString('latin1');
      received += bytes.toString('latin1');
      serve(socket, came);
      changed();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      used.delete(socket);
      changed();
    });
  });
  const port = await listening(server);
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  return {
    port,
    get connections() {
      return connections;
    },
    get received() {
      return received;
    },
    closed: (left = 0) => when(() => used.size <= left),
    until: (text) => when(() => received.includes(text)),
  };
}

/** On a free port of this machine, until the test ends. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** An answer as it is written on the wire. */
export const written = (body: string, ...headers: readonly string[]): string =>
  ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n');
