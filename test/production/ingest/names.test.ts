import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { ended } from '../../support/files.ts';
import { asking, by, done, jsonOf, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { dataOf, sent, start } from '../../support/transfers.ts';
import { importer, type RoomWorld, worldOf } from '../../support/world.ts';

const ask = asking(importer);
const watcher: Credentials = ['watcher', 'password of watcher'];

interface Terse {
  readonly terse: Readonly<Record<string, readonly { readonly value: string }[]>>;
}

async function nameOf(world: RoomWorld, item: string, as = admin): Promise<string | undefined> {
  const path = `GET /API/item/${item}?content=metadata&terse=true&field=__name`;
  return (await jsonOf<Terse>(world, path, as)).terse['__name']?.[0]?.value;
}

it.each([
  ['an address', () => ask('POST /API/import?uri=memory:///in/clips/harbour%2520one.txt'), 'harbour one.txt'],
  ['an address that has no file', () => ask('POST /API/import?uri=memory:///in/none.mov'), 'none.mov'],
  ['an address with a name', () => ask('POST /API/import?uri=memory:///in/none.mov&filename=A.mov'), 'A.mov'],
  ['bytes', () => sent('POST /API/import/raw?filename=a%20%F0%9F%8E%AC.txt&storageId=VX-1', 'hello'), 'a 🎬.txt'],
  ['a file that comes later', () => ask('POST /API/import/raw-passkey?filename=later.mov'), 'later.mov'],
  ['a file of a storage', () => ask('POST /API/storage/VX-1/import?path=clips/b.txt'), 'b.txt'],
])('the item of an import has the name of %s before the job begins', async (_, request, name) => {
  const world = await worldOf('imports');
  world.from.put('clips/b.txt', 'hello');
  const job = await start(world, request());
  const item = dataOf(await jsonOf(world, `GET /API/job/${job.jobId}`), 'itemId')!;
  expect(await nameOf(world, item)).toBe(name);
});

it('a failed import keeps the name, and a title goes before it', async () => {
  const world = await worldOf('imports');
  const job = await start(world, ask('POST /API/import?uri=memory:///in/none.mov'));
  const end = await ended(world, job.jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  const item = dataOf(end, 'itemId')!;
  expect(await nameOf(world, item)).toBe('none.mov');
  const field = [{ name: 'title', value: [{ value: 'Harbour' }] }];
  await send(world, by(`PUT /API/item/${item}/metadata`, { timespan: [{ start: '-INF', end: '+INF', field }] }));
  expect(await nameOf(world, item)).toBe('Harbour');
});

it('a job tells the name of its item where asked, and only to those who may read it', async () => {
  const world = await worldOf('imports');
  await send(world, newUser(watcher, ['_job_read', '_item_read']));
  const job = await start(world, ask('POST /API/import?uri=memory:///in/none.mov&jobmetadata=itemName%3Dforged'));
  const item = dataOf(await jsonOf(world, `GET /API/job/${job.jobId}`), 'itemId')!;
  const namesFor = async (as: Credentials) => {
    const one = await done<{ data: unknown }>(
      world,
      by(`GET /API/job/${job.jobId}?field=itemName`, undefined, undefined, as),
    );
    const query = '?user=false&field=itemName&field=*';
    const { job: jobs } = await done<{ job: { data: { key: string; value: string }[] }[] }>(
      world,
      by(`GET /API/job${query}`, undefined, undefined, as),
    );
    const data = jobs[0]!.data;
    expect(data.some(({ key }) => key === 'itemId')).toBe(true);
    return [one.data, data.filter(({ key }) => key === 'itemName')];
  };
  const name = [{ key: 'itemName', value: 'none.mov' }];
  expect(await namesFor(admin)).toEqual([name, name]);
  expect(await namesFor(watcher)).toEqual([[], []]);
  const fields = { user: 'watcher', permission: 'READ', operation: { metadata: {} } };
  await send(world, by(`POST /API/item/${item}/access`, fields));
  expect(await namesFor(watcher)).toEqual([[], []]);
  await send(world, by(`POST /API/item/${item}/access`, { user: 'watcher', permission: 'READ' }));
  expect(await namesFor(watcher)).toEqual([name, name]);
  await send(world, by('POST /API/metadata-field/originalFilename/access', { user: 'watcher', permission: 'NONE' }));
  expect(await namesFor(watcher)).toEqual([[], []]);
});
