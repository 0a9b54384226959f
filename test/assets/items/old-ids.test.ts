import { describe, expect, it } from 'vitest';
import { join, newCollection, newItem } from '../../support/assets.ts';
import { outliving } from '../../support/databases.ts';
import { openWorld, type Sent } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { testRandom } from '../../support/random.ts';
import { by, jsonOf, send } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { ServiceOptions } from '../../support/service.ts';
import { newStorage } from '../../support/storages.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';

const idOf = ({ body }: { readonly body: string }) => (JSON.parse(body) as { readonly id: string }).id;
const give = (place: string, old: string) => by(`PUT /API/${place}/external-id/${encodeURIComponent(old)}`);

describe('ids of the system that came before', () => {
  it('a thousand of two sites find their items, and no new item gets one of them', async () => {
    const world = await openWorld('fetch');
    const olds = new Map<string, string>();
    for (let nth = 0; nth < 20; nth++) {
      const item = idOf(await send(world, newItem()));
      for (let at = 0; at < 25; at++) {
        // Some are reserved by this instance, others are far above what it gave, in no order.
        const number = 200 * ((at * 7) % 25) + 30 + nth;
        for (const old of [`VX-${number}`, `KP-${number}`]) {
          await send(world, give(`item/${item}`, old));
          olds.set(old, item);
        }
      }
    }
    expect(olds.size).toBe(1000);
    for (const [old, item] of olds)
      expect([old, await jsonOf(world, `GET /API/item/${old}`)]).toEqual([old, { id: item }]);
    const made: string[] = [];
    for (let nth = 0; nth < 100; nth++) made.push(idOf(await send(world, newItem())));
    expect(made.filter((id) => olds.has(id))).toEqual([]);
  });

  it('name items, collections, libraries, storages, files, shapes and import settings in paths, queries and bodies', async () => {
    const world = await openWorld('fetch');
    await send(world, newItem('?container=1&externalId=KP-431552'));
    await send(world, newCollection('?externalId=VX-700'));
    await send(world, newStorage());
    await send(world, by('POST /API/storage/VX-1/file?path=a.mov&createOnly=false'));
    const shape = idOf(await send(world, by('POST /API/item/VX-1/shape/create?tag=original', {})));
    const settings = idOf(await send(world, by('POST /API/import/settings', { access: [] })));
    await send(world, by('POST /API/library', { item: [] }));
    for (const [place, old] of [
      ['library/VX*1', 'VX*121'],
      ['storage/VX-1', 'VX-42'],
      ['file/VX-1', 'KP-9'],
      [`item/VX-1/shape/${shape}`, 'KP-115'],
      [`import/settings/${settings}`, 'VX-76'],
    ] as const) {
      await send(world, give(place, old));
      const { id } = await jsonOf<{ id: object[] }>(world, `GET /API/${place}/external-id`);
      expect(id).toMatchObject([{ externalId: old }]);
      expect(id[0]).not.toHaveProperty('namespace');
    }
    expect(await jsonOf(world, 'GET /API/storage/VX-42')).toMatchObject({ id: 'VX-1' });
    expect(await jsonOf(world, 'GET /API/storage/VX-42/file/KP-9')).toMatchObject({ id: 'VX-1', path: 'a.mov' });
    expect(await jsonOf(world, 'GET /API/item/KP-431552/shape/KP-115')).toMatchObject({ id: shape });
    expect(await jsonOf(world, 'GET /API/item/ITEM-KP-431552')).toEqual({ id: 'VX-1' });
    expect(await jsonOf(world, 'GET /API/import/settings/VX-76')).toMatchObject({ id: settings });
    await send(world, by('GET /API/library/VX*121'));
    await send(world, join('VX-700', 'KP-431552'));
    expect(await jsonOf(world, 'GET /API/collection/VX-1')).toMatchObject({ content: [{ id: 'VX-1' }] });
    await send(world, newItem('?settings=VX-76'));
    const [unknown] = [await world.send(newItem('?settings=VX-77'))];
    expect([unknown!.status, unknown!.body]).toEqual([404, expect.stringContaining('VX-77')]);
    await send(world, by('DELETE /API/item?id=KP-431552'));
    expect((await world.send(by('GET /API/item/VX-1'))).status).toBe(404);
  });

  it('come with a new file or shape, or with one that is there, and one that is taken makes nothing', async () => {
    const world = await openWorld('fetch');
    await send(world, newItem());
    await send(world, newStorage());
    const file = (path: string, old: string) =>
      by(`POST /API/storage/VX-1/file?path=${path}&createOnly=false&externalId=${old}`);
    const shape = (old: string) => by(`POST /API/item/VX-1/shape/create?externalId=${old}`, {});
    await send(world, file('a.mov', 'KP-9'));
    await send(world, file('a.mov', 'KP-10'));
    for (const old of ['KP-9', 'KP-10'])
      expect(await jsonOf(world, `GET /API/file/${old}`)).toMatchObject({ path: 'a.mov' });
    const made = idOf(await send(world, shape('KP-115')));
    expect(await jsonOf(world, 'GET /API/item/VX-1/shape/KP-115')).toMatchObject({ id: made });
    const before = await world.sequence();
    for (const taken of [file('b.mov', 'KP-9'), shape('KP-115')]) expect((await world.send(taken)).status).toBe(400);
    expect(await world.sequence()).toBe(before);
  });

  it('go with their entity, and their numbers stay out of new ids', async () => {
    const world = await openWorld('fetch');
    await send(world, newItem('?externalId=VX-3'));
    const shape = idOf(await send(world, by('POST /API/item/VX-1/shape/create?tag=original', {})));
    await send(world, give(`item/VX-1/shape/${shape}`, 'KP-1'));
    await send(world, by('DELETE /API/item/VX-3'));
    expect((await world.send(by('GET /API/item/VX-3'))).status).toBe(404);
    expect(idOf(await send(world, newItem('?externalId=KP-1')))).toBe('VX-2');
    expect(idOf(await send(world, newItem()))).toBe('VX-4');
    const other = idOf(await send(world, by('POST /API/item/VX-2/shape/create?tag=original', {})));
    await send(world, give(`item/VX-2/shape/${other}`, 'KP-1'));
    await send(world, give('item/VX-2', 'VX-3'));
  });

  it.each(['VX-1', 'VX-2', 'VX-1000000000000', 'VX-99999999999999999999'])(
    'are none that this service has given, or that would use up its numbers: %s',
    async (old) => {
      const world = await openWorld('fetch');
      await send(world, newItem());
      await send(world, newItem());
      await send(world, by('DELETE /API/item/VX-2'));
      const { status, body } = await world.send(give('item/VX-1', old));
      expect([status, body]).toEqual([400, expect.stringContaining('neither given nor reserved')]);
      expect(idOf(await send(world, newItem()))).toBe('VX-3');
    },
  );

  it('belong to no namespace, and are taken from whatever has them', async () => {
    const world = await openWorld('fetch');
    const uuid = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6';
    await send(world, newItem());
    expect((await world.send(give('item/VX-1', uuid))).status).toBe(400);
    await send(world, by('PUT /API/external-id/all', { pattern: '.*' }));
    await send(world, give('item/VX-1', uuid));
    await send(world, give('item/VX-1', 'KP-7'));
    expect(await jsonOf(world, `GET /API/item/${uuid}/external-id`)).toEqual({
      id: [
        { entityId: 'VX-1', entityType: 'Item', externalId: 'KP-7' },
        { entityId: 'VX-1', entityType: 'Item', namespace: 'all', externalId: uuid },
      ],
    });
    await send(world, by('DELETE /API/external-id/all'));
    await send(world, by('GET /API/item/KP-7'));
    await send(world, by('DELETE /API/external-id/id/KP-7'));
    expect((await world.send(by('GET /API/item/KP-7'))).status).toBe(404);
  });

  it('tell those who may not read an entity no more than its id does', async () => {
    const world = await openWorld('fetch');
    await prepare(world, givenTo('assets'));
    await send(world, newItem('', owner));
    await send(world, give('item/VX-1', 'KP-431552'));
    for (const request of [
      'GET /API/item/KP-431552',
      'GET /API/item/KP-431552/shape',
      'GET /API/item/KP-431552/external-id',
      'DELETE /API/item?id=KP-431552',
    ]) {
      const { status, body } = await world.send(by(request, undefined, undefined, stranger));
      expect([request, status, body]).toEqual([request, 403, expect.stringContaining('KP-431552')]);
      expect(body).not.toContain('VX-1');
    }
  });
});

