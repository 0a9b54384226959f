import { expect, it, onTestFinished } from 'vitest';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import type { Listener } from '../../src/entry/listener.ts';
import { knowBody, sentBytes } from '../../src/http/body.ts';
import type { Arrival } from '../../src/security/arrival.ts';
import { isSettledWithin } from '../support/clock.ts';
import { openRaw, sendBytes, sendRaw } from '../support/raw.ts';

async function listen(fetch: (request: Request, arrival: Arrival) => Promise<Response>): Promise<Listener> {
  const listener = await listenOnNode(fetch, { host: '127.0.0.1', port: 0, requestTimeout: 60 });
  onTestFinished(() => listener.stop(0));
  return listener;
}

/** A request that is being answered for as long as the test likes. */
function held() {
  let release = () => {};
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetch = async () => {
    begun();
    await until;
    return new Response('done');
  };
  return { fetch, started, release: () => release() };
}

it('hands on the target byte for byte, and the address', async () => {
  const arrivals: Arrival[] = [];
  const { port } = await listen(async (_request, arrival) => {
    arrivals.push(arrival);
    return new Response('');
  });
  for (const target of ['/a/../b;c=%2e', '/%2E%2e/x?y', '//a//b']) await sendRaw(port, { target });
  expect(arrivals.map(({ rawTarget }) => rawTarget)).toEqual(['/a/../b;c=%2e', '/%2E%2e/x?y', '//a//b']);
  expect(new Set(arrivals.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
});

it('finishes a request in flight when it is stopped, and then does not wait for its idle connection', async () => {
  const { fetch, started, release } = held();
  const { port, stop } = await listen(fetch);
  const connection = openRaw(port);
  connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await started;
  const stopped = stop(600_000);
  release();
  await connection.received('done');
  // Half of the time that an idle connection lasts.
  expect(await isSettledWithin(300, stopped)).toBe(true);
  expect(await connection.ended).toContain('200 OK');
});

it('closes idle connections at once when it is stopped', async () => {
  const { port, stop } = await listen(async () => new Response('done'));
  const connection = openRaw(port);
  connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await connection.received('done');
  await stop(60_000);
  await connection.ended;
});

it('accepts nobody any more once it is stopped', async () => {
  const { fetch, started, release } = held();
  const { port, stop } = await listen(fetch);
  const first = sendRaw(port, { target: '/' });
  await started;
  const stopped = stop(60_000);
  const second = openRaw(port);
  second.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await second.ended).toBe('');
  release();
  expect((await first).body).toBe('done');
  await stopped;
});

it('cuts off what takes longer than a stop may', async () => {
  const { fetch, started } = held();
  const { port, stop } = await listen(fetch);
  const answer = sendRaw(port, { target: '/' });
  await started;
  await stop(1);
  expect((await answer).status).toBe(0);
});

it('refuses a port that is taken', async () => {
  const { port } = await listen(async () => new Response(''));
  const again = listenOnNode(async () => new Response(''), { host: '127.0.0.1', port, requestTimeout: 1 });
  await expect(again).rejects.toThrow('EADDRINUSE');
});

it('answers callers who speak HTTP/1.0 and name no host, as load balancers do', async () => {
  const { port } = await listen(async (request) => new Response(new URL(request.url).pathname));
  const { status, body } = await sendBytes(port, 'GET /health HTTP/1.0\r\n\r\n');
  expect([status, body]).toEqual([200, '/health']);
});

it('a thousand small headers in front of another do not make it vanish', async () => {
  const seen: (string | null)[] = [];
  const { port } = await listen(async ({ headers }) => {
    seen.push(headers.get('x-forwarded-for'));
    return new Response('');
  });
  const small = Array.from({ length: 1500 }, (_, index) => `${index.toString(36)}:`);
  const { status } = await sendRaw(port, { target: '/', headers: [...small, 'X-Forwarded-For: 203.0.113.7'] });
  expect([
    [200, ['203.0.113.7']],
    [431, []],
  ]).toContainEqual([status, seen]);
});

it('a target and headers of more bytes than the setting are refused', async () => {
  const options = { host: '127.0.0.1', port: 0, requestTimeout: 60, maxHeaderBytes: 2048 };
  const { port, stop } = await listenOnNode(async () => new Response(''), options);
  onTestFinished(() => stop(0));
  const send = (length: number) => sendRaw(port, { target: '/', headers: [`a: ${'x'.repeat(length)}`] });
  expect([(await send(1500)).status, (await send(3000)).status]).toEqual([200, 431]);
});

it('cuts off a sender whose body nobody reads, after 64 MB or half a second', async () => {
  const { port } = await listen(async () => new Response('done'));
  const connection = openRaw(port);
  connection.write('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
  expect(await connection.ended).toContain('done');
});

it('does not read a body that was cut off before anybody read it as an empty one', async () => {
  let go = () => {};
  const wait = new Promise<void>((resolve) => {
    go = resolve;
  });
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const whole = new Promise<boolean | undefined>((resolve) => {
    void listen(async (request, { body }) => {
      begun();
      await wait;
      await request.text().catch(() => undefined);
      resolve(body?.isWhole());
      return new Response('');
    }).then(({ port }) => {
      const connection = openRaw(port);
      connection.write('PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
      void started.then(() => setImmediate(go));
    });
  });
  expect(await whole).toBe(false);
});

it.each([
  ['with its head', 'abc', ''],
  ['in pieces', 'a', 'bc'],
])('a body that comes %s is read once, whole, and the connection goes on', async (_, first, rest) => {
  const again: unknown[] = [];
  let begun = () => {};
  const { port } = await listen(async (request, { body }) => {
    if (!body) return new Response('');
    knowBody(request, body);
    begun();
    // Bytes that came together with the head are there after a turn of promises.
    await undefined;
    const bytes = await sentBytes(request, 100);
    again.push(await sentBytes(request, 100).catch((error) => [body.take(3), error.name, error.code]));
    return new Response(`${new TextDecoder().decode(bytes)};`);
  });
  const connection = openRaw(port);
  for (let turn = 0; turn < 2; turn++) {
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    connection.write(`PUT /${turn} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n${first}`);
    await started;
    connection.write(rest);
  }
  connection.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect((await connection.ended).match(/abc;/g)).toHaveLength(2);
  // A mistake of ours, and no broken body of the sender.
  const fault = [undefined, 'TypeError', undefined];
  expect(again).toEqual([fault, fault]);
});
