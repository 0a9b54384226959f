import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Settings } from '../../src/composition/settings.ts';
import { OutboundError, type Wire } from '../../src/core/outbound/wire.ts';
import type { TestClock } from './clock.ts';
import type { Entry, World } from './matrix.ts';
import { admin, type ServiceOptions } from './service.ts';

export interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The answer waits for this. */
  readonly after?: Promise<unknown>;
  /** No answer: the connection breaks. */
  readonly breaks?: true;
}

/** Somebody else's server, as the service sees it: records what comes and answers what the test says. */
export interface Receiver {
  readonly address: string;
  readonly received: readonly Received[];
  /** The next answers, in order. When they are used up, or none was given: 200 without a body. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Answer instead of the default when the scripted ones are used up. */
  always(answer: (request: Received) => Promise<ScriptedAnswer> | ScriptedAnswer): void;
  /** Resolves once that many requests have come in all. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const scripted: ScriptedAnswer[] = [];
  let defaultValue: (request: Received) => Promise<ScriptedAnswer> | ScriptedAnswer = () => ({});
  const waiting: { count: number; resolve(): void }[] = [];

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const { method = '', url: target = '', headers } = request;
      const came = { method, target, headers, body: Buffer.concat(parts).toString('utf8') };
      received.push(came);
      for (const each of waiting) if (received.length >= each.count) each.resolve();
      const answer = scripted.shift() ?? (await defaultValue(came));
      await answer.after;
      if (answer.breaks) return request.socket.destroy();
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    script: (...answers) => {
      scripted.push(...answers);
    },
    always: (answer) => {
      defaultValue = answer;
    },
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A service that may reach receivers on this machine. */
export const openWorld = (entry: Entry, settings: Partial<Settings> = {}, more: ServiceOptions = {}): Promise<World> =>
  entry.open({ ...more, settings: { outboundAllow: ['127.0.0.1'], ...settings } });

/** Somebody else's server, until the test ends. */
export async function receiving(): Promise<Receiver> {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

const everything = { group: { create: '', modify: '', delete: '' } };

/** Registers a notification and gives its id. */
export async function register(
  world: World,
  http: object,
  trigger: object = everything,
  place = '/group',
): Promise<string> {
  return registerAction(world, { http: { contentType: 'application/json', ...http } }, trigger, place);
}

async function registerAction(
  world: World,
  action: object,
  trigger: object = everything,
  place = '/group',
): Promise<string> {
  const { status, body } = await world.send({
    as: admin,
    request: `POST /API${place}${place === '/notification' ? '' : '/notification'}`,
    headers: { accept: 'text/plain' },
    body: { action, trigger },
  });
  expect(status, body).toBe(200);
  return body.trim();
}

/** Values of a body, by key. */
export const told = ({ body }: Received): Record<string, string> =>
  Object.fromEntries(JSON.parse(body).field.map(({ key, value }: { key: string; value: string }) => [key, value]));

/** A request about a notification, which must succeed. */
export async function about(world: World, id: string, request: string): Promise<string> {
  const [method, path = ''] = request.split(' ');
  const sent = {
    as: admin,
    request: `${method} /API/group/notification/${id}${path}`,
    headers: { accept: 'application/json' },
  };
  const { status, body } = await world.send(sent);
  expect(status, `${request}: ${body}`).toBe(200);
  return body;
}

export const healthOf = async (world: World, id: string) => JSON.parse(await about(world, id, 'GET /health'));

/** Ticks and lets time pass until nothing is due before the end. */
export async function within(world: Pick<World, 'service' | 'clock'>, milliseconds: number): Promise<void> {
  const end = world.clock.now() + milliseconds;
  for (;;) {
    const next = await world.service.tick();
    if (next === undefined || next > end) break;
    await world.clock.advance(next - world.clock.now());
  }
  await world.clock.advance(end - world.clock.now());
}

/** The network as a test plays it: what leaves for which address, and what comes back. */
export interface FakeNet {
  readonly sent: readonly {
    readonly address: string | undefined;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly at: number;
  }[];
  readonly wire: Wire;
  /** Addresses that names lead to; 93.184.216.34 unless said. */
  readonly names: Map<string, string>;
  /** By host; 200 unless said. */
  answer: (host: string, count: number) => number | 'down' | 'hang';
}

export function fakeNet(clock: TestClock): FakeNet {
  const sent: FakeNet['sent'][number][] = [];
  const counts = new Map<string, number>();
  const net: FakeNet = {
    sent,
    names: new Map(),
    answer: () => 200,
    wire: {
      resolve: async (host) => [net.names.get(host) ?? '93.184.216.34'],
      async send(address, { url, headers, body = '' }) {
        sent.push({ address, url: url.href, headers, body: body as string, at: clock.now() });
        const count = (counts.get(url.host) ?? 0) + 1;
        counts.set(url.host, count);
        const status = net.answer(url.host, count);
        if (status === 'down') throw new OutboundError('connect', `Expected a connection from "${url.host}"`);
        if (status === 'hang') return new Promise(() => undefined);
        return { status, headers: new Headers(), body: null };
      },
    },
  };
  return net;
}
