import { expect, it } from 'vitest';
import { loadPlaced } from '../../../src/assets/placement/load.ts';
import { refusalOf } from '../../../src/core/store/faults.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { jobOf, upload } from '../../support/files.ts';
import { copiesOf, jobsOf, rule, shapeAt, work } from '../../support/media.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { asking, done, rowsOf, sqlIn, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { held } from '../../support/work.ts';
import { librarian, storageRows, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const hour = 3_600_000;

it('a rule for two storages makes the second copy, by a job of nobody', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-1', 'VX-2'] });
  const { componentId } = await shapeAt(world, 'in/a.mov');
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  expect(textAt(world.to, 'in/a.mov')).toBe('bytes of in/a.mov');
  expect(await jobsOf(world)).toEqual(['COPY_FILE FINISHED']);
  const [job] = await rowsOf(world, 'job');
  expect((await jobOf(world, String(job!['id']))).user).toBeUndefined();
  expect(await rowsOf(world, 'placing_due')).toEqual([]);
  expect(await rowsOf(world, 'placing_copy')).toEqual([]);
});

it('a database that is busy for a moment delays a rule by seconds, and not by an hour', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await worldOf('placement', { database });
  await rule(world, { storage: ['VX-1', 'VX-2'] });
  const { componentId } = await shapeAt(world, 'in/a.mov');
  database.beforeNextRead('shape_filename', () => Promise.reject(refusalOf('busy', 'The database is locked')));
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
});

it('a rule that is set later reaches what is there already', async () => {
  const world = await worldOf('placement');
  const { componentId } = await shapeAt(world, 'a');
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
  await rule(world, { storageCount: 2 });
  await work(world);
  expect((await copiesOf(world, componentId)).length).toBe(2);
  await rule(world, { storageCount: 3 });
  await work(world);
  expect((await copiesOf(world, componentId)).length).toBe(3);
});

it('a rule for a tag is about the shapes that get the tag', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-3'] }, 'shape-tag/storage-rule/low');
  await done(world, ask('PUT /API/shape-tag/low', '{}', admin));
  const low = await shapeAt(world, 'a', { tag: 'low' });
  const other = await shapeAt(world, 'b', { item: 'VX-101' });
  await work(world);
  expect(await copiesOf(world, low.componentId)).toEqual(['VX-1 CLOSED', 'VX-3 CLOSED']);
  expect(await copiesOf(world, other.componentId)).toEqual(['VX-1 CLOSED']);
  await done(world, ask(`PUT /API/item/VX-101/shape/${other.shapeId}/tag/low`, undefined, admin));
  await work(world);
  expect(await copiesOf(world, other.componentId)).toEqual(['VX-1 CLOSED', 'VX-3 CLOSED']);
});

it('a storage that joins a group may get the copy that the group lacks', async () => {
  const world = await worldOf('placement');
  await done(world, ask('PUT /API/storage/storage-group/g', undefined, admin));
  await rule(world, { group: ['g'] });
  const { componentId } = await shapeAt(world, 'a');
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
  await done(world, ask('PUT /API/storage/storage-group/g/VX-3', undefined, admin));
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-3 CLOSED']);
});

it('a copy that is lost is made again', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-1', 'VX-2'] });
  const { componentId } = await shapeAt(world, 'a');
  await work(world);
  await sqlIn(world, "UPDATE file SET state = 'LOST' WHERE storage_id = 'VX-2'");
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-2 LOST', 'VX-2 CLOSED']);
});

it('the rule of a collection reaches the items of its collections', async () => {
  const world = await worldOf('placement');
  const { componentId } = await shapeAt(world, 'a');
  await sqlIn(world, "INSERT INTO collection (id, serial, created_at) VALUES ('VX-200', 200, 0), ('VX-201', 201, 0)");
  await sqlIn(
    world,
    `INSERT INTO storage_rule VALUES ('COLLECTION', 'VX-200', '', 2, '{"storage":["VX-2"]}'),
      ('GENERIC', '', '', 2, '{"storage":["VX-1"]}')`,
  );
  await sqlIn(
    world,
    "INSERT INTO collection_member (collection_id, member_type, member_id, position, reference) VALUES ('VX-201', 'item', 'VX-100', 0, 'r1')",
  );
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
  await sqlIn(
    world,
    "INSERT INTO collection_member (collection_id, member_type, member_id, position, reference) VALUES ('VX-200', 'collection', 'VX-201', 0, 'r2')",
  );
  await work(world);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
});

it('a copy that fails rests an hour, and holds up no other one', async () => {
  const world = await worldOf('placement');
  const { componentId } = await shapeAt(world, 'a');
  await sqlIn(world, "UPDATE file SET hash = '0000000000000000000000000000000000000000'");
  await rule(world, { storage: ['VX-2'] });
  const other = await shapeAt(world, 'b', { item: 'VX-101' });
  const failed = async () => (await jobsOf(world)).filter((job) => job === 'COPY_FILE FAILED_TOTAL').length;
  await work(world, 120);
  expect(await failed()).toBe(1);
  expect(await copiesOf(world, other.componentId)).toEqual(['VX-1 CLOSED', 'VX-2 CLOSED']);
  await work(world, 300);
  expect(await failed()).toBe(1);
  await world.clock.advance(hour);
  await work(world, 120);
  expect(await failed()).toBe(2);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED']);
});

