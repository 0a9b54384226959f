import { expect, it } from 'vitest';
import { startOfTime } from '../../support/clock.ts';
import { type JobSeen, upload } from '../../support/files.ts';
import { asking, done, rowsOf, sqlIn, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { held } from '../../support/work.ts';
import { librarian, type RoomWorld, storageRows, type WorldOptions, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const evacuate = ask('PUT /API/storage/VX-1/evacuate', undefined, admin);

async function filled(count: number, options: WorldOptions = {}): Promise<RoomWorld> {
  const world = await worldOf('transfers', options);
  for (let index = 0; index < count; index++) await done(world, upload(`in/${index}.mov`, `bytes ${index}`));
  return world;
}

async function work(world: RoomWorld, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    await world.service.tick();
    await world.clock.advance(5_000);
  }
  await world.service.tick();
}

const stateOf = async (world: RoomWorld) =>
  (await world.service.store.read("SELECT state FROM storage WHERE id = 'VX-1'"))[0]![0];
const jobsOf = async (world: RoomWorld) => (await rowsOf(world, 'job')).map(({ type, status }) => `${type} ${status}`);

it('all files of a storage move to others, and it is EVACUATED when the bytes of the last one are gone', async () => {
  const world = await filled(30, { settings: { deleteGraceHours: 0 } });
  await done(world, evacuate);
  expect(await stateOf(world)).toBe('EVACUATING');
  await work(world, 120);
  expect(world.from.files.size).toBe(0);
  expect(world.to.files.size).toBe(30);
  expect(textAt(world.to, 'in/7.mov')).toBe('bytes 7');
  expect(
    (await rowsOf(world, 'file')).every(({ storage_id, state }) => storage_id === 'VX-2' && state === 'CLOSED'),
  ).toBe(true);
  expect(await stateOf(world)).toBe('EVACUATED');
  expect(new Set(await jobsOf(world))).toEqual(new Set(['MOVE_FILE FINISHED']));
  const { job } = await done<{ job: readonly JobSeen[] }>(
    world,
    ask('GET /API/job?user=false&number=1', undefined, admin),
  );
  expect(job[0]!.user).toBeUndefined();
});

it('a storage is EVACUATED only when the grace time of its files is over', async () => {
  const world = await filled(1, { settings: { deleteGraceHours: 24 } });
  await done(world, evacuate);
  await work(world, 30);
  expect(world.to.files.size).toBe(1);
  expect(await stateOf(world)).toBe('EVACUATING');
  await world.clock.advance(24 * 3_600_000);
  await work(world, 20);
  expect(await stateOf(world)).toBe('EVACUATED');
});

it('a storage without files is EVACUATED soon', async () => {
  const world = await filled(0);
  await done(world, evacuate);
  await work(world, 15);
  expect(await stateOf(world)).toBe('EVACUATED');
});

it('the storage rule of an item says where its files move', async () => {
  const world = await filled(1);
  await storageRows(world, { id: 'VX-3', uri: 'memory:///third/' });
  await sqlIn(world, "INSERT INTO file_use VALUES ('VX-1', 'VX-7', 'VX-8', 'VX-9')");
  await sqlIn(
    world,
    `INSERT INTO storage_rule (entity_type, entity_id, tag, precedence, document)
      VALUES ('ITEM', 'VX-7', '', 2, '{"storage":["VX-3"]}')`,
  );
  await done(world, evacuate);
  await work(world, 30);
  expect([...world.storage.place('memory:///third/').files.keys()]).toEqual(['in/0.mov']);
});

it('a cancelled evacuation begins no move, and moved files do not come back', async () => {
  const world = await filled(5);
  await world.clock.advance(20_000);
  await done(world, evacuate);
  world.to.offline = 'no network';
  await work(world, 15);
  await done(world, ask('DELETE /API/storage/VX-1/evacuate', undefined, admin));
  expect(await stateOf(world)).toBe('READY');
  await sqlIn(world, "UPDATE job SET step = NULL, step_status = NULL, status = 'READY', due = 0, waiting = NULL");
  world.to.offline = undefined;
  await work(world, 60);
  expect(world.to.files.size).toBe(0);
  expect(new Set(await jobsOf(world))).toEqual(new Set(['MOVE_FILE FAILED_TOTAL']));
  expect((await rowsOf(world, 'file')).every(({ state }) => state === 'CLOSED')).toBe(true);
});

it('a move that fails is tried again an hour later, and holds up no other one', async () => {
  const world = await filled(3);
  await sqlIn(world, `UPDATE file SET hash = '${'0'.repeat(40)}' WHERE id = 'VX-1'`);
  await done(world, evacuate);
  await work(world, 60);
  expect([...world.to.files.keys()].sort()).toEqual(['in/1.mov', 'in/2.mov']);
  const failed = async () => (await jobsOf(world)).filter((job) => job.endsWith('FAILED_TOTAL')).length;
  expect(await failed()).toBe(1);
  await work(world, 60);
  expect(await failed()).toBe(1);
  await world.clock.advance(3_600_000);
  await work(world, 30);
  expect(await failed()).toBe(2);
});

it('no more than a hundred moves of a storage wait at a time', async () => {
  const world = await worldOf('transfers');
  await sqlIn(
    world,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
      INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version)
      SELECT 'VX-' || (5000 + i), 5000 + i, 'VX-1', 'f' || i, '', 'f' || i, '', 'CLOSED', 0, 0, 1 FROM n`,
  );
  await done(world, evacuate);
  await work(world, 30);
  expect((await rowsOf(world, 'job')).length).toBe(100);
  expect(world.clock.now()).toBeGreaterThan(startOfTime);
});

it('two instances start one move of a file', async () => {
  const world = await filled(10);
  await done(world, evacuate);
  const kind = world.service.kinds.find(({ name }) => name === 'evacuation')!;
  await Promise.all([kind.do({ key: 'VX-1' }, held), kind.do({ key: 'VX-1' }, held)]);
  expect((await rowsOf(world, 'job')).length).toBe(10);
});
