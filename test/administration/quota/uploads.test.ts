import { expect, it } from 'vitest';
import { part, upload } from '../../storage/bytes/support.ts';
import { type Entry, openWorld } from '../../support/matrix.ts';
import { bodyOf, json, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { worldOf } from '../../support/world.ts';

const entry: Entry = { name: 'fetch', open: (options) => openWorld('fetch', options) };

async function open(rule: object = { storage: 'VX-1' }) {
  const world = await worldOf('uploads', {}, entry.open);
  const body = { enforce: true, resource: [{ name: 'storage', limit: 10 }], ...rule };
  await world.send({ as: admin, headers: json, request: 'POST /API/quota', body });
  const status = async (...sent: Parameters<typeof upload>) => (await world.send(upload(...sent))).status;
  const usage = async () => {
    const answer = await world.send({ as: admin, headers: json, request: 'GET /API/quota/VX-1' });
    return (bodyOf(answer)['resource'] as { usage: number }[])[0]!.usage;
  };
  return { world, status, usage };
}

it('bytes beyond an enforced rule are refused, whole and without a length, and nothing is kept of them', async () => {
  const { world, status, usage } = await open();
  expect(await status('a', '123456')).toBe(200);
  const refused = await world.send(upload('b', '12345'));
  expect([refused.status, refused.body.includes('VX-1')]).toEqual([507, true]);
  const stream = new Blob(['12345']).stream() as ReadableStream<Uint8Array>;
  expect(await status('c', '', { body: stream })).toBe(507);
  expect([textAt(world.from, 'b'), textAt(world.from, 'c'), await usage()]).toEqual([undefined, undefined, 6]);
  expect(await world.service.store.read('SELECT 1 FROM publication')).toEqual([]);
  expect(await status('d', '1234')).toBe(200);
  expect(await usage()).toBe(10);
});

it('the first part of an upload reserves what it says, and its end gives the room to the file', async () => {
  const { world, status, usage } = await open({});
  const begin = (path: string, size: number) => world.send(part({ path, id: path, size, index: 0 }, '123'));
  expect((await begin('a', 8)).status).toBe(200);
  expect([(await begin('b', 3)).status, await status('c', '123')]).toEqual([507, 507]);
  expect(await status('e', '12')).toBe(200);
  expect((await world.send(part({ path: 'a', id: 'a', size: 8, index: 3 }, '45678'))).status).toBe(200);
  expect(await usage()).toBe(10);
});

it('a file takes new bytes as far as there is room besides its own', async () => {
  const { status, usage } = await open();
  expect(await status('a', '12345678')).toBe(200);
  const replace = (text: string) => status('a', text, { request: 'POST /API/file/VX-1/data' });
  expect([await replace('1234567890'), await replace('12345678901'), await replace('1')]).toEqual([200, 507, 200]);
  expect(await usage()).toBe(1);
});

it('a rule of another storage is not in the way', async () => {
  const { status } = await open({ storage: 'VX-1', resource: [{ name: 'item', limit: 0 }] });
  expect(await status('a', '12345678901')).toBe(200);
});

it('an import of bytes beyond an enforced number of items keeps neither item, nor file, nor bytes', async () => {
  const { world } = await open({ user: 'admin', resource: [{ name: 'item', limit: 1 }] });
  const raw = (more: string, body: string, headers = {}) =>
    world.send({
      as: admin,
      request: `POST /API/import/raw?storageId=VX-1${more}`,
      headers: { ...json, 'content-type': 'application/octet-stream', ...headers },
      body,
    });
  const part = (index: number, body: string) => raw('&transferId=up', body, { size: '10', index: String(index) });
  expect([(await raw('', 'first')).status, world.from.files.size]).toEqual([200, 1]);
  expect([(await raw('', 'second')).status, world.from.files.size]).toEqual([507, 1]);
  expect([(await part(5, 'world')).status, (await part(0, 'hello')).status]).toEqual([200, 507]);
  expect(world.from.files.size).toBe(1);
  await world.clock.advance(3_600_000 * 24 * 8);
  await world.service.tick();
  const { store } = world.service;
  expect(await store.read("SELECT state FROM file WHERE state <> 'TO_BE_DELETED'")).toEqual([['CLOSED']]);
  for (const table of ['publication', 'import_upload']) {
    expect((await store.read(`SELECT 1 FROM ${table}`)).length, table).toBe(table === 'publication' ? 0 : 1);
  }
  expect(await store.read('SELECT count(*) FROM item')).toEqual([[1]]);
  expect([...world.from.staged.keys()]).toEqual([]);
});

it('bytes of an import beyond the rule of its user or a group are refused before they come, by each kind of upload', async () => {
  for (const criterion of [{ user: 'admin' }, { group: 'desk' }]) {
    const world = await worldOf('uploads', {}, entry.open);
    await world.send({ as: admin, request: 'PUT /API/group/desk' });
    await world.send({ as: admin, request: 'PUT /API/group/desk/user/admin' });
    const body = { enforce: true, resource: [{ name: 'storage', limit: 10 }], ...criterion };
    await world.send({ as: admin, headers: json, request: 'POST /API/quota', body });
    const raw = (bytes: string, more = '', headers = {}) =>
      world.send({
        as: admin,
        request: `POST /API/import/raw?storageId=VX-1${more}`,
        headers: { ...json, 'content-type': 'application/octet-stream', ...headers },
        body: bytes,
      });
    const tus = (size: number) =>
      world.send({
        as: admin,
        request: 'POST /API/upload',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': String(size),
          'upload-metadata': `import ${btoa('true')}`,
        },
      });
    // A file without an item is nobody's.
    expect((await world.send(upload('a', '12345678901'))).status).toBe(200);
    expect([(await raw('12345678901')).status, (await tus(11)).status], JSON.stringify(criterion)).toEqual([507, 507]);
    // The job of the upload has not given the bytes to the item yet.
    expect([(await raw('123456')).status, (await raw('12345')).status]).toEqual([200, 507]);
    const refused = await tus(5);
    expect([refused.status, /may have 10 bytes/.test(refused.body)]).toEqual([507, true]);
    await world.service.tick();
    expect([(await raw('12345')).status, (await tus(5)).status]).toEqual([507, 507]);
    // A begun upload reserves its bytes.
    expect((await raw('1', '&transferId=up', { size: '3', index: '0' })).status).toBe(200);
    expect([(await tus(2)).status, (await tus(1)).status]).toEqual([507, 201]);
  }
});
