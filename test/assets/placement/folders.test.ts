import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { upload } from '../../support/files.ts';
import { jobsOf, shapeAt, work } from '../../support/media.ts';
import { asking, done, textAt } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { librarian, type RoomWorld, worldOf } from '../../support/world.ts';
import { gives } from '../access/support.ts';

const ask = asking(librarian);

const put = (world: RoomWorld, path: string) => done(world, ask(`PUT /API/collection/${path}`, undefined, admin));
const remove = (world: RoomWorld, path: string) => done(world, ask(`DELETE /API/collection/${path}`, undefined, admin));

async function collection(world: RoomWorld, name: string): Promise<string> {
  const path = `/API/collection?name=${encodeURIComponent(name)}`;
  return (await done<{ id: string }>(world, ask(`POST ${path}`, undefined, admin))).id;
}

const pathsIn = (world: RoomWorld) => [...world.from.files.keys()].toSorted();

async function isMapped(world: RoomWorld, id: string): Promise<unknown> {
  const path = `/API/collection/${id}/metadata?field=__folder_mapped&terse=yes`;
  return done(world, ask(`GET ${path}`, undefined, admin));
}

it('a collection that is a folder has the files of its items, and says so', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'in/a.mov');
  const id = await collection(world, 'Films');
  await put(world, `${id}/VX-100`);
  await work(world);
  expect(pathsIn(world)).toEqual(['in/a.mov']);
  await put(world, `${id}/map-to-folder`);
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov']);
  expect(textAt(world.from, 'Films/a.mov')).toBe('bytes of in/a.mov');
  expect(await jobsOf(world)).toEqual(['MOVE_FILE FINISHED']);
  expect(JSON.stringify(await isMapped(world, id))).toContain('"true"');
  // The files are where they are to be: nothing is left to do.
  await put(world, `${id}/map-to-folder`);
  await work(world);
  expect(await jobsOf(world)).toHaveLength(1);
});

it('an item with the id of its collection is moved like any other', async () => {
  const world = await worldOf('placement');
  const id = await collection(world, 'Films');
  await done(world, ask('POST /API/import/placeholder', undefined, admin));
  await shapeAt(world, 'a.mov', { item: id });
  await put(world, `${id}/${id}`);
  await put(world, `${id}/map-to-folder`);
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov']);
});

it('a file that comes later is moved, and an item that joins', async () => {
  const world = await worldOf('placement');
  const id = await collection(world, 'Films');
  await put(world, `${id}/map-to-folder`);
  await put(world, `${id}/VX-100`);
  await shapeAt(world, 'a.mov');
  await shapeAt(world, 'b.mov', { item: 'VX-101', bytes: 'second' });
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov', 'b.mov']);
  await put(world, `${id}/VX-101`);
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov', 'Films/b.mov']);
});

it('folders are in each other as their collections are, and a new name moves what is below', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'a.mov');
  const [outer, between, inner] = [
    await collection(world, 'Outer'),
    await collection(world, 'Between'),
    await collection(world, 'Inner'),
  ];
  await put(world, `${outer}/${between}?type=collection`);
  await put(world, `${between}/${inner}?type=collection`);
  await put(world, `${inner}/VX-100`);
  await put(world, `${outer}/map-to-folder`);
  await put(world, `${inner}/map-to-folder`);
  await work(world);
  expect(pathsIn(world), 'the one between is no folder').toEqual(['Inner/a.mov']);
  await put(world, `${between}/map-to-folder`);
  await work(world);
  expect(pathsIn(world)).toEqual(['Outer/Between/Inner/a.mov']);
  await world.send(ask(`PUT /API/collection/${outer}/folder-name?name=Archive%202026`, undefined, admin));
  await work(world);
  expect(pathsIn(world)).toEqual(['Archive 2026/Between/Inner/a.mov']);
  await put(world, `${outer}/rename?name=Other`);
  await work(world);
  expect(pathsIn(world), 'the title is another thing').toEqual(['Archive 2026/Between/Inner/a.mov']);
});

it('the oldest of several folders counts, and the next one when an item leaves it', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'a.mov');
  const [first, second] = [await collection(world, 'First'), await collection(world, 'Second')];
  for (const id of [second, first]) {
    await put(world, `${id}/map-to-folder`);
    await put(world, `${id}/VX-100`);
  }
  await work(world);
  expect(pathsIn(world)).toEqual(['First/a.mov']);
  await remove(world, `${first}/VX-100`);
  await work(world);
  expect(pathsIn(world)).toEqual(['Second/a.mov']);
  await put(world, `${first}/VX-100`);
  await work(world);
  expect(pathsIn(world)).toEqual(['First/a.mov']);
  await remove(world, first);
  await work(world);
  expect(pathsIn(world)).toEqual(['Second/a.mov']);
  await remove(world, `${second}/map-to-folder`);
  await work(world);
  expect(pathsIn(world), 'files of a folder that is none any more stay').toEqual(['Second/a.mov']);
  expect(JSON.stringify(await isMapped(world, second))).toContain('"false"');
});

