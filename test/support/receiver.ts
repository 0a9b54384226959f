import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  /** What is answered when they are used up, instead. */
  always(answer: (request: Received) => Promise<ScriptedAnswer> | ScriptedAnswer): void;
  /** Resolves once that many requests have come in all. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const scripted: ScriptedAnswer[] = [];
  let usual: (request: Received) => Promise<ScriptedAnswer> | ScriptedAnswer = () => ({});
  const waiting: { count: number; resolve(): void }[] = [];

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const { method = '', url: target = '', headers } = request;
      const came = { method, target, headers, body: Buffer.concat(parts).toString('utf8') };
      received.push(came);
      for (const each of waiting) if (received.length >= each.count) each.resolve();
      const answer = scripted.shift() ?? (await usual(came));
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
      usual = answer;
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
