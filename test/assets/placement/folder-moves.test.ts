import { expect, it } from 'vitest';
import { copiesOf, jobsOf, rule, shapeAt, work } from '../../support/media.ts';
import { asking, done, rowsOf, sqlIn } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, type RoomWorld, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const put = (world: RoomWorld, path: string) => done(world, ask(`PUT /API/collection/${path}`, undefined, admin));

/** A collection that is a folder, with the item VX-100. */
async function folder(world: RoomWorld, name: string): Promise<string> {
  const path = `/API/collection?name=${encodeURIComponent(name)}`;
  const { id } = await done<{ id: string }>(world, ask(`POST ${path}`, undefined, admin));
  await put(world, `${id}/VX-100`);
  await put(world, `${id}/map-to-folder`);
  return id;
}

const pathsIn = (world: RoomWorld) => [...world.from.files.keys()].toSorted();

/** Another shape of the item, with the files of the first one. */
async function sameFiles(world: RoomWorld): Promise<string> {
  const columns = 'item_id, essence_version, placeholder, mime_types, uuid, created_at, version';
  await sqlIn(world, `INSERT INTO shape (id, serial, ${columns}) SELECT 'VX-900', 900, ${columns} FROM shape`);
  await sqlIn(
    world,
    `INSERT INTO component (id, shape_id, kind, position, expected, document)
      SELECT 'VX-900', 'VX-900', kind, position, expected, document FROM component`,
  );
  await sqlIn(
    world,
    `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
      SELECT file_id, item_id, 'VX-900', 'VX-900' FROM file_use`,
  );
  return 'VX-900';
}

const name = (world: RoomWorld, shapeId: string, filename: string) =>
  done(world, ask(`PUT /API/item/VX-100/shape/${shapeId}/filename/VX-1?filename=${filename}`, undefined, admin));

it('a file that two shapes have, of which one says its name, is not moved to the folder and back without end', async () => {
  const world = await worldOf('placement');
  const { shapeId } = await shapeAt(world, 'a.mov');
  await sameFiles(world);
  await name(world, shapeId, 'named.mov');
  await folder(world, 'Films');
  await work(world, 300);
  expect(pathsIn(world)).toEqual(['named.mov']);
  expect(await jobsOf(world)).toEqual(['MOVE_FILE FINISHED']);
});

it('a file that two shapes have, with a name of each, is not moved between the two without end', async () => {
  const world = await worldOf('placement');
  const { shapeId } = await shapeAt(world, 'a.mov');
  await name(world, await sameFiles(world), 'two.mov');
  await name(world, shapeId, 'one.mov');
  await work(world, 300);
  expect(pathsIn(world)).toEqual(['one.mov']);
});

it('on a storage that takes no files no move fails hour after hour, and storage rules hold', async () => {
  const world = await worldOf('placement');
  const { componentId } = await shapeAt(world, 'a.mov');
  await sqlIn(world, "UPDATE storage_method SET write = 0 WHERE storage_id = 'VX-1'");
  await folder(world, 'Films');
  await rule(world, { storageCount: 2 }, 'item/VX-100/storage-rule');
  await work(world);
  await world.clock.advance(3_600_000);
  await work(world);
  expect(await jobsOf(world)).toEqual(['COPY_FILE FINISHED']);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  await sqlIn(world, "UPDATE storage_method SET write = 1 WHERE storage_id = 'VX-1'");
  await world.clock.advance(3_600_000);
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov']);
});

it.each(['file', 'item'])(
  'a file with a deletion lock of the %s stays where it is until that has expired',
  async (type) => {
    const world = await worldOf('placement');
    const { fileId } = await shapeAt(world, 'a.mov');
    const id = type === 'file' ? fileId : 'VX-100';
    const body = JSON.stringify({ expiryTime: new Date(world.clock.now() + 7_200_000).toISOString() });
    await done(world, ask(`POST /API/${type}/${id}/deletion-lock`, body, admin));
    await folder(world, 'Films');
    await work(world);
    expect(pathsIn(world)).toEqual(['a.mov']);
    expect(await rowsOf(world, 'deletion_lock')).toHaveLength(1);
    await world.clock.advance(7_200_000);
    await work(world);
    expect(pathsIn(world)).toEqual(['Films/a.mov']);
  },
);

