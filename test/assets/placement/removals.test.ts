import { expect, it } from 'vitest';
import { faultyDatabase } from '../../support/databases.ts';
import { copiesOf, jobsOf, rule, shapeAt, work } from '../../support/media.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { asking, done, sqlIn } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const hour = 3_600_000;

it('a copy that must not be there goes when the others are complete, and not before', async () => {
  const world = await worldOf('placement');
  const { componentId, fileId } = await shapeAt(world, 'a');
  await world.clock.advance(20_000);
  world.to.offline = 'no network';
  await rule(world, { storage: ['VX-2'], not: { storage: ['VX-1'] } });
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
  world.to.offline = undefined;
  await work(world, 600);
  expect(await copiesOf(world, componentId)).toEqual(['VX-2 CLOSED']);
  expect([...world.from.files.keys()]).toEqual([]);
  expect((await jobsOf(world)).toSorted()).toEqual(['COPY_FILE FINISHED', 'DELETE_FILE FINISHED']);
  expect((await world.events()).filter(({ name, entity }) => name === 'file/delete' && entity === fileId)).toHaveLength(
    1,
  );
});

it('not/any leaves nothing elsewhere', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-3'], not: { any: '' } });
  const { componentId } = await shapeAt(world, 'a');
  await work(world, 120);
  expect(await copiesOf(world, componentId)).toEqual(['VX-3 CLOSED']);
});

it('the last copy stays, wherever it must not be', async () => {
  const world = await worldOf('placement');
  await rule(world, { not: { storage: ['VX-1', 'VX-2', 'VX-3'] } });
  const { componentId } = await shapeAt(world, 'a');
  await work(world, 120);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
  expect(await jobsOf(world)).toEqual([]);
});

it('a file that another component needs stays', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-2'], not: { storage: ['VX-1'] } }, 'shape-tag/storage-rule/low');
  await done(world, ask('PUT /API/shape-tag/low', '{}', admin));
  const one = await shapeAt(world, 'a', { tag: 'low' });
  const other = await shapeAt(world, 'b', { item: 'VX-101' });
  await sqlIn(
    world,
    `INSERT INTO file_use VALUES ('${one.fileId}', 'VX-101', '${other.shapeId}', '${other.componentId}')`,
  );
  await work(world, 120);
  expect(await copiesOf(world, one.componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
});

it('a deletion lock keeps a copy that must not be there', async () => {
  const world = await worldOf('placement');
  const { componentId } = await shapeAt(world, 'a');
  const end = world.clock.now() + 2 * hour;
  await sqlIn(
    world,
    `INSERT INTO deletion_lock (id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at)
      VALUES ('VX-1', 1, 'item', 'VX-100', 'u', 'u', ${end}, 0)`,
  );
  await rule(world, { storage: ['VX-2'], not: { storage: ['VX-1'] } });
  await work(world, 120);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  await world.clock.advance(3 * hour);
  await work(world, 120);
  expect(await copiesOf(world, componentId)).toEqual(['VX-2 CLOSED']);
});

it.each(['item', 'collection', 'file'] as const)(
  'a deletion lock of the %s that comes while the removal of a copy is prepared keeps the copy',
  async (kind) => {
    const database = faultyDatabase(await migratedDatabase());
    const world = await worldOf('placement', { database });
    const { componentId, fileId } = await shapeAt(world, 'a');
    await sqlIn(world, `INSERT INTO collection (id, serial, created_at) VALUES ('VX-7', 7, 0)`);
    await sqlIn(
      world,
      `INSERT INTO collection_member (collection_id, member_type, member_id, position, reference) VALUES ('VX-7', 'item', 'VX-100', 1, 'r')`,
    );
    await rule(world, { storage: ['VX-2'], not: { storage: ['VX-1'] } });
    const id = { item: 'VX-100', collection: 'VX-7', file: fileId }[kind];
    const lock = `INSERT INTO deletion_lock (id, serial, entity_type, entity_id, user_id, user, expires_at, modified_at)
      VALUES ('VX-1', 1, '${kind}', '${id}', 'u', 'u', 8e15, 0)`;
    let isLocked = false;
    const lockIt = async () => {
      isLocked = true;
      await sqlIn(world, lock);
    };
    database.beforeNextWrite(lockIt, 'NOT EXISTS (SELECT 1 FROM deletion_lock');
    await work(world, 120);
    expect([isLocked, await copiesOf(world, componentId)]).toEqual([true, ['VX-1 CLOSED', 'VX-2 CLOSED']]);
  },
);

it('a copy with a timeRequirement is left alone for so long', async () => {
  const world = await worldOf('placement');
  const { componentId, fileId } = await shapeAt(world, 'a');
  await done(world, ask(`POST /API/file/${fileId}/storage/VX-2?timeRequirement=7200`));
  await work(world);
  await rule(world, { not: { storage: ['VX-2'] } });
  await work(world, 120);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  await world.clock.advance(3 * hour);
  await work(world, 120);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
});
