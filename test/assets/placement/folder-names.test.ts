import { expect, it } from 'vitest';
import { namesInFolder } from '../../../src/assets/items/collections/folder-names.ts';
import { findFolder, mapFolder, nameFolder } from '../../../src/assets/items/collections/folders-sql.ts';
import { upload } from '../../support/files.ts';
import { jobsOf, shapeAt, work } from '../../support/media.ts';
import { asking, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { memoryStore, nobody } from '../../support/store.ts';
import { costSince, cpuTime } from '../../support/turns.ts';
import { librarian, type RoomWorld, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const put = (world: RoomWorld, path: string) => done(world, ask(`PUT /API/collection/${path}`, undefined, admin));

/** A collection that is a folder, with the item VX-100. */
async function folder(world: RoomWorld, name: string, member = 'VX-100'): Promise<string> {
  const path = `/API/collection?name=${encodeURIComponent(name)}`;
  const { id } = await done<{ id: string }>(world, ask(`POST ${path}`, undefined, admin));
  await put(world, `${id}/${member}`);
  await put(world, `${id}/map-to-folder`);
  return id;
}

const pathsIn = (world: RoomWorld) => [...world.from.files.keys()].toSorted();

it('a folder that has a hundred files of one name is moved into once, not past it and back', async () => {
  const world = await worldOf('placement');
  for (let count = 0; count < 100; count++) {
    await done(world, upload(`Films/a${count === 0 ? '' : `-${count}`}.mov`, 'x', 'VX-1'));
  }
  const { fileId } = await shapeAt(world, 'a.mov');
  await folder(world, 'Films');
  await work(world, 120);
  expect(await jobsOf(world)).toEqual(['MOVE_FILE FINISHED']);
  expect(pathsIn(world)).toContain(`Films/a-${fileId}.mov`);
});

it('a name with a number is cut where no folder takes it', () => {
  const names = namesInFolder(`${'é'.repeat(125)}.mov`, 'VX-12345');
  expect(new Set(names).size).toBe(names.length);
  for (const each of names) {
    expect(new TextEncoder().encode(each).byteLength).toBeLessThanOrEqual(255);
    expect(each).toMatch(/^é+(-\w+(-\d+)?)?\.mov$/);
  }
});

it('a folder so deep that no path has room for it gets no file', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'a.mov');
  let inner = await folder(world, 'x'.repeat(250));
  for (let at = 0; at < 17; at++) inner = await folder(world, 'x'.repeat(250), `${inner}?type=collection`);
  await work(world, 120);
  expect(pathsIn(world)).toEqual(['a.mov']);
  expect(await jobsOf(world)).toEqual([]);
});

it('attack: a title of a megabyte does not hold the loop where it names a folder', async () => {
  const world = await worldOf('placement');
  const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=a', undefined, admin));
  const title = 'é'.repeat(500_000);
  await done(world, { ...ask(`PUT /API/collection/${id}`, JSON.stringify({ name: title }), admin) });
  const begun = cpuTime();
  const answer = await world.send(ask(`PUT /API/collection/${id}/folder-name`, undefined, admin));
  expect(answer.body).toBe('é'.repeat(127));
  expect(costSince(begun)).toBeLessThan(2000);
});

it('a name that one instance gives and a folder that another one makes are both kept', async () => {
  const store = await memoryStore();
  // Each was decided when neither was there.
  const changes = [
    mapFolder({ collectionId: 'VX-1', name: 'title', mapped: 1 }),
    nameFolder({ collectionId: 'VX-1', name: 'given', mapped: 0 }),
  ];
  for (const change of changes) await store.commit({ changes: [change], events: [] }, nobody);
  expect(await findFolder(store, { collectionId: 'VX-1' })).toMatchObject({ name: 'given', mapped: 1 });
  for (const change of changes.toReversed()) await store.commit({ changes: [change], events: [] }, nobody);
  expect(await findFolder(store, { collectionId: 'VX-1' })).toMatchObject({ name: 'given', mapped: 1 });
});
