import { describe, expect, it } from 'vitest';
import { by, jsonOf, plain, send } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { fetchEntry, mediaOptions, missing, newStorage, openStorages, storageAt } from '../support/storages.ts';
import { givenTo, looker } from '../support/world.ts';

describe('an evacuation', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'begins where another storage takes the files',
      given: [storageAt('a'), storageAt('b')],
      ...by('PUT /API/storage/VX-1/evacuate'),
      status: 200,
      says: { exact: '' },
    },
    {
      name: 'is refused where no other storage takes files',
      given: [storageAt('a'), storageAt('b', { type: 'SHARED' }), newStorage({})],
      ...by('PUT /API/storage/VX-1/evacuate'),
      status: 409,
      answers: { 'portico-error': 'no-other-storage' },
    },
    {
      name: 'begins once',
      given: [storageAt('a'), storageAt('b'), by('PUT /API/storage/VX-1/evacuate')],
      ...by('PUT /API/storage/VX-1/evacuate'),
      status: 200,
    },
    {
      name: 'ends where there is none, and nothing changes',
      given: [storageAt('a')],
      ...by('DELETE /API/storage/VX-1/evacuate'),
      status: 200,
    },
    { name: 'needs a storage', ...by(`PUT /API/storage/${missing}/evacuate`), status: 404 },
    { name: 'ends for a storage', ...by(`DELETE /API/storage/${missing}/evacuate`), status: 404 },
    {
      name: 'needs the role',
      given: [storageAt('a')],
      ...by('PUT /API/storage/VX-1/evacuate'),
      as: looker,
      status: 403,
    },
  ];
  itHolds(fetchEntry, rows, mediaOptions({ given: givenTo('storages') }));

  it('shows in the state, keeps new files away, and is called off', async () => {
    const world = await openStorages();
    await send(world, storageAt('a', { capacity: 9_000_000 }));
    await send(world, storageAt('b'));
    const target = async () => (await jsonOf(world, 'GET /API/import/storage'))['id'];
    expect(await target()).toBe('VX-1');
    await send(world, by('PUT /API/storage/VX-1/evacuate'));
    expect((await send(world, by('GET /API/storage/VX-1/status', undefined, plain))).body).toBe('EVACUATING');
    expect(await target()).toBe('VX-2');
    await send(world, by('DELETE /API/storage/VX-1/evacuate'));
    expect((await send(world, by('GET /API/storage/VX-1/status', undefined, plain))).body).toBe('READY');
    expect(await target()).toBe('VX-1');
  });
});
