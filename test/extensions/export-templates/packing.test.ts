import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ask, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { exported, itemWith, openExports, titled, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter, type RoomWorld, type WorldOptions } from '../../support/world.ts';
import { hasPython, unzipped } from '../../support/zips.ts';

const out = encodeURIComponent('memory:///out/web/');
const put = (world: RoomWorld, template: object) => done(world, ask('PUT /API/export-template/web', template));
const run = (world: RoomWorld, entity: string, more = '', as = admin) =>
  exported(world, `/${entity}/export?uri=${out}&template=web${more}`, as);
const bytesAt = (world: RoomWorld, path: string) => world.to.files.get(path)!.bytes;
const inZip = (world: RoomWorld, path: string) => unzipped(bytesAt(world, path)).map(({ name, text }) => [name, text]);

const everyFile = { shape: [{ componentfile: [{}] }] };

async function both(world: RoomWorld): Promise<{ readonly items: readonly string[]; readonly collection: string }> {
  const items = [await titled(world), await itemWith(world, 'other/Harbour.mov', { bytes: 'second' })];
  const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=all'));
  for (const item of items) await done(world, ask(`PUT /API/collection/${id}/${item}`));
  return { items, collection: id };
}

it.skipIf(!hasPython)('an archive in an item is one of each item, with its folders, files and texts', async () => {
  const world = await openExports();
  const { items, collection } = await both(world);
  const text = [{ path: 'about.txt', content: 'ä {{item.id()}}' }];
  const inside = { folder: [{ path: 'media', ...everyFile }], text };
  await put(world, { item: [{ path: 'items', archive: [{ method: 'ZIP', path: '{{item.id()}}.zip', ...inside }] }] });
  const job = await run(world, `collection/${collection}`, '&metadata=true');
  expect(urisOf(job), JSON.stringify(job.log)).toEqual(items.map((item) => `memory:///out/web/items/${item}.zip`));
  expect(world.to.files.size).toBe(2);
  expect(inZip(world, `web/items/${items[0]}.zip`)).toEqual([
    ['media/Harbour.mov', 'hello'],
    ['media/Harbour.mp4', 'low'],
    ['about.txt', `ä ${items[0]}`],
  ]);
  expect(await rowsOf(world, 'export_file')).toEqual([]);
});

it.skipIf(!hasPython)('an archive around items has all of them, and numbers files of one name', async () => {
  const world = await openExports();
  const { items, collection } = await both(world);
  const item = { shape: [{ shapeTag: 'original', componentfile: [{ tag: ['media'] }] }] };
  const text = [{ path: 'all.txt', content: '{{files.map((file) => file.item).join()}}' }];
  await put(world, { archive: [{ path: 'all.zip', item: [item], text }] });
  world.to.put('web/all.zip', 'of somebody else');
  const job = await run(world, `collection/${collection}`);
  expect(urisOf(job), JSON.stringify(job.log)).toEqual(['memory:///out/web/all_1.zip']);
  expect(inZip(world, 'web/all_1.zip')).toEqual([
    ['Harbour.mov', 'hello'],
    ['Harbour (2).mov', 'second'],
    ['all.txt', items.join()],
  ]);
  const test = await done(
    world,
    ask(`POST /API/export-template/test?item=${items[1]}`, { archive: [{ path: 'a.zip', item: [item] }] }),
  );
  expect(test).toEqual({ uri: ['a.zip', 'a.zip/Harbour.mov'] });
});

it('a compressed file has the name of its element, or a further ending', async () => {
  const world = await openExports();
  const item = await titled(world);
  const text = [{ path: 'about.txt', content: 'a text' }];
  const lowres = { shape: [{ shapeTag: 'lowres', componentfile: [{}] }] };
  await put(world, {
    item: [
      {
        compress: [
          { ...everyFile, text },
          { path: 'small.gz', method: 'GZ', ...lowres },
        ],
      },
    ],
  });
  const job = await run(world, `item/${item}`);
  const texts = Array.from(world.to.files, ([path, { bytes }]) => [path, gunzipSync(bytes).toString()]);
  expect(Object.fromEntries(texts), JSON.stringify(job.log)).toEqual({
    ...{ 'web/Harbour.mov.gz': 'hello', 'web/Harbour.mp4.gz': 'low' },
    ...{ 'web/small.gz': 'low', 'web/about.txt.gz': 'a text' },
  });
});

it.each<[string, object, string]>([
  [
    'two files of one name',
    { compress: [{ path: 'a.gz', ...everyFile }] },
    'item/compress/path: Expected one file in the element',
  ],
  [
    'an archive out of the folder',
    { archive: [{ path: '../a.zip', ...everyFile }] },
    'item/archive/path of the export template "web" to name a file below',
  ],
  [
    'a method that is not made',
    { archive: [{ method: 'TAR', path: 'a.tar', ...everyFile }] },
    'the element item/archive/method',
  ],
  ['another one', { compress: [{ method: 'BZIP2', ...everyFile }] }, 'the element item/compress/method'],
  [
    'an archive in an archive',
    { archive: [{ path: 'a.zip', archive: [{ path: 'b.zip', ...everyFile }] }] },
    'the element item/archive/archive',
  ],
])('fails the job with %s, and writes nothing', async (_what, element, sentence) => {
  const world = await openExports();
  const item = await titled(world);
  await put(world, { item: [element] });
  const job = await run(world, `item/${item}`);
  expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', expect.stringContaining(sentence)]);
  expect([world.to.files.size, world.to.staged.size]).toEqual([0, 0]);
});

it('an archive without a name is refused', async () => {
  const world = await openExports();
  const answer = await world.send(ask('PUT /API/export-template/web', { item: [{ archive: [everyFile] }] }));
  expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('the name of the file')]);
});

it('an archive that loses a file on its way fails the job, and leaves no part of it', async () => {
  const world = await openExports();
  const item = await titled(world);
  await put(world, { item: [{ archive: [{ path: 'a.zip', ...everyFile }] }] });
  world.from.files.delete('in/Harbour.mp4');
  const job = await run(world, `item/${item}`);
  expect([job.status, whyOf(job)]).toEqual([
    'FAILED_TOTAL',
    'Expected the files of the archive a.zip to stay, and the rights to them, until it is whole',
  ]);
  expect([world.to.files.size, world.to.staged.size]).toEqual([0, 0]);
});

it('an archive whose rights end while it is made has nothing of the next file, and fails the job', async () => {
  const reads: string[] = [];
  const scheme: WorldOptions['scheme'] = (inner) => ({
    ...inner,
    open(...given) {
      const driver = inner.open(...given);
      return {
        ...driver,
        async read(path, ...options) {
          if (reads.push(path) === 1)
            await done(world, ask(`PUT /API/item/${item}/usage`, { usableUntil: '2029-01-01T00:00:00Z' }));
          return driver.read(path, ...options);
        },
      };
    },
  });
  const world = await openExports({}, { scheme });
  const item = await itemWith(world, 'in/a.mov', { as: exporter });
  await done(world, ask('PUT /API/shape-tag/lowres', {}));
  await itemWith(world, 'in/b.mp4', { item, tag: 'lowres' });
  await put(world, { item: [{ archive: [{ path: 'a.zip', ...everyFile }] }] });
  const job = await run(world, `item/${item}`, '', exporter);
  expect([job.status, whyOf(job), reads]).toEqual([
    'FAILED_TOTAL',
    expect.stringContaining('the rights to them'),
    ['in/a.mov'],
  ]);
  expect([world.to.files.size, world.to.staged.size]).toEqual([0, 0]);
});
