import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import type { Bytes } from '../../src/http/bytes.ts';
import { content, openBytes } from '../support/listeners.ts';
import { inDeno } from '../support/started.ts';

const date = 'Thu, 31 Jan 2030 12:00:00 GMT';
const earlier = 'Thu, 31 Jan 2030 11:59:59 GMT';

const entries = ['fetch', 'socket'] as const;

async function open(entry: (typeof entries)[number], given?: Partial<Bytes>) {
  const { opened, handler } = openBytes(given);
  if (entry === 'fetch') {
    const ask = async (headers: Record<string, string> = {}, method = 'GET') =>
      handler(new Request('http://portico.test/bytes', { method, headers }));
    return { opened, ask };
  }
  const listener = await listenOnNode(handler, { host: '127.0.0.1', port: 0, requestTimeout: 10 });
  onTestFinished(() => listener.stop(0));
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${listener.port}/bytes`, { method, headers });
  return { opened, ask };
}

type Part = readonly [status: number, body: string, contentRange: string | null];

const parts: readonly (readonly [range: string, ...Part])[] = [
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=-99', 206, content, 'bytes 0-9/10'],
  ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
  ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
  // Headers that are no single range mean the whole body.
  ['bytes=3-2', 200, content, null],
  ['bytes=0-1,4-5', 200, content, null],
  ['items=0-1', 200, content, null],
  ['bytes=-', 200, content, null],
  ['bytes=1e1-', 200, content, null],
];

async function expectPart(answer: Response, [status, body, contentRange]: Part): Promise<void> {
  const range = answer.headers.get('content-range');
  expect([answer.status, await answer.text(), range]).toEqual([status, body, contentRange]);
  expect(answer.headers.get('content-length')).toBe(String(body.length));
}

const conditions: readonly (readonly [headers: Record<string, string>, status: number])[] = [
  [{ 'if-none-match': '"v1"' }, 304],
  [{ 'if-none-match': 'W/"v1"' }, 304],
  [{ 'if-none-match': '"v0", "v1"' }, 304],
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': '"v0"' }, 200],
  [{ 'if-none-match': '"v0"', 'if-modified-since': date }, 200],
  [{ 'if-modified-since': date }, 304],
  [{ 'if-modified-since': earlier }, 200],
  [{ 'if-modified-since': 'yesterday' }, 200],
  [{ 'if-match': '"v1"' }, 200],
  [{ 'if-match': '*' }, 200],
  [{ 'if-match': '"v0"' }, 412],
  [{ 'if-match': 'W/"v1"' }, 412],
  [{ 'if-unmodified-since': earlier }, 412],
  [{ 'if-unmodified-since': date }, 200],
  [{ range: 'bytes=0-1', 'if-range': '"v1"' }, 206],
  [{ range: 'bytes=0-1', 'if-range': '"v0"' }, 200],
  [{ range: 'bytes=0-1', 'if-range': 'W/"v1"' }, 200],
  [{ range: 'bytes=0-1', 'if-range': date }, 206],
  [{ range: 'bytes=0-1', 'if-range': earlier }, 200],
];

describe.each(entries)('bytes (%s)', (entry) => {
  it('are sent whole, with length, type and validators', async () => {
    const { ask, opened } = await open(entry);
    const answer = await ask();
    expect([answer.status, await answer.text()]).toEqual([200, content]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '10',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'last-modified': date,
    });
    expect(opened).toEqual([{ from: 0, end: 10 }]);
  });

  it.each(parts)('are sent as the range %s asks', async (range, ...expected) => {
    const { ask } = await open(entry);
    await expectPart(await ask({ range }), expected);
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('refuses the range %s, and says the size', async (range) => {
    const { ask, opened } = await open(entry);
    const answer = await ask({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(await answer.text()).toContain('Expected a range within 10 bytes');
    expect(opened).toEqual([]);
  });

  it.each(conditions)('heeds the conditions %j', async (headers, status) => {
    const { ask, opened } = await open(entry);
    const answer = await ask(headers);
    expect(answer.status).toBe(status);
    await answer.arrayBuffer();
    expect(opened).toHaveLength(status < 300 ? 1 : 0);
    if (status === 304) expect(answer.headers.get('etag')).toBe('"v1"');
  });

  it('are not opened for HEAD, which tells the same length', async () => {
    const { ask, opened } = await open(entry);
    const answer = await ask({ range: 'bytes=0-1' }, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
    expect(opened).toEqual([]);
  });

  it('may be none', async () => {
    const { ask } = await open(entry, { size: 0 });
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', '']);
    expect((await ask({ range: 'bytes=0-' })).status).toBe(416);
  });

  it('stop being read when the caller goes away', async () => {
    let cancelled = () => {};
    const gone = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => cancelled(),
    });
    const { ask } = await open(entry, { size: 2 ** 40, open: () => endless });
    const answer = await ask();
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    await gone;
  });
});

describe('bytes (Deno)', () => {
  const server = inDeno('bytes');
  const ask = async (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${await server.open()}/bytes`, { method, headers });

  it.each(parts)('are sent as the range %s asks', async (range, ...expected) => {
    await expectPart(await ask({ range }), expected);
  });

  it.each(conditions)('heeds the conditions %j', async (headers, status) => {
    const answer = await ask(headers);
    expect(answer.status).toBe(status);
    await answer.arrayBuffer();
  });

  it('tell their length for HEAD', async () => {
    const answer = await ask({}, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
  });
});
