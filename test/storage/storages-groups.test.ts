import { describe, expect, it } from 'vitest';
import { by, jsonOf, send, xml } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { fetchEntry, mediaOptions, newStorage, openStorages, storageAt } from '../support/storages.ts';
import { givenTo, keeper, looker } from '../support/world.ts';

const group = '/API/storage/storage-group';

const rows: readonly Scenario[] = [
  { name: 'a group is made', ...by(`PUT ${group}/fast%20disks`), status: 200, says: { exact: '' } },
  {
    name: 'an existing group stays as it is',
    given: [by(`PUT ${group}/a`), by(`PUT ${group}/a/VX-1`)],
    ...by(`PUT ${group}/a`),
    status: 200,
  },
  ...['a%2Cb', '-a', '%20a', 'a'.repeat(256), 'a%E2%80%8Bb'].map(
    (name): Scenario => ({
      name: `a group is not called ${name.slice(0, 10)}`,
      ...by(`PUT ${group}/${name}`),
      status: 400,
    }),
  ),
  {
    name: 'a group tells its storages as documents',
    given: [
      by(`PUT ${group}/a`),
      by(`PUT ${group}/a/VX-2`),
      by(`PUT ${group}/a/VX-1`),
      by(`PUT ${group}/a/metadata/k`, 'v'),
    ],
    ...by(`GET ${group}/a`),
    status: 200,
    says: {
      contains: ['{"name":"a","data":[{"key":"k","value":"v"}],"storage":[{"id":"VX-1","state":"NONE","type":"LOCAL"'],
      jsonPart: { storage: [{ id: 'VX-1' }, { id: 'VX-2' }] },
    },
  },
  {
    name: 'a group comes in XML',
    given: [by(`PUT ${group}/a`), by(`PUT ${group}/a/VX-2`)],
    ...by(`GET ${group}/a`, undefined, xml),
    status: 200,
    says: { contains: ['<StorageGroupDocument xmlns="', '<name>a</name><storage><id>VX-2</id>'] },
  },
  {
    name: 'an unknown group is not found',
    ...by(`GET ${group}/a`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'storage-group', id: 'a' } } },
  },
  { name: 'no groups are an empty list', ...by(`GET ${group}/`), status: 200, says: { json: { group: [] } } },
  {
    name: 'groups are listed by name, with the ids of their storages',
    given: [by(`PUT ${group}/b`), by(`PUT ${group}/a`), by(`PUT ${group}/b/VX-2`)],
    ...by(`GET ${group}`),
    status: 200,
    says: {
      json: {
        group: [
          { name: 'a', storage: [] },
          { name: 'b', storage: [{ id: 'VX-2' }] },
        ],
      },
    },
  },
  {
    name: 'a group is joined twice',
    given: [by(`PUT ${group}/a`), by(`PUT ${group}/a/VX-1`)],
    ...by(`PUT ${group}/a/VX-1`),
    status: 200,
    says: { exact: '' },
  },
  { name: 'an unknown group is not joined', ...by(`PUT ${group}/a/VX-1`), status: 404 },
  {
    name: 'a group is not joined by an unknown storage',
    given: [by(`PUT ${group}/a`)],
    ...by(`PUT ${group}/a/VX-9`),
    status: 404,
  },
  {
    name: 'a group is left',
    given: [by(`PUT ${group}/a`), by(`PUT ${group}/a/VX-1`)],
    ...by(`DELETE ${group}/a/VX-1`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a group is left by a storage that is not in it',
    given: [by(`PUT ${group}/a`)],
    ...by(`DELETE ${group}/a/VX-1`),
    status: 200,
  },
  { name: 'an unknown group is not left', ...by(`DELETE ${group}/a/VX-1`), status: 404 },
  {
    name: 'a group is not left by an unknown storage',
    given: [by(`PUT ${group}/a`)],
    ...by(`DELETE ${group}/a/VX-9`),
    status: 404,
  },
  {
    name: 'a group goes, and its storages stay',
    given: [by(`PUT ${group}/a`), by(`PUT ${group}/a/VX-1`)],
    ...by(`DELETE ${group}/a`),
    status: 200,
    says: { exact: '' },
  },
  { name: 'an unknown group does not go', ...by(`DELETE ${group}/a`), status: 404 },
  { name: 'a keeper makes groups', ...by(`PUT ${group}/a`), as: keeper, status: 200 },
  { name: 'a reader makes none', ...by(`PUT ${group}/a`), as: looker, status: 403 },
  { name: 'a reader sees them', ...by(`GET ${group}`), as: looker, status: 200 },
];

describe('storage groups', () => {
  itHolds(fetchEntry, rows, mediaOptions({ given: [...givenTo('storages'), storageAt('a'), storageAt('b')] }));

  it('a group that is made again has no storages and no metadata of the old one', async () => {
    const world = await openStorages();
    await send(world, storageAt('a'));
    for (const request of [`PUT ${group}/a`, `PUT ${group}/a/VX-1`]) await send(world, by(request));
    await send(world, by(`PUT ${group}/a/metadata/k`, 'v'));
    await send(world, by(`DELETE ${group}/a`));
    expect((await world.send(by('GET /API/storage/VX-1'))).status).toBe(200);
    await send(world, by(`PUT ${group}/a`));
    expect(await jsonOf(world, `GET ${group}/a`)).toEqual({ name: 'a', data: [], storage: [] });
  });

  it('storages of a group come in pages, and a deleted one is gone at once', async () => {
    const world = await openStorages();
    await send(world, by(`PUT ${group}/a`));
    for (let n = 1; n <= 3; n++) {
      await send(world, newStorage({}));
      await send(world, by(`PUT ${group}/a/VX-${n}`));
    }
    const ids = async (query = '') =>
      (await jsonOf<{ storage: { id: string }[] }>(world, `GET ${group}/a${query}`)).storage.map(({ id }) => id);
    expect(await ids('?first=2&number=1')).toEqual(['VX-2']);
    await send(world, by('DELETE /API/storage/VX-2'));
    expect(await ids()).toEqual(['VX-1', 'VX-3']);
    expect(await jsonOf(world, `GET ${group}`)).toEqual({
      group: [{ name: 'a', storage: [{ id: 'VX-1' }, { id: 'VX-3' }] }],
    });
  });
});
