import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { entries, passwords } from './people.ts';

/** The parts of ldapjs that are used; it comes without types. */
interface Request {
  readonly dn: { toString(): string };
  readonly credentials: string;
  readonly filter: { matches(attributes: unknown): boolean; toString(): string };
  readonly scope: string | number;
}
interface Answer {
  send(entry: unknown): void;
  end(): void;
}
type Next = (error?: Error) => void;
interface Server {
  bind(base: string, handler: (request: Request, answer: Answer, next: Next) => void): void;
  search(base: string, handler: (request: Request, answer: Answer, next: Next) => void): void;
  listen(port: number, host: string, done: () => void): void;
  close(done: () => void): void;
  on(event: string, handler: (error: Error) => void): void;
  readonly connections: number;
  readonly server: {
    address(): AddressInfo;
    on(event: 'connection' | 'secureConnection', heard: (socket: Closable) => void): void;
  };
}
interface Closable {
  destroy(): void;
  on(event: 'close', heard: () => void): void;
}

const ldapjs = createRequire(import.meta.url)('ldapjs') as {
  createServer(options?: { key: string; certificate: string }): Server;
  parseFilter(text: string): Request['filter'];
  InvalidCredentialsError: new () => Error;
};

export interface Directory {
  readonly port: number;
  /** Names of the binds so far, with the passwords of those that were anonymous or empty. */
  readonly binds: string[];
  readonly searches: string[];
  /** So many were opened; so many are. */
  connections: number;
  readonly open: number;
  /** From here on answers wait until they are let go. */
  hold(): { release(): void };
  /** Breaks every connection, as a directory does with idle ones. */
  disconnect(): void;
  close(): Promise<void>;
}

const spaceless = (dn: string): string => dn.replace(/\s*([,=])\s*/g, '$1').toLowerCase();

export async function openDirectory(tls?: { readonly key: string; readonly cert: string }): Promise<Directory> {
  const server = tls ? ldapjs.createServer({ key: tls.key, certificate: tls.cert }) : ldapjs.createServer();
  server.on('error', () => undefined);
  const sockets = new Set<Closable>();
  let held = Promise.resolve();

  const directory: Directory = {
    port: 0,
    binds: [],
    searches: [],
    connections: 0,
    get open() {
      return sockets.size;
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return { release: () => release() };
    },
    disconnect() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    close: () =>
      new Promise((resolve) => {
        directory.disconnect();
        server.close(() => resolve());
      }),
  };

  server.server.on(tls ? 'secureConnection' : 'connection', (socket) => {
    directory.connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  // As real directories: a name without a password is an anonymous bind, and succeeds.
  server.bind('', async (request, answer, next) => {
    const dn = request.dn.toString();
    directory.binds.push(dn);
    await held;
    if (request.credentials === '' || passwords.get(spaceless(dn)) === request.credentials) answer.end();
    else next(new ldapjs.InvalidCredentialsError());
  });

  server.search('', async (request, answer) => {
    const base = spaceless(request.dn.toString());
    directory.searches.push(`${base} ${request.filter}`);
    await held;
    // Real directories compare these attributes without case.
    const filter = ldapjs.parseFilter(String(request.filter).toLowerCase());
    for (const entry of entries) {
      const dn = spaceless(entry.dn);
      const inScope = ['base', 0].includes(request.scope) ? dn === base : dn.endsWith(base);
      if (base !== '' && inScope && filter.matches(JSON.parse(JSON.stringify(entry.attributes).toLowerCase())))
        answer.send(structuredClone(entry));
    }
    answer.end();
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(directory, { port: server.server.address().port });
  return directory;
}