it('a file whose shape says no name any more, or that has another item now, follows into the folder', async () => {
  const world = await worldOf('placement');
  const { shapeId } = await shapeAt(world, 'a.mov');
  await name(world, shapeId, 'named.mov');
  await folder(world, 'Films');
  await work(world);
  await done(world, ask(`DELETE /API/item/VX-100/shape/${shapeId}/filename/VX-1`, undefined, admin));
  await work(world);
  expect(pathsIn(world), 'no name').toEqual(['Films/named.mov']);
  const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=Others', undefined, admin));
  await put(world, `${id}/VX-101`);
  await put(world, `${id}/map-to-folder`);
  await work(world);
  await sqlIn(world, "UPDATE shape SET item_id = 'VX-101'");
  await sqlIn(world, "UPDATE file_use SET item_id = 'VX-101'");
  await work(world);
  expect(pathsIn(world), 'another item').toEqual(['Others/named.mov']);
});

it('a file that the first of two items has no longer goes into the folder of the other one', async () => {
  const world = await worldOf('placement');
  const { fileId } = await shapeAt(world, 'a.mov');
  await folder(world, 'Films');
  await sqlIn(world, "INSERT INTO shape SELECT 'VX-50', 50, 'VX-10', 0, 0, '[]', NULL, 0, 1");
  await sqlIn(world, "INSERT INTO component SELECT 'VX-50', 'VX-50', 'container', 0, 0, '{}'");
  await sqlIn(world, `INSERT INTO file_use VALUES ('${fileId}', 'VX-10', 'VX-50', 'VX-50')`);
  await work(world);
  expect(pathsIn(world)).toEqual(['a.mov']);
  await sqlIn(world, "DELETE FROM file_use WHERE item_id = 'VX-10'");
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov']);
});

it('no more than a hundred moves wait at a time: the next one begins when one of them has ended', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'a.mov');
  await sqlIn(
    world,
    `INSERT INTO placing_copy (component_id, storage_id, file_id, job_id)
      SELECT 'C-' || value, 'VX-1', 'F-' || value, 'J-' || value FROM json_each('${JSON.stringify(Array.from({ length: 100 }, (_, at) => at))}')`,
  );
  await folder(world, 'Films');
  await work(world);
  expect(await jobsOf(world)).toEqual([]);
  await sqlIn(world, "DELETE FROM placing_copy WHERE component_id = 'C-0'");
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov']);
  const left = await rowsOf(world, 'placing_copy');
  expect(left, 'the move itself is forgotten').toHaveLength(99);
});

it('a move that fails rests an hour, and is tried once in it', async () => {
  let isBroken = true;
  const world = await worldOf('placement', {
    scheme: (inner) => ({
      ...inner,
      open: (...given: Parameters<typeof inner.open>) => {
        const driver = inner.open(...given);
        return new Proxy(driver, {
          get(of, key) {
            if (key === 'stat' && isBroken)
              return async (path: string) => {
                if (path.startsWith('Films/')) throw new Error('broken');
                return of.stat(path);
              };
            const value = Reflect.get(of, key) as unknown;
            return typeof value === 'function' ? value.bind(of) : value;
          },
        });
      },
    }),
  });
  await shapeAt(world, 'a.mov');
  await folder(world, 'Films');
  await work(world, 600);
  expect(await jobsOf(world)).toEqual(['MOVE_FILE FAILED_TOTAL']);
  isBroken = false;
  await world.clock.advance(3_600_000);
  await work(world);
  expect(pathsIn(world)).toEqual(['Films/a.mov']);
});

it('a copy with a timeRequirement is not moved for so long', async () => {
  const world = await worldOf('placement');
  const { fileId } = await shapeAt(world, 'a.mov');
  await done(
    world,
    ask(`POST /API/file/${fileId}/storage/VX-2?filename=mine.mov&timeRequirement=7200`, undefined, admin),
  );
  await work(world);
  await folder(world, 'Films');
  await work(world);
  expect([...world.to.files.keys()]).toEqual(['mine.mov']);
  await world.clock.advance(7_200_000);
  await work(world);
  expect([...world.to.files.keys()]).toEqual(['Films/mine.mov']);
});
