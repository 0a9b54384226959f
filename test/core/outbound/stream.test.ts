import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutbound } from '../../../src/core/outbound/outbound.ts';
import type { Wire } from '../../../src/core/outbound/wire.ts';
import { fetchWire } from '../../../src/core/outbound/wire.ts';
import { hostWire } from '../../../src/entry/wire.ts';
import type { OutboundMethod, OutboundStreamCall } from '../../../src/spi/index.ts';
import { settle, testClock } from '../../support/clock.ts';
import { openReceiver } from '../../support/receiver.ts';
import { listening, rawServer, refusalOf, written } from './support.ts';

const mebibyte = 1_048_576;
const large = 64 * mebibyte;
/** Bytes that kernels buffer at the two ends of a local connection, with the pieces in transit. */
const inFlight = 16 * mebibyte;

function outbound(wire: Wire = hostWire()) {
  const clock = testClock();
  const outcomes: string[] = [];
  const count = (outcome: string) => void outcomes.push(outcome);
  const { stream } = createOutbound({ wire, allow: ['127.0.0.1'], clock, count });
  const ask = (port: number, more: Partial<OutboundStreamCall> = {}) =>
    stream({ url: `http://127.0.0.1:${port}/a`, method: 'GET', answerWithin: 9_000, idle: 5_000, ...more });
  return { ask, clock, outcomes };
}

async function server(serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const open = createServer(serve);
  onTestFinished(() => open.closeAllConnections());
  return listening(open);
}

const textOf = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();

/** Pieces of 64 KiB, counted when they are taken. */
function source(bytes: number, taken = { bytes: 0, cancelled: false }) {
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken.bytes >= bytes) return controller.close();
        const piece = new Uint8Array(Math.min(65_536, bytes - taken.bytes));
        taken.bytes += piece.length;
        controller.enqueue(piece);
      },
      cancel() {
        taken.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken };
}

/** Resolves when the number has not grown for many turns of the loop. */
async function stands(read: () => number): Promise<number> {
  for (let [last, still] = [-1, 0]; ; ) {
    await settle(20);
    still = read() === last ? still + 1 : 0;
    last = read();
    if (still === 20 && last > 0) return last;
  }
}

const wires = [
  ['a host', () => hostWire()],
  ['an edge', () => fetchWire(fetch)],
] as const;

