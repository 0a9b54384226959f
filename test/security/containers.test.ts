import { beforeEach, describe, expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { copiesOf, rule, shapeAt, work } from '../support/media.ts';
import { asking, done } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { librarian, type RoomWorld, worldOf } from '../support/world.ts';

const ask = asking(librarian);

const ann: Credentials = ['ann', 'p'];
const roles = [
  ...['_collection_read', '_collection_write', '_library_read', '_library_write', '_item_read', '_item_write'],
  ...['_storage_rule_read', '_storage_rule_write', '_deletion_lock_read', '_deletion_lock_write', '_item_shape_read'],
];
const forever = JSON.stringify({ expiryTime: '2099-01-01T00:00:00.000Z' });
const away = { storage: ['VX-2'], not: { storage: ['VX-1'] } };

/** ann may read the item VX-100, and puts it into a collection and a library of her own. */
describe('an attack by the collections and libraries of somebody who may only read an item', () => {
  let world: RoomWorld;
  let componentId: string;
  let shapeId: string;
  beforeEach(async () => {
    world = await worldOf('placement');
    ({ componentId, shapeId } = await shapeAt(world, 'a.mov'));
    await prepare(world, [newUser(ann, roles)]);
    await done(world, ask('POST /API/item/VX-100/access', JSON.stringify({ permission: 'READ', user: 'ann' }), admin));
  });

  const asAnn = <T>(request: string, body?: string) => done<T>(world, ask(request, body, ann));
  async function placed(): Promise<readonly string[]> {
    await work(world, 120);
    return copiesOf(world, componentId);
  }

  it('moves no file by the storage rule of a collection', async () => {
    const { id } = await asAnn<{ id: string }>('POST /API/collection?name=mine');
    await asAnn(`PUT /API/collection/${id}/VX-100`);
    await asAnn(`PUT /API/collection/${id}/storage-rule`, JSON.stringify(away));
    expect(await placed()).toEqual(['VX-1 CLOSED']);
    await done(world, ask(`DELETE /API/collection/${id}/VX-100`, undefined, admin));
    await done(world, ask(`PUT /API/collection/${id}/VX-100`, undefined, admin));
    expect(await placed()).toEqual(['VX-2 CLOSED']);
  });

  it('moves no file by the storage rule of a library', async () => {
    const { uri } = await asAnn<{ uri: string[] }>('POST /API/library', JSON.stringify({ item: [{ id: 'VX-100' }] }));
    await asAnn(`PUT /API/library/${uri[0]}/storage-rule`, JSON.stringify(away));
    expect(await placed()).toEqual(['VX-1 CLOSED']);
    await rule(world, away, 'item/VX-100/storage-rule');
    expect(await placed()).toEqual(['VX-2 CLOSED']);
  });

  it('keeps nobody from deleting the item by the deletion lock of a collection', async () => {
    const [inner, outer] = await Promise.all(
      ['inner', 'outer'].map((name) => asAnn<{ id: string }>(`POST /API/collection?name=${name}`)),
    );
    await asAnn(`PUT /API/collection/${inner!.id}/VX-100`);
    await asAnn(`PUT /API/collection/${outer!.id}/${inner!.id}?type=collection`);
    for (const { id } of [inner!, outer!]) await asAnn(`POST /API/collection/${id}/deletion-lock`, forever);
    expect((await world.send(ask(`DELETE /API/item/VX-100/shape/${shapeId}`, undefined, admin))).status).toBe(200);
    expect((await world.send(ask('DELETE /API/item/VX-100', undefined, admin))).status).toBe(200);
  });

  it('learns of no lock on a collection that is closed to it', async () => {
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=hidden', undefined, admin));
    await done(world, ask(`PUT /API/collection/${id}/VX-100`, undefined, admin));
    const locked = await done<{ id: string }>(world, ask(`POST /API/collection/${id}/deletion-lock`, forever, admin));
    const locksFor = async (as: Credentials) =>
      (await world.send(ask('GET /API/item/VX-100/deletion-lock', undefined, as))).body;
    expect(await locksFor(admin)).toContain(`"id":"${locked.id}"`);
    expect(JSON.parse(await locksFor(ann))).toEqual({ lock: [] });
    const access = JSON.stringify({ permission: 'READ', user: 'ann' });
    await done(world, ask(`POST /API/collection/${id}/access`, access, admin));
    expect(await locksFor(ann)).toContain(`"id":"${locked.id}"`);
  });

  it('learns by the rule in effect for a shape of no collection and library that is closed to it', async () => {
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=hidden', undefined, admin));
    await done(world, ask(`PUT /API/collection/${id}/VX-100`, undefined, admin));
    const listed = JSON.stringify({ item: [{ id: 'VX-100' }] });
    const { uri } = await done<{ uri: string[] }>(world, ask('POST /API/library', listed, admin));
    await rule(world, { storage: ['VX-1'] }, `collection/${id}/storage-rule`);
    await rule(world, { storage: ['VX-1'] }, `library/${uri[0]}/storage-rule`);
    const told = async (as: Credentials) => {
      const { body } = await world.send(
        ask(`GET /API/item/VX-100/shape/${shapeId}/storage-rule?all=true`, undefined, as),
      );
      const { tag } = JSON.parse(body) as { tag: { appliesTo: object }[] };
      return tag.map(({ appliesTo }) => appliesTo);
    };
    const [inLibrary, inCollection] = [{ type: 'LIBRARY' }, { type: 'COLLECTION' }];
    expect(await told(admin)).toEqual(
      expect.arrayContaining([
        { ...inLibrary, id: uri[0] },
        { ...inCollection, id },
      ]),
    );
    expect(await told(ann)).toEqual(expect.arrayContaining([inLibrary, inCollection]));
    expect(JSON.stringify(await told(ann))).not.toContain('id');
    const access = JSON.stringify({ permission: 'READ', user: 'ann' });
    await done(world, ask(`POST /API/collection/${id}/access`, access, admin));
    expect(await told(ann)).toEqual(expect.arrayContaining([inLibrary, { ...inCollection, id }]));
  });
});
