import { describe, expect } from 'vitest';
import { by, plain } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { fetchEntry, mediaOptions, missing, newStorage, noSuch, storageAt } from '../support/storages.ts';
import { givenTo, keeper, looker } from '../support/world.ts';

describe('storages keep metadata', () => {
  const pair = { field: [{ key: 'a', value: 'b' }] };
  const rows: readonly Scenario[] = (
    ['storage/VX-1', 'storage/VX-1/method/VX-1', 'storage/storage-group/fast'] as const
  ).flatMap((owner): readonly Scenario[] => [
    {
      name: `${owner}: sets what is named with 204`,
      ...by(`PUT /API/${owner}/metadata`, pair),
      status: 204,
      says: { exact: '' },
    },
    {
      name: `${owner}: answers it as a document`,
      given: [by(`PUT /API/${owner}/metadata`, pair), by(`PUT /API/${owner}/metadata/c`, 'd')],
      ...by(`GET /API/${owner}/metadata`),
      status: 200,
      says: {
        jsonPart: {
          field: expect.arrayContaining([
            { key: 'a', value: 'b' },
            { key: 'c', value: 'd' },
          ]),
        },
      },
    },
    {
      name: `${owner}: answers one value as text`,
      given: [by(`PUT /API/${owner}/metadata`, pair)],
      ...by(`GET /API/${owner}/metadata/a`, undefined, plain),
      status: 200,
      says: { exact: 'b' },
    },
    { name: `${owner}: clears it with 204`, ...by(`DELETE /API/${owner}/metadata`), status: 204 },
    { name: `${owner}: has no key to remove`, ...by(`DELETE /API/${owner}/metadata/zz`), status: 404 },
    {
      name: `${owner}: is written by nobody who may only read`,
      ...by(`PUT /API/${owner}/metadata`, pair),
      as: looker,
      status: 403,
    },
  ]);
  itHolds(
    fetchEntry,
    rows,
    mediaOptions({ given: [...givenTo('storages'), newStorage(), by('PUT /API/storage/storage-group/fast')] }),
  );

  itHolds(
    fetchEntry,
    [
      {
        name: 'of a method below its own storage only',
        ...by('GET /API/storage/VX-2/method/VX-1/metadata'),
        status: 404,
      },
      { name: 'of a storage that is there', ...by(`GET /API/storage/${missing}/metadata`), status: 404, says: noSuch },
      {
        name: 'and documents of storages tell that of methods',
        given: [by('PUT /API/storage/VX-1', { method: [{ uri: 'memory:///a/', metadata: pair }] })],
        ...by('GET /API/storage/VX-1'),
        status: 200,
        says: { jsonPart: { method: [{ id: 'VX-1', metadata: pair }] } },
      },
      {
        name: 'but no more for all methods together than for one entity',
        given: [
          by('PUT /API/storage/VX-1/method?url=memory:///c/'),
          by('PUT /API/storage/VX-1/method/VX-1/metadata/a', 'x'.repeat(70_000)),
        ],
        ...by('PUT /API/storage/VX-1/method/VX-3/metadata/a', 'x'.repeat(70_000)),
        status: 400,
        says: { contains: ['in the metadata of all methods'] },
      },
      {
        name: 'written by a keeper',
        ...by('PUT /API/storage/VX-1/metadata/a', 'b'),
        as: keeper,
        status: 204,
      },
    ],
    mediaOptions({ given: [...givenTo('storages'), storageAt('a'), storageAt('b')] }),
  );
});