describe.each(wires)('over %s', (_name, wire) => {
  const bodies: readonly (readonly [string, () => Partial<OutboundStreamCall>, string])[] = [
    ['text', () => ({ body: 'gr\u00fc\u00df' }), '6'],
    ['bytes', () => ({ body: new TextEncoder().encode('gr\u00fc\u00df') }), '6'],
    ['a stream of known length', () => ({ body: new Blob(['gr\u00fc\u00df']).stream(), length: 6 }), '6'],
    ['a stream of unknown length', () => ({ body: new Blob(['gr\u00fc\u00df']).stream() }), 'chunked'],
    ['no bytes', () => ({ body: '' }), '0'],
  ];
  const methods: readonly OutboundMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
  it.each(
    methods
      .flatMap((method) => bodies.map((body) => [method, ...body] as const))
      .filter((row) => row[0] !== 'DELETE' || row[3] !== '0'),
  )('%s sends %s', async (method, _what, more, framing) => {
    const { address, received, script, close } = await openReceiver();
    onTestFinished(() => close());
    script({ status: 201, headers: { etag: '"1"' }, body: 'stored' });
    const answer = await outbound(wire()).ask(Number(new URL(address).port), { method, ...more() });
    expect([answer.status, answer.headers.get('etag'), await textOf(answer.body)]).toEqual([201, '"1"', 'stored']);
    const { headers, body } = received[0]!;
    expect([received.length, received[0]!.method, body]).toEqual([
      1,
      method,
      more().body === '' ? '' : 'gr\u00fc\u00df',
    ]);
    expect(headers['content-length'] ?? headers['transfer-encoding']).toBe(framing);
  });

  it('hands ranges and conditions on, and answers without a body', async () => {
    const seen: unknown[] = [];
    const port = await server(({ method, headers }, response) => {
      seen.push([method, headers.range, headers['if-match'], headers['if-none-match']]);
      const status = method === 'HEAD' ? 200 : method === 'DELETE' ? 204 : 304;
      response.writeHead(status, method === 'HEAD' ? { 'content-length': large } : {}).end();
    });
    const { ask, outcomes, clock } = outbound(wire());
    const head = await ask(port, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    expect([head.status, head.headers.get('content-length'), await textOf(head.body)]).toEqual([200, `${large}`, '']);
    expect((await ask(port, { method: 'DELETE', headers: { 'if-match': '"1"' } })).status).toBe(204);
    expect((await ask(port, { headers: { 'if-none-match': '"2"' } })).status).toBe(304);
    expect(seen).toEqual([
      ['HEAD', 'bytes=0-1', undefined, undefined],
      ['DELETE', undefined, '"1"', undefined],
      ['GET', undefined, undefined, '"2"'],
    ]);
    expect([outcomes, clock.sleepers]).toEqual([['answered', 'answered', 'answered'], 0]);
  });

  it('a slow reader holds the sender back: 64 MiB come, and few of them wait', async () => {
    const sent = { bytes: 0 };
    const port = await server((_request, response) => {
      const more = () => {
        while (sent.bytes < large) {
          sent.bytes += 65_536;
          if (!response.write(new Uint8Array(65_536))) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    });
    const { ask, outcomes } = outbound(wire());
    const { body } = await ask(port);
    expect(await stands(() => sent.bytes)).toBeLessThan(inFlight);
    let came = 0;
    let max = 0;
    for await (const bytes of body) {
      came += bytes.length;
      max = Math.max(max, sent.bytes - came);
    }
    expect(came).toBe(large);
    expect(max).toBeLessThan(inFlight);
    expect(outcomes).toEqual(['answered']);
  });

  it('a slow receiver holds the body back: 64 MiB arrive, and few of them wait', async () => {
    let receive = (): void => undefined;
    let came = 0;
    const port = await server((request, response) => {
      receive = () =>
        request
          .on('data', (bytes) => {
            came += bytes.length;
          })
          .on('end', () => response.end('stored'));
    });
    const { stream, taken } = source(large);
    const asked = outbound(wire()).ask(port, { method: 'PUT', body: stream, length: large });
    expect(await stands(() => taken.bytes)).toBeLessThan(inFlight);
    receive();
    expect(await textOf((await asked).body)).toBe('stored');
    expect([came, taken.bytes]).toEqual([large, large]);
  });

  it.each([
    ['is cut', 'Content-Length: 9\r\n\r\nhalf'],
    ['is cut between chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ])('an answer that %s is an error of its reader', async (_what, text) => {
    const raw = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${text}`));
    const { ask, outcomes } = outbound(wire());
    const { status, body } = await ask(raw.port);
    expect(status).toBe(200);
    expect(await refusalOf(textOf(body))).toBe('answer: Expected a whole answer from "127.0.0.1"');
    expect(outcomes).toEqual(['answer']);
  });

  it.each([
    [5, '"4"'],
    [3, '"more"'],
  ])('a body of 4 bytes that tells %d is no request', async (length, found) => {
    const raw = await rawServer(() => undefined);
    const { stream } = source(4);
    const { ask, outcomes } = outbound(wire());
    expect(await refusalOf(ask(raw.port, { method: 'PUT', body: stream, length }))).toBe(
      `bad-url: Expected a body of ${length} bytes, as its length says: ${found}`,
    );
    await raw.closed();
    expect(outcomes).toEqual(['bad-url']);
  });

  it('a body that breaks off is no request, and its own error stays inside', async () => {
    const raw = await rawServer(() => undefined);
    const body = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error('canary')) });
    expect(await refusalOf(outbound(wire()).ask(raw.port, { method: 'PUT', body }))).toBe(
      'aborted: Expected a body that can be read to its end',
    );
    await raw.closed();
  });

  it('a server that drips is read; one that stops is left after the idle limit', async () => {
    let drip = (): void => undefined;
    const raw = await rawServer((socket) => {
      drip = () => void socket.write('x');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n');
    });
    const { ask, clock } = outbound(wire());
    const reader = (await ask(raw.port)).body.getReader();
    for (let time = 0; time < 4; time++) {
      await clock.advance(4_999);
      drip();
      expect((await reader.read()).value).toHaveLength(1);
    }
    const ended = refusalOf(reader.read());
    await clock.advance(4_999);
    expect(await Promise.race([ended, settle().then(() => 'waits')])).toBe('waits');
    await clock.advance(1);
    expect(await ended).toBe('timeout: Expected a byte to move within 5000 ms');
    await raw.closed();
    expect(clock.sleepers).toBe(0);
  });

  it('a server that takes no more of a body is left after the idle limit, and the body is cancelled', async () => {
    const port = await server(() => undefined);
    const { stream, taken } = source(large);
    const { ask, clock } = outbound(wire());
    const ended = refusalOf(ask(port, { method: 'PUT', body: stream, length: large }));
    await stands(() => taken.bytes);
    await clock.advance(5_000);
    expect(await ended).toBe('timeout: Expected a byte to move within 5000 ms');
    expect(taken.cancelled).toBe(true);
  });

  it('headers that never come are left, counted from the end of the body', async () => {
    const raw = await rawServer(() => undefined);
    const { ask, clock } = outbound(wire());
    const ended = refusalOf(ask(raw.port, { method: 'PUT', body: 'body', idle: 60_000 }));
    await raw.until('body');
    await settle();
    await clock.advance(9_000);
    expect(await ended).toBe('timeout: Expected an answer within 9000 ms');
    await raw.closed();
  });

  it.each(['cancel', 'signal', 'mostBytes'] as const)('the connection is closed by %s', async (way) => {
    const raw = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    const stop = new AbortController();
    const { ask, clock, outcomes } = outbound(wire());
    const { body } = await ask(raw.port, { signal: stop.signal, ...(way === 'mostBytes' ? { mostBytes: 3 } : {}) });
    const ways = {
      cancel: async () => void (await body.cancel()),
      async signal() {
        const reader = body.getReader();
        await reader.read();
        const read = refusalOf(reader.read());
        stop.abort();
        expect(await read).toBe('aborted: Expected the caller to wait for the answer');
      },
      mostBytes: async () =>
        expect(await refusalOf(textOf(body))).toBe('too-large: Expected an answer of at most 3 bytes'),
    };
    await ways[way]();
    await raw.closed();
    expect(outcomes).toEqual([{ cancel: 'answered', signal: 'aborted', mostBytes: 'too-large' }[way]]);
    expect(clock.sleepers).toBe(0);
  });

  it('the signal ends an upload, and cancels what is left of its body', async () => {
    const raw = await rawServer(() => undefined);
    let told = (): void => undefined;
    const cancelled = new Promise<void>((resolve) => {
      told = resolve;
    });
    const body = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new Uint8Array(4)), cancel: () => told() });
    const stop = new AbortController();
    const ended = refusalOf(outbound(wire()).ask(raw.port, { method: 'PUT', body, signal: stop.signal }));
    await raw.until('PUT /a');
    stop.abort();
    expect(await ended).toBe('aborted: Expected the caller to wait for the answer');
    await cancelled;
    await raw.closed();
  });

  it('a refusal that comes before the body was sent is an answer, and ends the body', async () => {
    const raw = await rawServer((socket) => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno'));
    const { stream, taken } = source(large);
    const held = stream.pipeThrough(new TransformStream({ transform: () => new Promise(() => undefined) }));
    const body = new ReadableStream<Uint8Array>({
      start: (to) => to.enqueue(new Uint8Array(4)),
      cancel: (why) => held.cancel(why),
    });
    const { ask } = outbound(wire());
    const answer = await ask(raw.port, { method: 'PUT', body });
    expect([answer.status, await textOf(answer.body)]).toEqual([413, 'no']);
    await raw.closed();
    expect(taken.cancelled).toBe(true);
  });
});

describe('a connection', () => {
  const twice = async (serve: (socket: Socket) => void, more: () => Partial<OutboundStreamCall>) => {
    const raw = await rawServer(serve);
    const { ask } = outbound();
    const seen: string[] = [];
    for (const _again of [1, 2]) seen.push(await textOf((await ask(raw.port, more())).body));
    return [seen, raw.connections];
  };

  it.each<readonly [string, () => Partial<OutboundStreamCall>, number]>([
    ['is used again when the answer was read', () => ({}), 1],
    ['is used again for bytes, which can be sent again', () => ({ method: 'PUT', body: 'body' }), 1],
    ['is new for a stream, which cannot', () => ({ method: 'PUT', body: source(4).stream, length: 4 }), 2],
  ])('%s', async (_what, more, connections) => {
    expect(await twice((socket) => socket.write(written('x')), more)).toEqual([['x', 'x'], connections]);
  });

  it('that brings more than an answer says is not used again', async () => {
    const [seen, connections] = await twice(
      (socket) => socket.write(`${written('x')}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`),
      () => ({}),
    );
    expect([seen, connections]).toEqual([['x', 'x'], 2]);
  });

  it('that was closed while it was idle does not cost bytes their answer', async () => {
    const raw = await rawServer((socket, received) => {
      if (received.split('PUT').length > 2) socket.resetAndDestroy();
      else if (received.endsWith('body')) socket.write(written('x'));
    });
    const { ask } = outbound();
    for (const _again of [1, 2]) {
      expect(await textOf((await ask(raw.port, { method: 'PUT', body: 'body' })).body)).toBe('x');
    }
    expect(raw.connections).toBe(2);
  });

  it('that fails takes no byte of a stream: the next address gets all of it', async () => {
    const { address, received, close } = await openReceiver();
    onTestFinished(() => close());
    const real = hostWire();
    const tried: unknown[] = [];
    const wire: Wire = {
      resolve: async () => ['127.0.0.2', '127.0.0.1'],
      send(to, request, signal) {
        tried.push(to);
        return real.send(to, request, signal);
      },
    };
    const { stream } = createOutbound({ wire, allow: ['127.0.0.0/8'], clock: testClock() });
    const url = `http://two.example:${new URL(address).port}/`;
    const body = new Blob(['hello']).stream();
    const answer = await stream({ url, method: 'PUT', body, length: 5, answerWithin: 9_000, idle: 9_000 });
    expect([answer.status, tried, received[0]!.body]).toEqual([200, ['127.0.0.2', '127.0.0.1'], 'hello']);
  });
});

it('provisional answers are passed over', async () => {
  const raw = await rawServer((socket) =>
    socket.write(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${written('x')}`),
  );
  const { status, body } = await outbound().ask(raw.port);
  expect([status, await textOf(body)]).toEqual([200, 'x']);
});

it.each<readonly [Partial<OutboundStreamCall>, string]>([
  [{ method: 'GET', body: 'x' }, 'Expected no body with GET'],
  [{ method: 'HEAD', body: 'x' }, 'Expected no body with HEAD'],
  [{ method: 'TRACE' as never }, 'Expected one of the methods GET, HEAD, POST, PUT, PATCH, DELETE'],
  [{ method: 'PUT', length: 1 }, 'Expected a body for that length'],
  [{ method: 'PUT', body: 'x', length: 2 }, 'Expected a body of 2 bytes, as its length says: "1"'],
  [{ method: 'PUT', body: 'x', length: -1 }, 'Expected a length of whole bytes'],
  [{ headers: { 'Content-Length': '1' } }, 'Expected no header "Content-Length" of the caller\'s own'],
])('%j is refused before a connection', async (more, sentence) => {
  const raw = await rawServer(() => undefined);
  expect(await refusalOf(outbound().ask(raw.port, more))).toBe(`bad-url: ${sentence}`);
  expect(raw.connections).toBe(0);
});

it('a stream that is never sent is cancelled', async () => {
  const { stream, taken } = source(4);
  const { ask } = outbound({ ...hostWire() });
  const refused = ask(9, { url: 'http://10.0.0.1/', method: 'PUT', body: stream });
  expect(await refusalOf(refused)).toContain('blocked: ');
  expect(taken).toEqual({ bytes: 0, cancelled: true });
});
