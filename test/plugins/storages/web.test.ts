import { describe, expect, it } from 'vitest';
import { webStorage } from '../../../plugins/storages/web.ts';
import { checkStorageScheme } from '../../../src/kit/testing/index.ts';
import { collectBytes, someBytes, toBytes } from '../../../src/kit/testing/storage/bytes.ts';
import { explained } from '../../kit/testing/failing.ts';
import { inPieces } from '../../support/s3/fake.ts';
import { limits, openWeb, password, webAddress, webServer, withLogin } from './support.ts';

const holds = {
  'a film.mov': someBytes(300_007),
  'in/ü 日本#1?.mov': someBytes(70_000, 2),
  'empty.mov': new Uint8Array(),
};
const files = new Map(Object.entries(holds));

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => error.kind,
  );

describe('the driver for http and https keeps the contract of drivers before', () => {
  it.each([
    ['a server with tags, ranges and conditions', {}],
    ['one that asks for a login', { login: `somebody:${password}` }],
    ['one with weak tags', { tags: 'weak' }],
    ['one with times only', { tags: 'none' }],
    ['one that knows no ranges', { knowsRanges: false }],
    ['one that knows no HEAD', { knowsHead: false }],
  ] as const)('%s', async (_what, server) => {
    const results = await checkStorageScheme({
      make: (host) => webStorage.create(limits, host),
      backend: webServer({ files, ...server }),
      places: (number) => webAddress(`https://files.example/media/${number}/`, 'login' in server ? withLogin : {}),
      holds,
    });
    expect(explained(results)).toEqual([]);
  });
});

describe('files of web servers', () => {
  it('have the size, the time and the tag that the server tells', async () => {
    const { driver } = await openWeb(webServer({ files: new Map([['a.mov', toBytes('abc')]]) }));
    expect(await driver.stat('a.mov')).toEqual({
      path: 'a.mov',
      size: 3,
      version: '"3-97"',
      modified: Date.UTC(2030, 0, 1) * 1000,
    });
  });

  it('are asked for by ranges, in encoded paths, packed by nobody', async () => {
    const { driver, host } = await openWeb(webServer({ files }));
    const { body } = await driver.read('in/ü 日本#1?.mov', { range: { from: 10, end: 20 } });
    expect(host.requests.length).toBe(1);
    expect(await collectBytes(body)).toEqual(holds['in/ü 日本#1?.mov'].slice(10, 20));
    const { url, headers } = host.requests.at(-1)!;
    expect(url).toBe('https://files.example/media/in/%C3%BC%20%E6%97%A5%E6%9C%AC%231%3F.mov');
    expect([headers.get('range'), headers.get('accept-encoding')]).toEqual(['bytes=10-19', 'identity']);
  });

  it('go on behind the last byte where a connection breaks', async () => {
    const bytes = someBytes(200_000);
    const good = webServer({ files: new Map([['a.mov', bytes]]) });
    let cuts = 2;
    const { driver, host } = await openWeb(async (request) => {
      const answer = await good(request);
      if (request.method === 'HEAD' || cuts-- <= 0) return answer;
      const reader = answer.body!.getReader();
      const { value } = await reader.read();
      await reader.cancel();
      let sent = false;
      const body = new ReadableStream({
        pull(controller) {
          if (sent) return controller.error(new TypeError('terminated'));
          sent = true;
          controller.enqueue(value);
        },
      });
      return new Response(body, { status: answer.status, headers: answer.headers });
    });
    expect(await collectBytes((await driver.read('a.mov')).body)).toEqual(bytes);
    expect(host.requests.map(({ headers }) => headers.get('range'))).toEqual([
      null,
      null,
      'bytes=65536-199999',
      'bytes=131072-199999',
    ]);
  });

  it('that end too early are no whole files', async () => {
    const { driver, host } = await openWeb(({ method, headers }) => {
      const from = Number(/\d+/.exec(headers.get('range') ?? '')?.[0] ?? 0);
      const told = { 'content-length': '10', etag: '"1"' };
      if (method === 'HEAD') return new Response(null, { headers: told });
      // No length is told, and the body only ends.
      return new Response(from === 0 ? 'abc' : '', {
        status: from === 0 ? 200 : 206,
        headers: { etag: '"1"', 'content-range': `bytes ${from}-9/10` },
      });
    });
    expect(await kindOf(collectBytes((await driver.read('a.mov')).body))).toBe('offline');
    expect(host.requests.length).toBe(4);
  });

  it('that change between two connections are never mixed', async () => {
    let tag = '"old"';
    const { driver } = await openWeb(({ method }) => {
      const headers = { 'content-length': '10', etag: tag };
      if (method === 'HEAD') return new Response(null, { headers });
      tag = '"new"';
      return new Response(inPieces(toBytes('old')), { headers: { etag: headers.etag } });
    });
    expect(await kindOf(collectBytes((await driver.read('a.mov')).body))).toBe('changed');
  });

  it.each([
    ['another place', { status: 206, headers: { 'content-range': 'bytes 0-4/10', etag: '"1"' } }, 'failed'],
    ['another file', { status: 206, headers: { 'content-range': 'bytes 5-9/10', etag: '"2"' } }, 'changed'],
    [
      'a file of another size',
      { status: 206, headers: { 'content-range': 'bytes 5-9/11', 'last-modified': 'x' } },
      'changed',
    ],
    ['nothing any more', { status: 404 }, 'changed'],
    ['a refusal', { status: 403 }, 'denied'],
    ['trouble', { status: 503 }, 'offline'],
  ] as const)('asked for a range, a server that sends %s is not believed', async (_what, answer, kind) => {
    const { driver } = await openWeb(({ method }) =>
      method === 'HEAD'
        ? new Response(null, { headers: { 'content-length': '10', etag: '"1"' } })
        : new Response('56789', answer),
    );
    const { body } = await driver.read('a.mov', { range: { from: 5, end: 10 } });
    expect(await kindOf(collectBytes(body))).toBe(kind);
  });

  it('of a server that tells no size cannot be read', async () => {
    const { driver } = await openWeb(({ method }) => new Response(method === 'HEAD' ? null : inPieces(toBytes('abc'))));
    expect(await kindOf(driver.stat('a.mov'))).toBe('unsupported');
  });

  it.each([
    ['https://files.example/media/', undefined],
    ['http://files.example:8080', undefined],
    ['https://files.example/media/?token=x', 'without "?"'],
    ['https://files.example/media/#x', 'without "?"'],
    ['https://files.example/a/../b/', 'a folder'],
    ['https://files.example/a/%2e%2E/b/', 'a folder'],
    ['https://files.example/a//b/', 'a folder'],
    ['https://files.example/%zz/', 'a folder'],
    ['https://good@evil.example/', 'an address'],
    ['https:///a/', 'an address'],
  ])('the address %s: %s', async (uri, told) => {
    const scheme = await webStorage.create(limits, (await openWeb(webServer({ files }))).host);
    const found = scheme.defect!({ uri });
    expect(found).toEqual(told === undefined ? undefined : expect.stringContaining(told));
  });

  it('a name with a colon would be another name and another password', async () => {
    const { host } = await openWeb(webServer({ files }));
    const scheme = await webStorage.create(limits, host);
    expect(scheme.defect!({ uri: 'https://files.example/', user: 'a:b' })).toContain('without a colon');
  });
});
