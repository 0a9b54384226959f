import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createOutbound, type OutboundParts } from '../../../src/core/outbound/outbound.ts';
import type { Wire, WireAnswer, WireRequest } from '../../../src/core/outbound/wire.ts';
import type { OutboundAnswer, OutboundCall, OutboundStream, OutboundStreamCall } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';

interface Sent {
  readonly address: string | undefined;
  readonly request: WireRequest;
}

export type Answer = (sent: Sent, signal: AbortSignal) => Promise<WireAnswer> | WireAnswer;

/** Never told: their caller must not. */
export const never = new Promise<never>(() => undefined);

export async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

export const ok = (body: WireAnswer['body'] = chunks('fine')): WireAnswer => ({
  status: 200,
  headers: new Headers(),
  body,
});

export interface FakeOptions extends Partial<Omit<OutboundParts, 'wire'>> {
  /** Addresses of each name, look by look; the last answer repeats. Absent: the name is unknown. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly resolve?: Wire['resolve'];
  readonly answer?: Answer;
}

/** The address policy over a network that is made up: nothing leaves, and what would have left is told. */
export function fakeOutbound({ names = {}, answer = () => ok(), ...parts }: FakeOptions = {}) {
  const clock = testClock();
  const sent: Sent[] = [];
  const looked: string[] = [];
  const wire: Wire = {
    resolve: async (host) => {
      const answers = names[host];
      const before = looked.filter((each) => each === host).length;
      looked.push(host);
      const found = answers?.[Math.min(before, answers.length - 1)];
      if (!found) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      return found;
    },
    ...('resolve' in parts ? { resolve: parts.resolve } : {}),
    send: async (address, request, signal) => {
      sent.push({ address, request });
      return answer({ address, request }, signal);
    },
  };
  const outcomes: string[] = [];
  const count = (outcome: string) => void outcomes.push(outcome);
  const outbound = createOutbound({ allow: [], clock, count, ...parts, wire });
  const call = (url: string, more: Partial<OutboundCall> = {}): Promise<OutboundAnswer> =>
    outbound.call({ url, method: 'GET', timeout: 5_000, mostBytes: 1_000, ...more });
  const stream = (url: string, more: Partial<OutboundStreamCall> = {}): Promise<OutboundStream> =>
    outbound.stream({ url, method: 'GET', answerWithin: 5_000, idle: 5_000, ...more });
  return { call, stream, clock, sent, looked, outcomes };
}

/** The status, or the kind of the error. */
export const outcomeOf = (answer: Promise<{ readonly status: number }>): Promise<number | string> =>
  answer.then(
    ({ status }) => status,
    (error: Error & { kind: string }) => error.kind,
  );

/** The kind and the sentence. */
export const refusalOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: Error & { kind: string }) => `${error.kind}: ${error.message}`,
  );

/** Somebody else's port: speaks no protocol but what the test makes it say. */
interface RawServer {
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
  /** Sockets that sent something: after an abandoned request, fetch may open one ahead of the next request. */
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
