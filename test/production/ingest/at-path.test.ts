import { expect, it } from 'vitest';
import { ended, told } from '../../support/files.ts';
import type { Sent } from '../../support/matrix.ts';
import { asking, rowsOf } from '../../support/requests.ts';
import { dataOf, itemOf, start } from '../../support/transfers.ts';
import { importer, outsider, worldOf } from '../../support/world.ts';

const ask = asking(importer);

const metadata = {
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Harbour' }] }] }],
};
const importOf = (path: string, more = '', storage = 'VX-1') =>
  ask(`POST /API/storage/${storage}/import/?path=${encodeURIComponent(path)}${more}`);
const described = (sent: Sent): Sent => ({
  ...sent,
  body: JSON.stringify(metadata),
  headers: { accept: 'application/json', 'content-type': 'application/json' },
});

it('the file at a path of a storage becomes an item where it lies, before any scan has found it', async () => {
  const world = await worldOf('imports');
  world.from.put('clips/harbour one.txt', 'hello');
  const job = await start(world, described(importOf('clips/harbour one.txt', '&filename=first.txt')));
  expect(job).toMatchObject({ type: 'AUTO_IMPORT', status: 'READY', user: 'importer' });
  const names = (await told(world, 0, /./)).map((text) => text.replace(/ .*/, ''));
  expect(names).toEqual(expect.arrayContaining(['file/new', 'item/create', 'shape/create', 'job/create']));
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  const item = await itemOf(world, dataOf(end, 'itemId')!, importer);
  expect(item.fields).toMatchObject({ title: 'Harbour', originalFilename: 'first.txt' });
  expect(item.shape[0]!.binaryComponent).toMatchObject([{ file: [{ path: 'clips/harbour one.txt' }] }]);
  const files = await rowsOf(world, 'file');
  expect(files).toMatchObject([{ path: 'clips/harbour one.txt', storage_id: 'VX-1', state: 'CLOSED', size: 5 }]);
});

it('a path without a file, a file of an item, and a file of somebody else are refused', async () => {
  const world = await worldOf('imports');
  const statusOf = async (sent: Sent) => (await world.send(sent)).status;
  expect(await statusOf(importOf('nowhere.txt'))).toBe(404);
  expect(await statusOf(importOf('../etc/passwd'))).toBe(400);
  expect(await statusOf(importOf('a.txt', '', 'VX-99'))).toBe(404);
  expect(await statusOf(ask('POST /API/storage/VX-1/import'))).toBe(400);
  expect(await rowsOf(world, 'file')).toEqual([]);
  world.from.put('a.txt', 'hello');
  const job = await start(world, importOf('a.txt'));
  expect(await statusOf(importOf('a.txt'))).toBe(400);
  await ended(world, job.jobId);
  expect(await statusOf(importOf('a.txt'))).toBe(400);
  expect(await statusOf({ ...importOf('a.txt', '&allowReimport=true'), as: outsider })).toBe(403);
  expect(await statusOf(importOf('a.txt', '&allowReimport=true'))).toBe(200);
  expect(await rowsOf(world, 'file')).toHaveLength(1);
});
