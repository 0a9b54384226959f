import { expect, it } from 'vitest';
import { upload } from '../../support/files.ts';
import { copiesOf, jobsOf, rule, shapeAt, work } from '../../support/media.ts';
import { asking, done, rowsOf, sqlIn } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { held } from '../../support/work.ts';
import { librarian, type RoomWorld, type WorldOptions, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const hundred = 'x'.repeat(100);

/** Eight components with 100 bytes each, on VX-1 and VX-2. */
async function filled(options: WorldOptions = {}): Promise<RoomWorld> {
  const world = await worldOf('placement', options);
  await rule(world, { storageCount: 2, storage: ['VX-1', 'VX-2'] });
  for (let index = 0; index < 8; index++) await shapeAt(world, `f${index}`, { bytes: hundred, tag: 'original' });
  await work(world);
  expect(world.to.files.size).toBe(8);
  return world;
}

/** VX-1 has room for 1000 bytes. */
const marks = (world: RoomWorld, low: number, high: number) =>
  done(
    world,
    ask(
      'PUT /API/storage/VX-1',
      JSON.stringify({ capacity: 1000, lowWatermarkPercentage: low, highWatermarkPercentage: high }),
      admin,
    ),
  );

it('surplus copies are deleted from the high watermark down to the low one, and no further', async () => {
  const world = await filled();
  await rule(world, { storageCount: 1 });
  await marks(world, 50, 80);
  await work(world, 120);
  expect(world.from.files.size).toBe(5);
  expect(world.to.files.size).toBe(8);
  expect((await jobsOf(world)).filter((job) => job === 'DELETE_FILE FINISHED')).toHaveLength(3);
  await work(world, 120);
  expect(world.from.files.size).toBe(5);
});

it('surplus copies stay below the high watermark', async () => {
  const world = await filled();
  await rule(world, { storageCount: 1 });
  await marks(world, 50, 81);
  await work(world, 120);
  expect(world.from.files.size).toBe(8);
});

it('a copy that the rule wants stays, however full its storage is', async () => {
  const world = await filled();
  await marks(world, 10, 20);
  await work(world, 120);
  expect(world.from.files.size).toBe(8);
  expect((await jobsOf(world)).filter((job) => job.startsWith('DELETE_FILE'))).toEqual([]);
});

it('the last copy stays, however full its storage is', async () => {
  const world = await worldOf('placement');
  await rule(world, {});
  for (let index = 0; index < 8; index++) await shapeAt(world, `f${index}`, { bytes: hundred });
  await marks(world, 10, 20);
  await work(world, 120);
  expect(world.from.files.size).toBe(8);
});

it('files without a component or without a rule stay', async () => {
  const world = await worldOf('placement');
  await rule(world, { storage: ['VX-2'] }, 'shape-tag/storage-rule/low');
  const { fileId } = await shapeAt(world, 'a', { bytes: hundred });
  await done(world, ask(`POST /API/file/${fileId}/storage/VX-2`));
  await done(world, upload('b', hundred));
  await marks(world, 1, 10);
  await work(world, 120);
  expect([...world.from.files.keys()].toSorted()).toEqual(['a', 'b']);
});

it('bytes that wait for the end of their grace time count as gone', async () => {
  const world = await filled({ settings: { deleteGraceHours: 24 } });
  await rule(world, { storageCount: 1 });
  await marks(world, 50, 80);
  await work(world, 120);
  expect(world.from.files.size).toBe(8);
  const waiting = (await rowsOf(world, 'file')).filter(({ state }) => state === 'TO_BE_DELETED');
  expect(waiting.map(({ storage_id }) => storage_id)).toEqual(['VX-1', 'VX-1', 'VX-1']);
  await world.clock.advance(25 * 3_600_000);
  await work(world, 120);
  expect(world.from.files.size).toBe(5);
});

it('two full storages do not both give up the copies of a component', async () => {
  const world = await filled();
  await rule(world, { storageCount: 1 });
  await sqlIn(
    world,
    "UPDATE storage SET capacity = 1000, low_watermark = 1, high_watermark = 10 WHERE id IN ('VX-1', 'VX-2')",
  );
  const kind = world.service.kinds.find(({ name }) => name === 'watermarks')!;
  await Promise.all([kind.do({ key: 'VX-1' }, held), kind.do({ key: 'VX-2' }, held)]);
  await work(world, 120);
  expect(world.from.files.size + world.to.files.size).toBe(8);
  const components = new Set((await rowsOf(world, 'component')).map(({ id }) => String(id)));
  for (const id of components) expect(await copiesOf(world, id)).toHaveLength(1);
});
