import { expect, it, onTestFinished } from 'vitest';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import { knowBody, openBody } from '../../src/http/body.ts';
import type { Arrival } from '../../src/security/arrival.ts';
import { openRaw, parseAnswer } from '../support/raw.ts';

const limit = 200;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function listen(fetch: (request: Request, arrival: Arrival) => Promise<Response>): Promise<number> {
  const listener = await listenOnNode(fetch, { host: '127.0.0.1', port: 0, requestTimeout: limit / 1000 });
  onTestFinished(() => listener.stop(0));
  return listener.port;
}

async function counted(request: Request, arrival: Arrival): Promise<Response> {
  knowBody(request, arrival.body!);
  const body = openBody(request);
  try {
    let total = 0;
    for (let piece = await body.read(); piece; piece = await body.read()) total += piece.byteLength;
    return new Response(`came ${total}`);
  } catch (error) {
    return new Response(String(error), { status: 400 });
  }
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;

async function trickle(port: number, pieces: number) {
  const connection = openRaw(port);
  connection.write(head(pieces));
  for (let sent = 0; sent < pieces; sent++) {
    connection.write('x');
    await pause(limit / 4);
  }
  return parseAnswer(await connection.ended);
}

it('an upload of bytes may take longer than the limit of a request, as long as bytes come', async () => {
  const { status, body } = await trickle(await listen(counted), 12);
  expect([status, body]).toEqual([200, 'came 12']);
});

it('a slow sender of any other body is given up after the limit', async () => {
  const port = await listen(async (request) => {
    const text = await request.text().catch(() => 'broken');
    return new Response(text, { status: text === 'broken' ? 400 : 200 });
  });
  const { status, body } = await trickle(port, 12);
  expect([status, body]).toEqual([400, 'broken']);
});

it('an upload that sends nothing for as long as the limit is given up', async () => {
  const port = await listen(counted);
  const connection = openRaw(port);
  connection.write(`${head(5)}xx`);
  const { status, body } = parseAnswer(await connection.ended);
  expect([status, body]).toEqual([400, expect.stringContaining('body-broken')]);
});

it('an upload is not given up because this service is slow to take its bytes', async () => {
  const port = await listen(async (request, arrival) => {
    knowBody(request, arrival.body!);
    const body = openBody(request);
    await pause(limit * 3);
    let total = 0;
    for (let piece = await body.read(); piece; piece = await body.read()) total += piece.byteLength;
    return new Response(`came ${total}`);
  });
  const length = 4_000_000;
  const connection = openRaw(port);
  connection.write(head(length));
  connection.write('x'.repeat(length));
  expect(parseAnswer(await connection.ended).body).toBe(`came ${length}`);
});
