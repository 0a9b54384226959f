import { expect, it } from 'vitest';
import type { StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { ended, type JobSeen, told, upload, useFile } from '../../support/files.ts';
import { asking, done, rowsOf, sqlIn, textAt } from '../../support/requests.ts';
import { librarian, type RoomWorld, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const remove = (query = '') => ask(`DELETE /API/file/VX-1${query}`);
const last = async (world: RoomWorld) => (await world.events()).at(-1)?.sequence ?? 0;
const hour = 3_600_000;

/** A world with `a.mov`, whose storage does some things otherwise. */
async function openWith(change: (driver: StorageDriver) => Partial<StorageDriver> = () => ({}), deleteGraceHours = 0) {
  const scheme = (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      return { ...driver, ...change(driver) };
    },
  });
  const world = await worldOf('transfers', { scheme, settings: { deleteGraceHours } });
  await done(world, upload('a.mov', 'hello'));
  return world;
}

async function wait(world: RoomWorld, milliseconds: number): Promise<void> {
  await world.clock.advance(milliseconds);
  await world.service.tick();
}

it('a file is deleted as a job: its bytes, then its entry, and callers are told of both', async () => {
  const world = await openWith();
  await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14');
  const before = await last(world);
  const job = await done<JobSeen>(world, remove('?priority=HIGH&jobmetadata=why%3Dold'));
  expect(job).toMatchObject({ type: 'DELETE_FILE', status: 'READY', priority: 'HIGH' });
  const end = await ended(world, job.jobId);
  expect(end).toMatchObject({ status: 'FINISHED', currentStep: { description: 'Deleting file', status: 'FINISHED' } });
  expect(end.data).toContainEqual({ key: 'why', value: 'old' });
  expect(textAt(world.from, 'a.mov')).toBeUndefined();
  expect((await world.send(ask('GET /API/file/VX-1'))).status).toBe(404);
  expect((await world.send(remove())).status).toBe(404);
  expect(await told(world, before)).toEqual([
    ...['job/create VX-1', 'file/change VX-1', 'file/delete VX-1'],
    ...['job/update VX-1', 'job/stop VX-1', 'job/finished VX-1'],
  ]);
  const gone = (await world.events(before)).find(({ name }) => name === 'file/delete')!;
  expect(gone.payload).toEqual({ fileId: 'VX-1', storageId: 'VX-1', shapeId: ['VX-12'], itemId: ['VX-7'] });
  for (const table of ['file', 'file_use', 'file_job', 'publication'])
    expect(await rowsOf(world, table), table).toEqual([]);
});

it('a job with a grace time ends at once, and background work removes the bytes after the grace time', async () => {
  const world = await openWith(undefined, 24);
  const end = await ended(world, (await done<JobSeen>(world, remove())).jobId);
  expect(end.status).toBe('FINISHED');
  expect(end.log!.task[0]!.subStep![0]!.description).toMatch(/^Its bytes go at 2030-01-02T/);
  await wait(world, 23 * hour);
  expect(textAt(world.from, 'a.mov')).toBe('hello');
  expect(await done(world, ask('GET /API/file/VX-1'))).toMatchObject({ state: 'TO_BE_DELETED' });
  await wait(world, hour);
  expect(textAt(world.from, 'a.mov')).toBeUndefined();
  expect(await rowsOf(world, 'file')).toEqual([]);
});

it.each([
  '/file/VX-1',
  '/storage/file/VX-1',
  '/storage/VX-1/file/VX-1',
  '/storage/VX-1/file/path/a.mov',
  '/storage/file/path/a.mov',
])('a file is deleted at %s', async (path) => {
  const world = await openWith();
  await ended(world, (await done<JobSeen>(world, ask(`DELETE /API${path}`))).jobId);
  expect(world.from.files.size).toBe(0);
});

it('a file that somebody marks goes without a job, ten seconds later at most', async () => {
  const world = await openWith();
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  const before = await last(world);
  await wait(world, 10_000);
  expect(await told(world, before)).toEqual(['file/delete VX-1']);
  expect(world.from.files.size).toBe(0);
});

it('a mark that is taken back in time keeps the file', async () => {
  const world = await openWith(undefined, 1);
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  await done(world, ask('PUT /API/file/VX-1/state/CLOSED'));
  await wait(world, 2 * hour);
  expect(textAt(world.from, 'a.mov')).toBe('hello');
});

it('bytes that are not there any more are no error', async () => {
  const world = await openWith();
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  world.from.files.delete('a.mov');
  await wait(world, 10_000);
  expect(await rowsOf(world, 'file')).toEqual([]);
});

