import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { storageError } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { basic, describeMatrix, listenFor } from '../../support/matrix.ts';
import { openRaw } from '../../support/raw.ts';
import { playScenario, type Scenario } from '../../support/scenario.ts';
import { type RoomWorld, uploader, viewer, worldOf } from '../../support/world.ts';
import { part, sqlIn, upload } from './support.ts';

const hello = 'hello world';
const sha1 = '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed';
const shaDigest = `sha=:${Buffer.from(sha1, 'hex').toString('base64')}:`;
const sha256Digest = `sha-256=:${hash('sha256', hello, 'base64')}:`;
const reprDigest = `${sha256Digest}, ${shaDigest}`;
const get = (path = '/file/VX-1', headers: Record<string, string> = {}) => ({
  as: viewer,
  request: `GET /API${path}/data`,
  headers,
});

const rows: readonly (Scenario & { readonly place?: (world: RoomWorld) => unknown })[] = [
  ...['/file/VX-1', '/storage/file/VX-1', '/storage/VX-1/file/VX-1'].map((path) => ({
    name: `is answered whole at ${path}`,
    ...get(path),
    status: 200,
    answers: {
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'accept-ranges': 'bytes',
      etag: `"${sha1}"`,
      'last-modified': 'Tue, 01 Jan 2030 00:00:00 GMT',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="a b.mov"; filename*=UTF-8''a%20b.mov`,
    },
    says: { exact: hello },
  })),
  ...(['GET', 'HEAD'] as const).map((method) => ({
    name: `has the digest of the whole file that the service keeps: ${method}`,
    ...get(),
    request: `${method} /API/file/VX-1/data`,
    status: 200,
    answers: { 'repr-digest': reprDigest },
  })),
  {
    name: 'has the digest of the whole file in one range of it',
    ...get('/file/VX-1', { range: 'bytes=6-', 'want-repr-digest': 'sha-256=3, sha=10' }),
    status: 206,
    answers: { 'repr-digest': reprDigest },
    says: { exact: 'world' },
  },
  ...[
    { want: 'sha-256=10', digest: sha256Digest },
    { want: 'sha=1, sha-256=0', digest: shaDigest },
  ].map(({ want, digest }) => ({
    name: `has the digest by the algorithm that its caller wants: ${want}`,
    ...get('/file/VX-1', { 'want-repr-digest': want }),
    status: 200,
    answers: { 'repr-digest': digest },
  })),
  {
    name: 'has no SHA-256 of other bytes than those of a SHA-1 that a client has set',
    given: [{ as: uploader, request: `PUT /API/file/VX-1/hash/${'0'.repeat(40)}` }],
    ...get(),
    status: 200,
    answers: { 'repr-digest': `sha=:${Buffer.alloc(20).toString('base64')}:` },
  },
  ...['sha=0', 'md5=3', 'sha-512=5, sha=0'].map((want) => ({
    name: `has no digest by an algorithm that its caller does not want: ${want}`,
    ...get('/file/VX-1', { 'want-repr-digest': want }),
    status: 200,
    answers: { 'repr-digest': null },
  })),
  {
    name: 'has the digest where the wish cannot be read',
    ...get('/file/VX-1', { 'want-repr-digest': '=:nonsense' }),
    status: 200,
    answers: { 'repr-digest': reprDigest },
  },
  {
    name: 'is answered to a client that accepts "*"',
    ...get('/file/VX-1', { accept: '*' }),
    status: 200,
    says: { exact: hello },
  },
  {
    name: 'is answered in one range',
    ...get('/file/VX-1', { range: 'bytes=6-' }),
    status: 206,
    answers: { 'content-range': 'bytes 6-10/11', 'content-length': '5' },
    says: { exact: 'world' },
  },
  {
    name: 'is answered from its end',
    ...get('/file/VX-1', { range: 'bytes=-3' }),
    status: 206,
    answers: { 'content-range': 'bytes 8-10/11' },
    says: { exact: 'rld' },
  },
  {
    name: 'is answered in several ranges',
    ...get('/file/VX-1', { range: 'bytes=0-1,6-7' }),
    status: 206,
    answers: { 'content-type': /^multipart\/byteranges; boundary=[\w-]{24}$/ },
    says: { contains: ['Content-Range: bytes 0-1/11\r\n\r\nhe\r\n', 'Content-Range: bytes 6-7/11\r\n\r\nwo\r\n'] },
  },
  {
    name: 'is answered whole to a bomb of ranges',
    ...get('/file/VX-1', { range: `bytes=${Array.from({ length: 500 }, () => '0-').join()}` }),
    status: 200,
    says: { exact: hello },
  },
  {
    name: 'has no range behind its end',
    ...get('/file/VX-1', { range: 'bytes=11-' }),
    status: 416,
    answers: { 'content-range': 'bytes */11', 'portico-error': 'range-outside' },
  },
  {
    name: 'is not sent again to who has it',
    ...get('/file/VX-1', { 'if-none-match': `"${sha1}"` }),
    status: 304,
    answers: { etag: `"${sha1}"` },
    says: { exact: '' },
  },
  {
    name: 'is answered whole to who has a part of another one',
    ...get('/file/VX-1', { range: 'bytes=6-', 'if-range': '"older"' }),
    status: 200,
    says: { exact: hello },
  },
  {
    name: 'is told of without its bytes',
    ...get(),
    request: 'HEAD /API/file/VX-1/data',
    status: 200,
    answers: { 'content-length': '11', etag: `"${sha1}"` },
    says: { exact: '' },
  },
  {
    name: 'is gone where its bytes are gone',
    place: ({ from: place }) => place.files.clear(),
    ...get(),
    status: 404,
    answers: { 'portico-error': 'no-such-entity' },
    says: { contains: ['VX-1'] },
  },
  {
    name: 'is gone for HEAD, too',
    place: ({ from: place }) => place.files.clear(),
    ...get(),
    request: 'HEAD /API/file/VX-1/data',
    status: 404,
  },
  {
    name: 'is what the storage has, where that changed behind the back of the service',
    place: ({ from: place }) => place.put('in/a b.mov', 'another world'),
    ...get(),
    status: 200,
    answers: { 'content-length': '13', etag: /^"[\w-]{27}"$/ },
    says: { exact: 'another world' },
  },
  {
    name: 'has the ranges of what the storage has, also where the row says more',
    place: ({ from: place }) => place.put('in/a b.mov', 'hi'),
    ...get('/file/VX-1', { range: 'bytes=1-' }),
    status: 206,
    answers: { 'content-range': 'bytes 1-1/2' },
    says: { exact: 'i' },
  },
  {
    name: 'is answered as far as it has grown while it is open',
    place: sqlIn(`UPDATE file SET state = 'OPEN', size = 3, hash = NULL`),
    ...get(),
    status: 200,
    says: { exact: hello },
  },
  {
    name: 'is gone when it waits for its deletion: its path may be that of another file',
    place: sqlIn(`UPDATE file SET state = 'TO_BE_DELETED'`),
    ...get(),
    status: 404,
  },
  {
    name: 'is out of reach while its storage is: 503, to be tried again',
    place: ({ from: place }) => {
      place.offline = 'Unplugged';
    },
    ...get(),
    status: 503,
    answers: { 'retry-after': '30', 'portico-error': 'storage-offline' },
  },
  {
    name: 'comes by another method of its storage where the first one cannot be reached',
    async place(world) {
      world.from.offline = 'Unplugged';
      world.storage.place('memory:///mirror/').put('in/a b.mov', hello);
      await sqlIn(`INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
        VALUES ('VX-7', 7, 'VX-1', 'memory:///mirror/', 1, 0, 0, 0, '', 1)`)(world);
    },
    ...get(),
    status: 200,
    says: { exact: hello },
  },
  {
    name: 'is refused where no method reads',
    place: sqlIn('UPDATE storage_method SET read = 0, version = 2'),
    ...get(),
    status: 400,
    answers: { 'portico-error': 'storage-unable' },
  },
  { name: 'is nobody’s without the role', ...get(), as: undefined, status: 401 },
];

describeMatrix('a file', (entry) => {
  for (const row of rows) {
    it(row.name, async () => {
      const world = await worldOf('uploads', {}, entry.open);
      expect((await world.send(upload('in/a b.mov', hello))).status).toBe(200);
      await row.place?.(world);
      await playScenario(world, row);
    });
  }

  it('has no bytes before all parts are there', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send(part({ path: 'a', id: 'mine', size: 11, index: 0 }, 'hello '));
    expect((await world.send(get())).status).toBe(404);
  });

  it.each([
    ['"; filename="evil.html', `attachment; filename="__ filename__evil.html"`],
    ['nö\u202egpj.exe', `attachment; filename="n__gpj.exe"; filename*=UTF-8''n%C3%B6%E2%80%AEgpj.exe`],
    [`a'(b)*!`, `attachment; filename="a__b___"; filename*=UTF-8''a%27%28b%29%2A%21`],
  ])('cannot end the header by its name %s', async (name, header) => {
    const world = await worldOf('uploads', {}, entry.open);
    expect((await world.send(upload(name, 'x'))).status).toBe(200);
    const answer = await world.send(get());
    expect(answer.headers.get('content-disposition')!.startsWith(header)).toBe(true);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w. -]*"; filename\*=UTF-8''[\w.%-]*$/,
    );
  });

  it('that is replaced while it is read breaks off, and is never a mix', async () => {
    const world = await worldOf('uploads', {}, entry.open);
    const old = 'old '.repeat(100_000);
    const young = 'new '.repeat(100_000);
    await world.send(upload('a', old));
    const reads = Array.from({ length: 10 }, () => world.send(get()).catch(() => undefined));
    const written = world.send(upload('a', young, { request: 'POST /API/file/VX-1/data' }));
    for (const answer of await Promise.all(reads)) {
      if (answer) expect([old, young]).toContain(answer.body);
    }
    expect((await written).status).toBe(200);
    expect((await world.send(get())).body).toBe(young);
  });
});

