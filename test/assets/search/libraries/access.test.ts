import { beforeEach, describe, expect, it } from 'vitest';
import { join, newCollection, newItem, newLibrary } from '../../../support/assets.ts';
import type { World } from '../../../support/matrix.ts';
import { openWorld } from '../../../support/matrix.ts';
import { by, json, jsonOf, send } from '../../../support/requests.ts';
import { givenTo, owner } from '../../../support/world.ts';

/** Items VX-1 to VX-3 of the administrator; VX-1 and VX-2 are in the library VX*1, which is in no collection. */
describe('the access entries of a library', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('fetch');
    for (const sent of [...givenTo('assets'), newItem(), newItem(), newItem(), newLibrary(['VX-1', 'VX-2'])])
      await send(world, sent);
  });

  const grant = async (path = '/API/library/VX*1', more: object = {}): Promise<string> =>
    (
      JSON.parse(
        (await send(world, by(`POST ${path}/access`, { permission: 'READ', user: 'owner', ...more }))).body,
      ) as { id: string }
    ).id;

  /** Items that the user lists, which must equal those that it reads one by one. */
  async function seen(): Promise<readonly string[]> {
    const { item } = await jsonOf<{ item: { id: string }[] }>(world, 'GET /API/item', owner);
    const statuses = await Promise.all(
      ['VX-3', 'VX-2', 'VX-1'].map(async (id) => {
        const { status } = await world.send(by(`GET /API/item/${id}`, undefined, json, owner));
        return status === 200 ? [id] : [];
      }),
    );
    const listed = item.map(({ id }) => id);
    expect(statuses.flat()).toEqual(listed);
    return listed;
  }

  it('reach the items in it, and go with the entry', async () => {
    expect(await seen()).toEqual([]);
    const id = await grant();
    expect(await seen()).toEqual(['VX-2', 'VX-1']);
    expect(await jsonOf(world, 'GET /API/library/VX*1', owner)).toMatchObject({ hits: 2 });
    await send(world, by(`DELETE /API/library/VX*1/access/${id}`));
    expect(await seen()).toEqual([]);
  });

  it('reach an item that comes later, and no item that has left', async () => {
    await grant();
    await send(world, by('PUT /API/library/VX*1/VX-3'));
    await send(world, by('DELETE /API/library/VX*1/VX-1'));
    expect(await seen()).toEqual(['VX-3', 'VX-2']);
  });

  it('say what they are about: an entry for the library itself shows no item', async () => {
    await grant('/API/library/VX*1', { appliesTo: [{ value: 'self' }] });
    expect(await seen()).toEqual([]);
    expect(await jsonOf(world, 'GET /API/library/VX*1', owner)).toMatchObject({ hits: 0 });
  });

  it('come from a collection that has the library, too', async () => {
    for (const sent of [newCollection(), join('VX-1', 'VX*1', 'library')]) await send(world, sent);
    await grant('/API/collection/VX-1');
    expect(await seen()).toEqual(['VX-2', 'VX-1']);
    await send(world, by('DELETE /API/collection/VX-1/VX*1?type=library'));
    expect(await seen()).toEqual([]);
  });

  it('end with the library', async () => {
    await grant();
    await send(world, by('DELETE /API/library/VX*1'));
    expect(await seen()).toEqual([]);
  });

  it('leave no context behind that nothing has', async () => {
    const count = async () => (await world.service.store.read('SELECT count(*) FROM access_context'))[0]![0];
    const before = await count();
    const id = await grant();
    await send(world, by(`DELETE /API/library/VX*1/access/${id}`));
    expect(await count()).toBe(before);
  });
});

/** The user reads the item VX-1 through a collection, and not VX-2. An administrator gave it ALL on the library VX*1. */
describe('an attack by somebody who may change a library', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('fetch');
    const of = (place: string, permission: string, more: object = {}) =>
      by(`POST /API/${place}/access`, { permission, user: 'owner', ...more });
    for (const sent of [
      ...givenTo('assets'),
      by('PUT /API/metadata-field/x_note', { type: 'string' }),
      newItem(),
      newItem(),
      newLibrary(),
      of('library/VX*1', 'ALL'),
      newCollection(),
      join('VX-1', 'VX-1'),
      of('collection/VX-1', 'READ'),
      of('item/VX-1', 'NONE', { operation: { metadata: { field: 'x_note' } } }),
    ])
      await send(world, sent);
    const note = { name: 'x_note', value: [{ value: 'secret' }] };
    await send(world, by('PUT /API/item/VX-1/metadata', { timespan: [{ field: [note] }] }));
  });

  const asOwner = (request: string, body?: object) => world.send(by(request, body, json, owner));
  const locks = async (id: string) => (await asOwner(`PUT /API/item/${id}/lock`)).status;

  it.each([
    ['PUT /API/library/VX*1/VX-1', undefined],
    ['PUT /API/library/VX*1', { item: [{ id: 'VX-1' }] }],
    ['PUT /API/library/VX*1/settings', { autoRefresh: true, updateMode: 'REPLACE', query: {} }],
    ['PUT /API/item?result=library&libraryId=VX*1', {}],
  ])('gets no right on an item that comes in by it: %s', async (request, body) => {
    expect((await asOwner(request, body)).status).toBeLessThan(300);
    expect(await jsonOf(world, 'GET /API/library/VX*1', owner)).toMatchObject({ item: [{ id: 'VX-1' }] });
    expect(await locks('VX-1')).toBe(403);
    expect((await asOwner('GET /API/item/VX-2')).status).toBe(403);
    await send(world, by('PUT /API/library/VX*1/settings', { autoRefresh: false, updateMode: 'MERGE' }));
    for (const method of ['DELETE', 'PUT']) await send(world, by(`${method} /API/library/VX*1/VX-1`));
    expect(await locks('VX-1')).toBe(200);
  });

  it('gets no right on items that a new library begins with', async () => {
    const made = newLibrary(['VX-1'], '', owner);
    await send(world, made);
    await send(world, by('POST /API/library/VX*2/access', { permission: 'WRITE', user: 'owner' }));
    expect(await locks('VX-1')).toBe(403);
  });

  it('searches with its own rights, and not with those of the user of the library', async () => {
    const query = { field: [{ name: 'x_note', value: [{ value: 'secret' }] }] };
    for (const updateMode of ['TRANSIENT', 'REPLACE']) {
      await asOwner('PUT /API/library/VX*1/settings', { autoRefresh: true, updateMode, query });
      expect(await jsonOf(world, 'GET /API/library/VX*1', owner)).toMatchObject({ hits: 0 });
    }
    expect(await jsonOf(world, 'GET /API/library/VX*1/settings')).toMatchObject({ username: 'owner' });
  });
});