it('a name that another file has in the folder gets a number, and loses nothing', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'one/a.mov', { bytes: 'first' });
  await shapeAt(world, 'two/a.mov', { item: 'VX-101', bytes: 'second' });
  await done(world, upload('Films/a.mov', 'of nobody', 'VX-1'));
  const id = await collection(world, 'Films');
  await put(world, `${id}/VX-100`);
  await put(world, `${id}/VX-101`);
  await put(world, `${id}/map-to-folder`);
  await work(world, 120);
  expect(pathsIn(world)).toEqual(['Films/a-1.mov', 'Films/a-2.mov', 'Films/a.mov']);
  expect(textAt(world.from, 'Films/a.mov')).toBe('of nobody');
  expect(['Films/a-1.mov', 'Films/a-2.mov'].map((path) => textAt(world.from, path)).toSorted()).toEqual([
    'first',
    'second',
  ]);
});

it('a storage name rule comes before the folder, and copies are made in the folder', async () => {
  const world = await worldOf('placement');
  const { shapeId, fileId } = await shapeAt(world, 'a.mov');
  await done(world, ask(`PUT /API/item/VX-100/shape/${shapeId}/filename/VX-1?filename=named.mov`, undefined, admin));
  const id = await collection(world, 'Films');
  await put(world, `${id}/VX-100`);
  await put(world, `${id}/map-to-folder`);
  await work(world);
  expect(pathsIn(world)).toEqual(['named.mov']);
  const [{ id: now }] = (
    await done<{ file: [{ id: string }] }>(world, ask('GET /API/storage/VX-1/file', undefined, admin))
  ).file;
  expect(now).not.toBe(fileId);
  await done(world, ask(`POST /API/file/${now}/storage/VX-3`, undefined, admin));
  await work(world);
  expect([...world.third.files.keys()]).toEqual(['Films/named.mov']);
});

it('folder-name answers the name, also that of the collection, before the collection is a folder', async () => {
  const world = await worldOf('placement');
  const id = await collection(world, 'Spots / 2026');
  const named = async (query = '') =>
    (await world.send(ask(`PUT /API/collection/${id}/folder-name${query}`, undefined, admin))).body;
  expect(await named()).toBe('Spots _ 2026');
  expect(await named('?name=Spots')).toBe('Spots');
  expect(JSON.stringify(await isMapped(world, id))).toContain('"false"');
  const own = await collection(world, '.portico');
  expect((await world.send(ask(`PUT /API/collection/${own}/folder-name`, undefined, admin))).body, 'of storages').toBe(
    own,
  );
  const nameless = (await done<{ id: string }>(world, ask('POST /API/collection', undefined, admin))).id;
  expect((await world.send(ask(`PUT /API/collection/${nameless}/folder-name`, undefined, admin))).body).toBe(nameless);
});

it('a folder that no path can have is 400, an unknown collection 404', async () => {
  const world = await worldOf('placement');
  const id = await collection(world, 'Films');
  const status = async (path: string, user = admin) =>
    (await world.send(ask(`PUT /API/collection/${path}`, undefined, user))).status;
  for (const name of ['a/b', '..', '.', '.portico', '.Portico', 'a%00', 'a%5Cb', 'x'.repeat(256)]) {
    expect(await status(`${id}/folder-name?name=${name}`), name).toBe(400);
  }
  expect(await status('VX-999/map-to-folder')).toBe(404);
  expect(await status('VX-999/folder-name?name=a')).toBe(404);
});

const ben: Credentials = ['ben', 'password of ben'];
const roles = ['_collection_write', '_collection_read', '_item_read'];

it('attack: who may only read an item moves no file of it by a folder of his own', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'a.mov');
  await prepare(world, [newUser(ben, roles), gives(admin, 'item/VX-100', { permission: 'READ', user: 'ben' })]);
  const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=mine', undefined, ben));
  await done(world, ask(`PUT /API/collection/${id}/VX-100`, undefined, ben));
  await done(world, ask(`PUT /API/collection/${id}/map-to-folder`, undefined, ben));
  await work(world);
  expect(pathsIn(world)).toEqual(['a.mov']);
  await remove(world, `${id}/VX-100`);
  await put(world, `${id}/VX-100`);
  await work(world);
  expect(pathsIn(world), 'an administrator means it').toEqual(['mine/a.mov']);
});

it('attack: WRITE on a collection makes it no folder, and renames none', async () => {
  const world = await worldOf('placement');
  const id = await collection(world, 'Films');
  await prepare(world, [newUser(ben, roles), gives(admin, `collection/${id}`, { permission: 'WRITE', user: 'ben' })]);
  for (const request of ['PUT map-to-folder', 'DELETE map-to-folder', 'PUT folder-name?name=x']) {
    const [method, path] = request.split(' ');
    expect((await world.send(ask(`${method} /API/collection/${id}/${path}`, undefined, ben))).status, request).toBe(
      403,
    );
  }
});
