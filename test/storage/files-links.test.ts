import { describe, expect, it } from 'vitest';
import type { Secret } from '../../src/core/lib/secret.ts';
import { hasher } from '../../src/entry/crypto.ts';
import { plain } from '../../src/http/reply.ts';
import { below } from '../../src/http/route-group.ts';
import { Hooks, hooked } from '../../src/room/hook.ts';
import type { StorageDriver } from '../../src/spi/index.ts';
import type { FileBytes } from '../../src/storage/files/link-routes.ts';
import { findFile } from '../../src/storage/files/store.ts';
import { bytesAllowedHook, useOfFileHook } from '../../src/storage/public.ts';
import { fileRoutes } from '../../src/storage/routes.ts';
import type { TestClock } from '../support/clock.ts';
import { register } from '../support/files.ts';
import { fillFiles } from '../support/many-rows.ts';
import { describeMatrix } from '../support/matrix.ts';
import { asking, bodyOf, json } from '../support/requests.ts';
import { openRoom } from '../support/room.ts';
import { prepare } from '../support/scenario.ts';
import { testSecretKey } from '../support/service.ts';
import { librarian, type RoomWorld, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const writer = { roles: ['_file_write', '_file_read'] } as const;
const hour = 3_600_000;

interface Options {
  readonly secretKey?: Secret | undefined;
  /** The driver of the one method of the storage. */
  readonly driver?: Partial<StorageDriver>;
}

/** The routes of files over two files, with bytes that say what was asked of them. */
async function open(options: Options = {}) {
  const { driver } = options;
  const secretKey = 'secretKey' in options ? options.secretKey : testSecretKey;
  let clock!: TestClock;
  const room = await openRoom([], (context) => {
    clock = context.clock as TestClock;
    const bytes: FileBytes = {
      download: async (_request, row) => plain(`bytes of ${row.id}`),
      replace: async (_caller, sent, row) => {
        const { byteLength } = (await sent.open(hasher).read())!;
        await context.store.commit(
          {
            changes: [{ sql: 'UPDATE file SET size = ? WHERE id = ?', args: [byteLength, row.id] }],
            events: [],
          },
          { user: 'test' },
        );
        return (await findFile(context.store, { id: row.id }))!;
      },
    };
    const places = { of: async () => driver } as never;
    const hooks = new Hooks();
    hooks.join([hooked(bytesAllowedHook, async () => undefined), hooked(useOfFileHook, async () => ({}))]);
    const parts = { ...context, hooks, places, vault: undefined, secretKey } as never;
    return { routes: [below(['storage', 'file', 'APInoauth'], () => fileRoutes(parts, bytes))] };
  });
  await fillFiles(room.store, { files: 2, storage: 1 });
  /** The path of a link for the file VX-1. */
  const link = async (query = ''): Promise<string> => {
    const { status, body } = await room.send({
      ...writer,
      request: `POST /API/file/VX-1/uri${query}`,
      headers: { accept: 'application/json' },
    });
    expect(status, body).toBe(200);
    const { uri } = JSON.parse(body) as { uri: [string] };
    expect(uri[0]).toMatch(/^http:\/\/portico\.test\/APInoauth\/file\/VX-1\/data\?/);
    return uri[0].slice('http://portico.test'.length);
  };
  return { ...room, clock, link };
}

describe('links to files for callers without credentials', () => {
  it('lead to the bytes of one file, to read or to write', async () => {
    const { send, link } = await open();
    const reads = await link();
    expect(await send({ request: `GET ${reads}` })).toMatchObject({ status: 200, body: 'bytes of VX-1' });
    const writes = await link('?write=true&scheme=https&duration=720');
    const put = await send({ request: `PUT ${writes}`, body: 'twelve bytes', headers: { accept: 'application/json' } });
    expect([put.status, JSON.parse(put.body)]).toMatchObject([200, { id: 'VX-1', size: 12 }]);
  });

  it('are for one method each', async () => {
    const { send, link } = await open();
    expect((await send({ request: `PUT ${await link()}`, body: 'x' })).status).toBe(403);
    expect((await send({ request: `GET ${await link('?write=true')}` })).status).toBe(403);
    expect((await send({ request: `HEAD ${await link()}` })).status).toBe(200);
  });

  it('expire after 15 minutes, or when they say', async () => {
    const { send, link, clock } = await open();
    const [short, long] = [await link(), await link('?duration=720')];
    await clock.advance(15 * 60_000 - 1);
    expect((await send({ request: `GET ${short}` })).status).toBe(200);
    await clock.advance(1);
    expect(await send({ request: `GET ${short}` })).toMatchObject({
      status: 403,
      body: expect.stringContaining('expired'),
    });
    expect((await send({ request: `GET ${long}` })).status).toBe(200);
    await clock.advance(12 * hour);
    expect((await send({ request: `GET ${long}` })).status).toBe(403);
  });

  it('cannot be changed to another file, a later end or another method', async () => {
    const { send, link } = await open();
    const made = await link();
    const expires = Number(/expires=(\d+)/.exec(made)![1]);
    const forged = [
      made.replace('VX-1', 'VX-2'),
      made.replace(String(expires), String(expires + 3600)),
      made.replace(String(expires), `${expires}.0`),
      made.replace(/signature=./, 'signature=A'),
      made.replace(/signature=./, 'signature=B'),
      made.replace(/.$/, ''),
      made.replace(/&signature=.*/, ''),
      made.replace(/signature=.*/, 'signature='),
      made.replace(/\?.*/, ''),
      `${made}&expires=${expires + 3600}`,
      made.replace('VX-1', 'VX-1%0A'),
    ];
    for (const request of forged.filter((each) => each !== made)) {
      const { status } = await send({ request: `GET ${request}` });
      expect([request, [400, 403].includes(status) || request.startsWith(`${made}&`)]).toEqual([request, true]);
    }
  });

  it('tell nobody without a link whether there is such a file', async () => {
    const { send } = await open();
    const answers = ['VX-1', 'VX-99'].map((id) =>
      send({ request: `GET /APInoauth/file/${id}/data?expires=1&signature=AAAA` }),
    );
    const [there, missing] = await Promise.all(answers);
    expect([there!.status, there!.body]).toEqual([403, missing!.body]);
  });

  it('lead nowhere once the file or its storage is gone', async () => {
    const { send, link, store } = await open();
    const made = await link();
    const changes = [{ sql: 'UPDATE storage SET deleted_at = 1', args: [] }];
    await store.commit({ changes, events: [] }, { user: 'test' });
    expect((await send({ request: `GET ${made}` })).status).toBe(404);
  });

  it('are kept by nobody on their way', async () => {
    const { send } = await open();
    const { headers } = await send({ ...writer, request: 'POST /API/file/VX-1/uri' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('are told as text, too', async () => {
    const { send } = await open();
    const { body } = await send({ ...writer, request: 'POST /API/file/VX-1/uri', headers: { accept: 'text/plain' } });
    expect(body).toMatch(/^http:\/\/portico\.test\/APInoauth\/file\/VX-1\/data\?expires=\d+&signature=[\w-]{43}\r\n$/);
  });

  it('need the role, a known scheme and from 1 to 720 minutes', async () => {
    const { send } = await open();
    const status = async (query: string, roles: readonly string[] = writer.roles) =>
      (await send({ roles, request: `POST /API/file/VX-1/uri${query}` })).status;
    expect([await status('', ['_file_read']), await status('?write=true', ['_file_read'])]).toEqual([200, 403]);
    expect(await status('', ['_item_read'])).toBe(403);
    for (const query of ['?duration=0', '?duration=721', '?duration=x', '?scheme=ftp', '?write=maybe'])
      expect([query, await status(query)]).toEqual([query, 400]);
    expect((await send({ ...writer, request: 'POST /API/file/VX-9/uri' })).status).toBe(404);
  });

  it('are refused without a secret key, by the name of the setting', async () => {
    const { send } = await open({ secretKey: undefined });
    const { status, body } = await send({ ...writer, request: 'POST /API/file/VX-1/uri' });
    expect([status, body]).toEqual([403, expect.stringContaining('PORTICO_SECRET_KEY')]);
    expect((await send({ request: 'GET /APInoauth/file/VX-1/data?expires=1&signature=AAAA' })).status).toBe(403);
  });
});

describe('links to the storage itself', () => {
  const uses = (store: Awaited<ReturnType<typeof open>>['store'], uri: string) =>
    store.commit(
      { changes: [{ sql: 'UPDATE storage_method SET uri = ?', args: [uri] }], events: [] },
      { user: 'test' },
    );

  it('are made by the driver of an s3 method', async () => {
    const asked: unknown[] = [];
    const can = { list: true, write: true, parts: true, createOnly: true, sign: true };
    const sign = async (...given: unknown[]) => {
      asked.push(given);
      return 'https://bucket.example/signed';
    };
    const { send, store } = await open({ driver: { can, sign } });
    await uses(store, 's3://bucket/');
    const { body } = await send({
      ...writer,
      request: 'POST /API/file/VX-1/uri?scheme=s3&write=true&duration=2',
      headers: { accept: 'application/json' },
    });
    expect(JSON.parse(body)).toEqual({ uri: ['https://bucket.example/signed'] });
    expect(asked).toEqual([['folder-00/file-1.mov', { method: 'PUT', seconds: 120 }]]);
  });

  it('are refused where no method makes them', async () => {
    const { send, store } = await open({
      driver: { can: { list: true, write: true, parts: true, createOnly: true, sign: false } },
    });
    const status = async () => (await send({ ...writer, request: 'POST /API/file/VX-1/uri?scheme=s3' })).status;
    expect(await status()).toBe(400);
    await uses(store, 's3://bucket/');
    expect(await status()).toBe(400);
  });
});

describeMatrix('a client that uploads by a link', (entry) => {
  const bytes = { 'content-type': 'application/octet-stream' };
  const linkOf = async (world: RoomWorld, query: string) => {
    const { uri } = bodyOf(await world.send(ask(`POST /API/storage/file/VX-1/uri${query}`))) as { uri: [string] };
    return uri[0].replace(/^http:\/\/[^/]+/, '');
  };

  it('registers a file, sends its bytes without credentials, and closes it', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('in/a.mov')]);
    const writes = await linkOf(world, '?write=true&scheme=https&duration=720');
    const put = await world.send({ request: `PUT ${writes}`, body: 'some bytes', headers: { ...json, ...bytes } });
    expect([put.status, bodyOf(put)]).toMatchObject([200, { id: 'VX-1', path: 'in/a.mov', size: 10, state: 'CLOSED' }]);
    expect(bodyOf(await world.send(ask('PUT /API/storage/file/VX-1/state/CLOSED')))).toMatchObject({ state: 'CLOSED' });
    const reads = await linkOf(world, '');
    expect(await world.send({ request: `GET ${reads}`, headers: { range: 'bytes=5-' } })).toMatchObject({
      status: 206,
      body: 'bytes',
    });
    expect((await world.send({ request: `PUT ${reads}`, body: 'other', headers: bytes })).status).toBe(403);
    expect(await world.send({ request: `GET ${reads}` })).toMatchObject({ status: 200, body: 'some bytes' });
  });

  it('begins no upload that somebody else could go on with', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, [register('in/a.mov')]);
    const writes = await linkOf(world, '?write=true');
    const headers = { ...json, ...bytes, size: '20', index: '0' };
    expect((await world.send({ request: `PUT ${writes}`, body: 'a part', headers })).status).toBe(400);
    expect(bodyOf(await world.send(ask('GET /API/file/VX-1')))).toMatchObject({ state: 'NONE' });
  });
});