/** A driver whose files break off in the middle. */
const breaking = (inner: StorageScheme): StorageScheme => ({
  ...inner,
  open(address) {
    const driver = inner.open(address);
    const broken: StorageDriver = {
      ...driver,
      async read(...given) {
        const { file, body } = await driver.read(...given);
        const reader = body.getReader();
        let pieces = 0;
        const half = new ReadableStream<Uint8Array>({
          async pull(controller) {
            if (pieces++ > 0) throw storageError('offline', 'The disk is gone');
            controller.enqueue((await reader.read()).value!.slice(0, 3));
          },
        });
        return { file, body: half };
      },
    };
    return broken;
  },
});

describeMatrix('a storage that is gone in the middle of a read', (entry) => {
  it('breaks the answer off, so that no reader takes it for whole, and the log says why', async () => {
    const world = await worldOf('uploads', { scheme: breaking }, entry.open);
    await world.send(upload('a', hello));
    await expect(world.send(get())).rejects.toThrow();
    await expect
      .poll(() => world.lines.find(({ event }) => event === 'download-broken'))
      .toMatchObject({ level: 'warn', file: 'VX-1' });
    expect((await world.send({ as: uploader, request: 'GET /API/whoami' })).status).toBe(200);
  });

  it('adds nothing to the bytes that came', async () => {
    const world = await worldOf('uploads', { scheme: breaking }, entry.open);
    await world.send(upload('a', hello));
    const port = await listenFor(world);
    const connection = openRaw(port);
    connection.write(`GET /API/file/VX-1/data HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(viewer)}\r\n\r\n`);
    // The connection may end before they are sent.
    expect(['', 'hel']).toContain((await connection.ended).split('\r\n\r\n')[1]);
  });
});

