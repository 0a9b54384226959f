import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { proposeTable, readTable } from '../../../src/entry/migrate/table.ts';
import { newItem } from '../../support/assets.ts';
import { by, done, jsonOf, send, textAt } from '../../support/requests.ts';
import { askOf, memoryState, openHouses, requestOf, run } from './support.ts';

const out = { to: 'memory:///out/', copies: true };
const storages = new Map([['VX-1', out]]);

/** An item with one file. `file`: what the original says of it. */
async function withFile(content: string, file: object = {}) {
  const houses = await openHouses();
  const place = houses.storage.place('memory:///in/');
  place.put('a.mov', content);
  const method = [{ uri: 'memory:///in/', read: true, write: true, browse: true }];
  const sha1 = hash('sha1', content, 'hex');
  const registered = { size: content.length, hash: sha1, ...file };
  for (const sent of [
    by('POST /API/storage', { type: 'LOCAL', capacity: 1e9, method }),
    by('POST /API/storage/VX-1/file?path=a.mov&state=CLOSED', registered),
    newItem(),
    by('POST /API/item/VX-1/shape/create?tag=original', { binaryComponent: [{ file: [{ id: 'VX-1' }] }] }),
  ])
    await send(houses.from, sent);
  return houses;
}

it('copies bytes, and their hash is that of the original', async () => {
  const houses = await withFile('bytes of a');
  const folder = memoryState();
  const { failure, copiedBytes } = await run(requestOf(houses, { folder, options: { storages } }));
  expect([failure, copiedBytes]).toEqual([[], 10]);
  expect(textAt(houses.storage.place('memory:///out/'), 'a.mov')).toBe('bytes of a');
  const file = await jsonOf(houses.to, 'GET /API/file/VX-1');
  expect(file).toMatchObject({ path: 'a.mov', state: 'CLOSED', hash: hash('sha1', 'bytes of a', 'hex') });
  // A second house of the same bytes, or a run without its journal, copies nothing again.
  const again = await run(requestOf(houses, { options: { storages } }));
  expect(again.copiedBytes).toBe(0);
});

it('bytes that are not those of the original are no copy: the item fails, and comes when they are right', async () => {
  const houses = await withFile('bytes of a', { hash: hash('sha1', 'other', 'hex') });
  const folder = memoryState();
  const first = await run(requestOf(houses, { folder, options: { storages } }));
  expect(first.failure).toMatchObject([
    { kind: 'item', id: 'VX-1', why: expect.stringContaining('expected 10 bytes with the hash') },
  ]);
  const [item] = (await jsonOf<{ item: object[] }>(houses.to, 'GET /API/item?content=shape')).item;
  expect(item).not.toHaveProperty('shape');
  await send(houses.from, by(`PUT /API/file/VX-1/hash/${hash('sha1', 'bytes of a', 'hex')}`));
  const second = await run(requestOf(houses, { folder, options: { storages } }));
  expect(second.failure).toEqual([]);
  expect(await jsonOf(houses.to, 'GET /API/file/VX-1')).toMatchObject({ state: 'CLOSED' });
  expect((await done<{ hits: number }>(houses.to, by('PUT /API/item?number=0', {}))).hits).toBe(1);
});

it('a large file goes on behind the part that a killed run has copied', async () => {
  const part = 64 * 1024 * 1024;
  const content = 'x'.repeat(part + 5);
  const houses = await withFile(content);
  const folder = memoryState();
  const ranges: string[] = [];
  const killed = new AbortController();
  const ask = askOf(houses.from);
  const from = {
    address: 'http://old/API',
    ask: async (path: string, init: RequestInit) => {
      const range = new Headers(init.headers).get('range');
      if (range) ranges.push(range);
      if (ranges.length === 2 && !killed.signal.aborted) killed.abort(new Error('Killed'));
      return ask(path, init);
    },
  };
  const given = { folder, from, options: { storages } };
  await expect(run(requestOf(houses, { ...given, signal: killed.signal }))).rejects.toThrow('Killed');
  const { failure, copiedBytes } = await run(requestOf(houses, given));
  expect([failure, copiedBytes]).toEqual([[], part + 5]);
  expect(ranges).toEqual([`bytes=0-${part - 1}`, `bytes=${part}-${part + 4}`, `bytes=${part}-${part + 4}`]);
  expect(houses.storage.place('memory:///out/').files.get('a.mov')!.bytes.byteLength).toBe(part + 5);
});

it('a file that two shapes have comes once', async () => {
  const houses = await withFile('bytes of a');
  await send(houses.from, newItem());
  const { id } = await done<{ id: string }>(
    houses.from,
    by('POST /API/item/VX-2/shape/create?tag=original', { binaryComponent: [{}] }),
  );
  const { component } = await jsonOf<{ component: { id: string }[] }>(
    houses.from,
    `GET /API/item/VX-2/shape/${id}/component`,
  );
  await send(
    houses.from,
    by(`PUT /API/item/VX-2/shape/${id}/component/${component[0]!.id}/file/VX-1?allowReimport=true`),
  );
  const { failure } = await run(requestOf(houses));
  expect(failure).toEqual([]);
  const { item } = await jsonOf<{ item: { shape: object[] }[] }>(houses.to, 'GET /API/item?content=shape');
  const file = { binaryComponent: [{ file: [{ path: 'a.mov' }] }] };
  expect(item.map(({ shape }) => shape)).toMatchObject([[file], [file]]);
  expect(await jsonOf(houses.to, 'GET /API/storage/file')).toMatchObject({ hits: 1 });
});

it('a table says where storages go, and which line it cannot read', () => {
  const table = '# Main\nVX-1 file:///srv/media/ keep\n\nVX-2  s3://bucket/a/  copy\r\nVX-3 -\n';
  expect([...readTable(table)]).toEqual([
    ['VX-1', { to: 'file:///srv/media/', copies: false }],
    ['VX-2', { to: 's3://bucket/a/', copies: true }],
    ['VX-3', { to: '', copies: false }],
  ]);
  for (const line of ['VX-1', 'VX-1 file:///a/ move', 'VX-1 file:///a/ keep please', 'VX-9 a keep\nVX-9 b keep'])
    expect(() => readTable(`# a\n${line}`), line).toThrow(
      /^Expected a line such as "VX-3 {2}file:\/\/\/srv\/media\/ {2}keep" in line [23]/,
    );
});

it('the proposed table tells who reads it the keys of a storage: it has no address with one', () => {
  const uris = ['s3://key:canary@bucket/', 'azure://box/?sig=canary', 'ftp://u%3Acanary%40host/', 'file:///srv/media/'];
  const storages = [...uris, 'ftp://ann:canary@host/'].map((uri, at) => ({
    id: `VX-${at}`,
    type: 'LOCAL',
    method: [{ uri }],
  }));
  const all = { id: 'VX-9', type: 'LOCAL', method: uris.map((uri) => ({ uri })) };
  const table = proposeTable([...storages, all] as Parameters<typeof proposeTable>[0]);
  expect(table).not.toContain('canary');
  expect(table).toContain('VX-0  -  keep');
  expect(table.split('file:///srv/media/')).toHaveLength(5);
});
