import { describe, expect, it } from 'vitest';
import { newItem } from '../../../support/assets.ts';
import type { World } from '../../../support/matrix.ts';
import { openWorld } from '../../../support/matrix.ts';
import { by, json, send } from '../../../support/requests.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';

const plain = { accept: 'text/plain' };
const document = {
  field: [
    { key: 'face', value: 'Ada', start: '0@PAL', end: '75@PAL' },
    { key: 'face', value: 'Bob', start: '3', end: '5', stream: 1, channel: 2, itemTrack: 'A1' },
    { key: 'cut', maps: { map: [{ entry: [{ key: 'at', text: '3' }] }] }, start: '3', end: '3' },
    { key: 'all', value: '' },
  ],
};

async function started(): Promise<World> {
  const world = await openWorld('fetch');
  for (const person of givenTo('assets')) await send(world, person);
  await send(world, newItem('', owner));
  await send(world, by('POST /API/item/VX-1/shape/create', undefined, json, owner));
  return world;
}

describe.each([
  ['item', '/API/item/VX-1'],
  ['shape', '/API/item/VX-1/shape/VX-1'],
])('bulky metadata of the %s', (_kind, entity) => {
  const path = `${entity}/metadata/bulky`;

  it('sets values, lists keys, and gives the values of an interval', async () => {
    const world = await started();
    await send(world, by(`PUT ${path}`, document, json, owner));
    expect((await send(world, by(`GET ${path}`, undefined, plain, owner))).body).toBe('all\r\ncut\r\nface\r\n');
    const valuesOf = async (query: string, key = 'face') => {
      const { body } = await send(world, by(`GET ${path}/${key}${query}`, undefined, json, owner));
      return (JSON.parse(body) as { field?: { value: string }[] }).field?.map(({ value }) => value) ?? [];
    };
    expect(await valuesOf('')).toEqual(['Ada', 'Bob']);
    expect(await valuesOf('?start=0&end=3')).toEqual(['Ada']);
    expect(await valuesOf(';start=76@PAL;end=%2BINF')).toEqual(['Bob']);
    expect(await valuesOf('?start=-INF&end=%2BINF', 'all')).toEqual(['']);
    const { body } = await send(world, by(`GET ${path}/cut?start=3&end=4`, undefined, json, owner));
    expect(JSON.parse(body).field).toEqual([document.field[2]]);
  });

  it('replaces a value by its key, interval, stream, channel and track, and removes what an interval has', async () => {
    const world = await started();
    await send(world, by(`PUT ${path}`, document, json, owner));
    await send(world, by(`PUT ${path}/face?start=3&end=5&stream=1&channel=2&itemTrack=A1`, 'Eve', {}, owner));
    await send(world, by(`PUT ${path}/face?start=8&end=9`, 'Dan', {}, owner));
    const all = async () =>
      (await send(world, by(`GET ${path}/face/as-file`, undefined, {}, owner))).body.match(/<value>\w+/g);
    expect(await all()).toEqual(['<value>Ada', '<value>Eve', '<value>Dan']);
    await send(world, by(`DELETE ${path}/face?start=4&end=6`, undefined, {}, owner));
    expect(await all()).toEqual(['<value>Ada', '<value>Dan']);
    await send(world, by(`DELETE ${path}/face`, undefined, {}, owner));
    expect(await all()).toBe(null);
    await send(world, by(`DELETE ${path}`, undefined, {}, owner));
    expect((await send(world, by(`GET ${path}`, undefined, plain, owner))).body).toBe('');
  });

  it('refuses what is no time, a key with a slash, and callers who may not read the item', async () => {
    const world = await started();
    const put = (field: object) => world.send(by(`PUT ${path}`, { field: [field] }, json, owner));
    expect((await put({ key: 'a', value: 'b', start: 'soon' })).status).toBe(400);
    expect((await put({ key: 'a', value: 'b', start: '5', end: '3' })).status).toBe(400);
    expect((await put({ key: 'a/b', value: 'b' })).status).toBe(400);
    expect((await put({ key: 'a' })).status).toBe(400);
    expect((await world.send(by(`GET ${path}`, undefined, json, stranger))).status).toBe(403);
    expect((await world.send(by(`PUT ${path}`, document, json, stranger))).status).toBe(403);
    expect(await world.service.store.read('SELECT count(*) FROM bulky_value')).toEqual([[0]]);
  });

  it('goes with the item', async () => {
    const world = await started();
    await send(world, by(`PUT ${path}`, document, json, owner));
    await send(world, by('DELETE /API/item/VX-1', undefined, {}, owner));
    expect(await world.service.store.read('SELECT count(*) FROM bulky_value')).toEqual([[0]]);
  });
});
