import { expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { ask, jsonOf } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { mediaOptions, openScanWorld, storageAt } from '../../support/storages.ts';

const put = 'PUT /API/storage/VX-1/fixity';
const on = ask(put, { days: 30, bytesPerSecond: 65_536 });

const rows: readonly Scenario[] = [
  {
    name: 'is told with the numbers of its files',
    given: [on],
    ...ask('GET /API/storage/VX-1/fixity'),
    status: 200,
    says: { json: { storage: 'VX-1', days: 30, bytesPerSecond: 65_536, hits: 0, file: [] } },
  },
  {
    name: 'is among all storages that are checked',
    given: [storageAt('two'), on],
    ...ask('GET /API/storage/fixity'),
    status: 200,
    says: { json: { fixity: [{ storage: 'VX-1', days: 30, bytesPerSecond: 65_536 }] } },
  },
  {
    name: 'that is not switched on does not exist',
    ...ask('GET /API/storage/VX-1/fixity'),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Fixity', id: 'VX-1' } } },
  },
  { name: 'that is not switched on has no end', ...ask('DELETE /API/storage/VX-1/fixity'), status: 404 },
  { name: 'ends without an event', given: [on], ...ask('DELETE /API/storage/VX-1/fixity'), status: 204 },
  ...[0, 3651].map((days) => ({
    name: `takes ${days} days for a mistake`,
    ...ask(put, { days }),
    status: 400,
    says: { contains: ['Expected a whole number from 1 to 3650'] },
  })),
  {
    name: 'takes a rate that would never end for a mistake',
    ...ask(put, { days: 1, bytesPerSecond: 1000 }),
    status: 400,
    says: { contains: ['/FixityDocument/bytesPerSecond'] },
  },
  { name: 'needs the days', ...ask(put, { bytesPerSecond: 65_536 }), status: 400 },
  {
    name: 'of an unknown state has no page',
    given: [on],
    ...ask('GET /API/storage/VX-1/fixity?state=rotten'),
    status: 400,
    says: { contains: ['Expected one of waiting, verified, changed, missing, unhashed'] },
  },
  { name: 'of an unknown storage does not exist', ...ask('GET /API/storage/VX-9/fixity'), status: 404 },
];

describeMatrix('the schedule of a storage', (entry) =>
  itHolds(entry, rows, mediaOptions({ given: [storageAt('in')] })),
);

it('a page has the files of a state, with what was found', async () => {
  const world = await openScanWorld();
  for (const path of ['a', 'b', 'c']) world.place.put(path, path, 0);
  await world.scan();
  await world.ask(put, { days: 30 });
  world.place.files.delete('b');
  await world.service.tick();
  const now = new Date(world.clock.now()).toISOString().replace('Z', '+0000');
  expect(await jsonOf(world, 'GET /API/storage/VX-1/fixity?state=missing')).toMatchObject({
    ...{ verified: 2, missing: 1, hits: 1 },
    file: [
      { id: 'VX-2', path: 'b', state: 'missing', checked: now, message: 'Expected the file: the storage has none' },
    ],
  });
  const second = await jsonOf<{ hits: number; file: object[] }>(world, 'GET /API/storage/VX-1/fixity?first=3&number=1');
  expect([second.hits, second.file]).toMatchObject([3, [{ id: 'VX-3', state: 'verified', verified: now }]]);
  const { test } = await jsonOf<{ test: { name: string; status: string }[] }>(world, 'GET /API/selftest');
  expect(test.find(({ name }) => name === 'fixity')).toMatchObject({ status: 'warning' });
});