it('a copy whose component goes meanwhile leaves nothing behind', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-2'] });
  const { shapeId } = await shapeAt(world, 'a');
  await world.clock.advance(20_000);
  world.to.offline = 'no network';
  await work(world, 20);
  expect((await rowsOf(world, 'placing_copy')).length).toBe(1);
  await done(world, ask(`DELETE /API/item/VX-100/shape/${shapeId}?keepFiles=true`, undefined, admin));
  expect(await rowsOf(world, 'placing_copy')).toEqual([]);
  world.to.offline = undefined;
  await work(world, 600);
  expect([...world.to.files.keys()]).toEqual([]);
  expect([...world.from.files.keys()]).toEqual(['a']);
});

it('no more than a hundred copies to a storage wait at a time', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-2'] });
  const { shapeId } = await shapeAt(world, 'a');
  await work(world);
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)';
  await sqlIn(
    world,
    `${many} INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
      SELECT 'VX-' || (5000 + i), 5000 + i, 'VX-1', 'f' || i, '', 'f' || i, '', 'CLOSED', 0, 0, 1 FROM n`,
  );
  await sqlIn(
    world,
    `${many} INSERT INTO component (id, shape_id, kind, position, expected, document)
      SELECT 'VX-' || (5000 + i), '${shapeId}', 'binary', i, 0, '{}' FROM n`,
  );
  await sqlIn(
    world,
    `${many} INSERT INTO file_use SELECT 'VX-' || (5000 + i), 'VX-100', '${shapeId}', 'VX-' || (5000 + i) FROM n`,
  );
  await work(world, 30);
  const running = async () => (await rowsOf(world, 'placing_copy')).length;
  expect(await running()).toBe(100);
  const [first] = await rowsOf(world, 'job').then((jobs) => jobs.filter(({ status }) => status !== 'FINISHED'));
  await done(world, ask(`DELETE /API/job/${first!['id']}`, undefined, admin));
  await work(world, 30);
  expect((await rowsOf(world, 'job')).length).toBe(102);
  const { work: kinds } = await done<{ work: readonly { kind: string; waiting: number }[] }>(
    world,
    ask('GET /API/work', undefined, admin),
  );
  expect(kinds.find(({ kind }) => kind === 'placements')).toMatchObject({ waiting: 30 });
});

it('without rules nothing is written for components', async () => {
  const world = await worldOf('placement');
  await shapeAt(world, 'a');
  await done(world, upload('b', 'bytes'));
  expect(await rowsOf(world, 'placing_due')).toEqual([]);
  expect(await rowsOf(world, 'placing_walk')).toEqual([]);
});

it('two instances start one copy for each component and storage', async () => {
  const world = await worldOf('placement');
  await storageRows(world, { id: 'VX-4', uri: 'memory:///fourth/' });
  for (let index = 0; index < 5; index++) await shapeAt(world, `f${index}`, { tag: 'original', item: 'VX-100' });
  await rule(world, { storage: ['VX-2', 'VX-3'] });
  const kind = world.service.kinds.find(({ name }) => name === 'placements')!;
  const piece = { key: 'components' };
  await Promise.all([kind.do(piece, held), kind.do(piece, held)]);
  await kind.do(piece, held);
  expect((await rowsOf(world, 'placing_copy')).length).toBe(10);
  expect((await jobsOf(world)).length).toBe(10);
});

it('a file that is moved is copied when it has moved: before, its component would lose the copy', async () => {
  const world = await worldOf('placement');
  const { componentId, fileId } = await shapeAt(world, 'in/a.mov');
  await work(world);
  await done(world, ask(`POST /API/storage/file/${fileId}/storage/VX-2?move=true`, undefined, admin));
  await rule(world, { storage: ['VX-3'] });
  const isMoving = async () =>
    (await loadPlaced(world.service.store, [componentId], world.clock.now()))[0]!.copies.map((copy) => copy.isMoving);
  expect(await isMoving()).toEqual([true]);
  // Nobody knows for how long such a move waits.
  for (const status of ['HOLD', 'WAITING']) {
    await sqlIn(world, `UPDATE job SET status = '${status}'`);
    expect(await isMoving(), status).toEqual([false]);
  }
  await sqlIn(world, "UPDATE job SET status = 'READY'");
  await work(world, 120);
  expect(await jobsOf(world)).toEqual(['MOVE_FILE FINISHED', 'COPY_FILE FINISHED']);
  expect(await copiesOf(world, componentId)).toEqual(['VX-2 CLOSED', 'VX-3 CLOSED']);
});

it('a file whose move is given up is copied soon, and not an hour later', async () => {
  const world = await worldOf('placement');
  const { componentId, fileId } = await shapeAt(world, 'in/a.mov');
  await work(world);
  const { jobId } = await done<{ jobId: string }>(
    world,
    ask(`POST /API/storage/file/${fileId}/storage/VX-2?move=true`, undefined, admin),
  );
  // Until then no host begins it.
  await sqlIn(world, `UPDATE job SET due = ${world.clock.now() + hour}`);
  await rule(world, { storage: ['VX-3'] });
  await work(world, 30);
  expect(await jobsOf(world)).toEqual(['MOVE_FILE READY']);
  await done(world, ask(`DELETE /API/job/${jobId}`, undefined, admin));
  await sqlIn(world, 'UPDATE job SET due = 0');
  await work(world, 120);
  expect(await jobsOf(world)).toEqual(['MOVE_FILE ABORTED', 'COPY_FILE FINISHED']);
  expect(await copiesOf(world, componentId)).toEqual(['VX-1 CLOSED', 'VX-3 CLOSED']);
});