describeMatrix('a caller that leaves while a piece is read', (entry) => {
  it('is no download that broke off', async () => {
    let reads = 0;
    let isLet = false;
    const world = await worldOf(
      'uploads',
      {
        scheme: (inner) => ({
          ...inner,
          open(address) {
            const driver = inner.open(address);
            return {
              ...driver,
              async read(...given) {
                const { file } = await driver.read(...given);
                const body = new ReadableStream<Uint8Array>({
                  pull(controller) {
                    if (reads++ === 0) return controller.enqueue(new TextEncoder().encode('hel'));
                    return new Promise(() => undefined);
                  },
                  cancel() {
                    isLet = true;
                  },
                });
                return { file, body };
              },
            };
          },
        }),
      },
      entry.open,
    );
    await world.send(upload('a', hello));
    const connection = openRaw(await listenFor(world));
    connection.write(`GET /API/file/VX-1/data HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(viewer)}\r\n\r\n`);
    await connection.received('hel');
    await expect.poll(() => reads).toBe(2);
    connection.socket.destroy();
    await expect.poll(() => isLet).toBe(true);
    expect((await world.send({ as: uploader, request: 'GET /API/whoami' })).status).toBe(200);
    expect(world.lines.find(({ event }) => event === 'download-broken')).toBeUndefined();
  });
});