describe('numbers of old ids', () => {
  async function instances() {
    const database = await migratedDatabase();
    let seed = 0;
    return async (settings: ServiceOptions['settings'] = {}) => {
      seed++;
      const { send, close } = await openWorld('fetch', {
        database: outliving(database),
        random: testRandom(seed),
        settings,
      });
      return async (sent: Sent) => ({ ...(await send(sent)), close });
    };
  }

  it('are given out by no other instance, and not after a restart', async () => {
    const start = await instances();
    const [one, other] = [await start({ idBlock: 8 }), await start({ idBlock: 8 })];
    expect([idOf(await one(newItem())), idOf(await other(newItem()))]).toEqual(['VX-1', 'VX-9']);
    // Ids reserved by the instance itself, by the other one, and by none.
    expect((await one(give('item/VX-1', 'VX-5'))).status).toBe(200);
    expect((await one(give('item/VX-1', 'VX-12'))).status).toBe(400);
    expect((await other(give('item/VX-1', 'VX-20'))).status).toBe(200);
    expect((await one(give('item/VX-1', 'VX-18'))).status).toBe(200);
    const made: string[] = [];
    for (let nth = 0; nth < 15; nth++) made.push(idOf(await one(newItem())), idOf(await other(newItem())));
    const { close } = await one(newItem());
    await close();
    const later = await start({ idBlock: 8 });
    for (let nth = 0; nth < 15; nth++) made.push(idOf(await later(newItem())));
    expect(new Set(made).size).toBe(45);
    expect(made.filter((id) => ['VX-5', 'VX-18', 'VX-20'].includes(id))).toEqual([]);
  });

  it('are free below the first id of the setting', async () => {
    const start = await instances();
    const world = await start({ firstId: 1_000_000 });
    expect(idOf(await world(newItem()))).toBe('VX-1000000');
    for (const old of ['VX-1', 'VX-7', 'VX-999999'])
      expect((await world(give('item/VX-1000000', old))).status).toBe(200);
    expect((await world(by('GET /API/item/VX-7'))).body).toBe('{"id":"VX-1000000"}');
    expect(idOf(await world(newItem()))).toBe('VX-1000001');
  });
});