it('a storage that refuses is asked again, later each time, and GET /work says why', async () => {
  let refusals = 3;
  let calls = 0;
  const world = await openWith((driver) => ({
    async remove(path) {
      calls++;
      if (refusals-- > 0) throw Object.assign(new Error('the disk is read-only'), { kind: 'denied' });
      return driver.remove!(path);
    },
  }));
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  await wait(world, 10_000);
  await wait(world, 30_000);
  expect(calls).toBe(1);
  const kind = world.service.kinds.find(({ name }) => name === 'file-deletion')!;
  expect(await kind.measure?.()).toMatchObject({ waiting: 0 });
  const work = JSON.stringify(await done(world, ask('GET /API/work', undefined, ['admin', 'password of admin'])));
  expect(work).toContain('Expected the storage VX-1 to delete the file VX-1: the disk is read-only');
  for (const pause of [60_000, 120_000, 240_000]) await wait(world, pause);
  expect(calls).toBe(4);
  expect(world.from.files.size).toBe(0);
});

it('bytes that somebody has put at the path since stay', async () => {
  const world = await openWith(undefined, 1);
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  world.from.put('a.mov', 'foreign');
  await wait(world, 2 * hour);
  expect(textAt(world.from, 'a.mov')).toBe('foreign');
  expect(await rowsOf(world, 'file')).toEqual([]);
});

it('a new file at the path of a deleted one keeps its bytes', async () => {
  const world = await openWith(undefined, 1);
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  await done(world, upload('a.mov', 'new'));
  await wait(world, 2 * hour);
  expect(textAt(world.from, 'a.mov')).toBe('new');
  expect((await rowsOf(world, 'file')).map(({ id, state }) => `${id} ${state}`)).toEqual(['VX-2 CLOSED']);
});

it('a file that a job reads is deleted when the job has ended', async () => {
  const world = await openWith();
  const copy = await done<JobSeen>(world, ask('POST /API/file/VX-1/storage/VX-2'));
  world.to.offline = 'no network';
  await world.service.tick();
  const deletion = await done<JobSeen>(world, remove());
  await world.service.tick();
  expect(textAt(world.from, 'a.mov')).toBe('hello');
  world.to.offline = undefined;
  await ended(world, copy.jobId);
  expect((await ended(world, deletion.jobId)).status).toBe('FINISHED');
  expect(world.from.files.size).toBe(0);
});

it('a file of a job is not forgotten: 409', async () => {
  const world = await openWith();
  await done(world, ask('POST /API/file/VX-1/storage/VX-2'));
  const answer = await world.send(ask('DELETE /API/file/VX-1/entity'));
  expect([answer.status, answer.headers.get('portico-error')]).toEqual([409, 'file-busy']);
});

it('a mark is not taken back while the bytes go', async () => {
  let world: RoomWorld | undefined;
  const answers: number[] = [];
  world = await openWith((driver) => ({
    async remove(path) {
      const removed = await driver.remove!(path);
      answers.push((await world!.send(ask('PUT /API/file/VX-1/state/CLOSED', undefined, librarian))).status);
      return removed;
    },
  }));
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  await wait(world, 10_000);
  expect(answers).toEqual([409]);
  expect(await rowsOf(world, 'file')).toEqual([]);
});

it('an upload to the path is refused while the bytes go, and taken behind it', async () => {
  let world: RoomWorld | undefined;
  const answers: number[] = [];
  world = await openWith((driver) => ({
    async remove(path) {
      answers.push((await world!.send(upload('a.mov', 'new'))).status);
      return driver.remove!(path);
    },
  }));
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  await wait(world, 10_000);
  expect(answers).toEqual([409]);
  await done(world, upload('a.mov', 'new'));
  expect(textAt(world.from, 'a.mov')).toBe('new');
});

it('what an instance left half done is ended by another one when its lease is over', async () => {
  const world = await openWith();
  await done(world, ask('PUT /API/file/VX-1/state/TO_BE_DELETED'));
  await sqlIn(
    world,
    `INSERT INTO publication (id, token, method_id, storage_id, path, file_id, mode, state, size, actor, at, instance, lease_until)
      VALUES ('remove VX-1', '', '', 'VX-1', 'a.mov', 'VX-1', 'remove', '', 0, '{}', 0, 'gone', ?)`,
    world.clock.now() + 60_000,
  );
  world.from.files.delete('a.mov');
  await wait(world, 30_000);
  expect(await rowsOf(world, 'file')).toHaveLength(1);
  await wait(world, 31_000);
  for (const table of ['file', 'publication']) expect(await rowsOf(world, table), table).toEqual([]);
});

it('a lock whose file is gone goes, too', async () => {
  const world = await openWith();
  await sqlIn(
    world,
    `INSERT INTO publication (id, token, method_id, storage_id, path, file_id, mode, state, size, actor, at, instance, lease_until)
      VALUES ('remove VX-9', '', '', 'VX-1', 'b.mov', 'VX-9', 'remove', '', 0, '{}', 0, 'gone', 1)`,
  );
  await wait(world, 10_000);
  expect(await rowsOf(world, 'publication')).toEqual([]);
});
