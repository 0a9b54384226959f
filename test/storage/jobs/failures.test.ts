import { expect, it } from 'vitest';
import type { StorageDriver, StorageErrorKind, StorageScheme } from '../../../src/spi/index.ts';
import { ended, type JobSeen, jobOf, upload } from '../../support/files.ts';
import { asking, done, rowsOf, sqlIn, textAt } from '../../support/requests.ts';
import { held } from '../../support/work.ts';
import { librarian, type RoomWorld, viewer, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const copy = (query = '') => ask(`POST /API/file/VX-1/storage/VX-2${query}`);
const failure = (kind: StorageErrorKind) => Object.assign(new Error(`the storage says ${kind}`), { kind });

type Calls = Partial<StorageDriver>;

/** A world whose storage VX-2 does some things otherwise. */
async function openWith(change: (driver: StorageDriver) => Calls, settings = {}): Promise<RoomWorld> {
  const scheme = (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      return address.uri === 'memory:///out/' ? { ...driver, ...change(driver) } : driver;
    },
  });
  const world = await worldOf('transfers', { scheme, settings });
  await done(world, upload('a.mov', 'hello'));
  return world;
}

/** A call that fails so many times. */
function failing<A extends readonly unknown[], R>(
  times: number,
  kind: StorageErrorKind,
  call: (...given: A) => Promise<R>,
) {
  let left = times;
  return async (...given: A): Promise<R> => {
    if (left-- > 0) throw failure(kind);
    return call(...given);
  };
}

const attempts = ({ log }: JobSeen) =>
  log!.task.filter(({ step }) => step === 100).map(({ attempts: attempt, status }) => `${attempt} ${status}`);

it.each(['stage', 'publish'] as const)('a storage that fails twice at %s is asked a third time', async (call) => {
  const world = await openWith((driver) => ({ [call]: failing(2, 'failed', driver[call]! as never) }));
  const { jobId } = await done<JobSeen>(world, copy());
  const end = await ended(world, jobId);
  expect(end.status).toBe('FINISHED');
  expect(attempts(end)).toEqual(['0 FAILED_RETRY', '1 FAILED_RETRY', '2 FINISHED']);
  expect(textAt(world.to, 'a.mov')).toBe('hello');
});

it('a step that fails three times fails the job, which leaves nothing behind', async () => {
  const world = await openWith((driver) => ({ stage: failing(99, 'failed', driver.stage!) }));
  const { jobId } = await done<JobSeen>(world, copy('?move=true'));
  await world.service.tick();
  expect(await jobOf(world, jobId)).toMatchObject({ status: 'STARTED', currentStep: { status: 'FAILED_RETRY' } });
  const start = world.clock.now();
  const end = await ended(world, jobId);
  expect(world.clock.now() - start).toBe(35_000);
  expect(end.status).toBe('FAILED_TOTAL');
  expect(attempts(end)).toEqual(['0 FAILED_RETRY', '1 FAILED_RETRY', '2 FAILED_FATAL']);
  expect(end.log!.task.at(-1)!.errorMessage).toBe('the storage says failed');
  expect((await rowsOf(world, 'file')).map(({ id, state }) => [id, state])).toEqual([['VX-1', 'CLOSED']]);
  for (const table of ['file_job', 'publication']) expect(await rowsOf(world, table), table).toEqual([]);
  expect([world.to.files.size, world.to.staged.size]).toEqual([0, 0]);
});

it('a full storage is waited for, and the bytes of others are kept free', async () => {
  const world = await openWith(() => ({}), { minFreeBytes: 100 });
  world.to.room = 104;
  const { jobId } = await done<JobSeen>(world, copy());
  await world.service.tick();
  expect((await jobOf(world, jobId)).waiting).toEqual({
    resourceType: 'STORAGE',
    resourceId: 'VX-2',
    requirement: 'StorageFull',
  });
  const problems = async () => (await done(world, ask(`GET /API/job/${jobId}/problem`, undefined, viewer)))['problem'];
  const data = [{ key: 'storageId', value: 'VX-2' }];
  expect(await problems()).toMatchObject([{ type: 'StorageFull', data, job: [jobId] }]);
  world.to.room = 105;
  expect((await ended(world, jobId)).status).toBe('FINISHED');
  expect(await problems()).toBeUndefined();
});

it('bytes of somebody else at the path fail the job, and stay', async () => {
  let world: RoomWorld | undefined;
  world = await openWith((driver) => ({
    async stage(...given) {
      world?.to.put('b.mov', 'foreign');
      return driver.stage!(...given);
    },
  }));
  const { jobId } = await done<JobSeen>(world, copy('?filename=b.mov'));
  const end = await ended(world, jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  await world.service.tick();
  expect(textAt(world.to, 'b.mov')).toBe('foreign');
  expect((await rowsOf(world, 'file')).map(({ id }) => id)).toEqual(['VX-1']);
  expect(world.to.staged.size).toBe(0);
});

it('a publication that nobody can tell the end of is asked again, not made twice', async () => {
  let calls = 0;
  const world = await openWith((driver) => ({
    async publish(...given) {
      const made = await driver.publish!(...given);
      if (++calls === 1) throw failure('offline');
      return made;
    },
  }));
  const { jobId } = await done<JobSeen>(world, copy());
  await world.service.tick();
  expect(textAt(world.to, 'a.mov')).toBe('hello');
  expect(await jobOf(world, jobId)).toMatchObject({ status: 'WAITING', waiting: { requirement: 'StorageOffline' } });
  const end = await ended(world, jobId);
  expect(end.status).toBe('FINISHED');
  expect((await world.events()).filter(({ name, entity }) => name === 'file/close' && entity === 'VX-2')).toHaveLength(
    1,
  );
});

it('a source whose bytes are gone is waited for', async () => {
  const world = await openWith(() => ({}));
  world.from.files.delete('a.mov');
  const { jobId } = await done<JobSeen>(world, copy());
  await world.service.tick();
  expect((await jobOf(world, jobId)).waiting).toMatchObject({ requirement: 'FileMissing', resourceId: 'VX-1' });
});

it.each([
  ['before it begins', async () => undefined],
  [
    'while it waits for its storage',
    async (world: RoomWorld) => {
      world.to.offline = 'no network';
      await world.service.tick();
      world.to.offline = undefined;
    },
  ],
])('a job that is aborted %s cleans up, is ABORTED, and says why', async (_when, given) => {
  const world = await openWith(() => ({}));
  const { jobId } = await done<JobSeen>(world, copy('?move=true'));
  await given(world);
  const before = (await world.events()).at(-1)!.sequence;
  const answer = await done<JobSeen>(world, ask(`DELETE /API/job/${jobId}?reason=wrong%20tape`, undefined, viewer));
  expect(answer).toMatchObject({ jobId, status: 'ABORTED_PENDING' });
  const end = await ended(world, jobId);
  expect(end.status).toBe('ABORTED');
  expect(end.data).toContainEqual({ key: 'abortReason', value: 'wrong tape' });
  expect((await rowsOf(world, 'file')).map(({ id, state }) => [id, state])).toEqual([['VX-1', 'CLOSED']]);
  expect([textAt(world.from, 'a.mov'), world.to.files.size, world.to.staged.size]).toEqual(['hello', 0, 0]);
  const told = (await world.events(before)).filter(({ name }) => name.startsWith('job/'));
  expect(told.map(({ name, payload }) => `${name} ${payload['status']}`)).toEqual([
    'job/update ABORTED_PENDING',
    'job/update ABORTED',
    'job/stop ABORTED',
    'job/fail ABORTED',
  ]);
  const twice = await world.send(ask(`DELETE /API/job/${jobId}`, undefined, viewer));
  expect([twice.status, twice.headers.get('portico-error')]).toEqual([409, 'job-ended']);
});

it('a job that is aborted while its bytes are on their way ends its work, and leaves none', async () => {
  let world: RoomWorld | undefined;
  let jobId = '';
  world = await openWith((driver) => ({
    async stage(...given) {
      if (world) await done(world, ask(`DELETE /API/job/${jobId}`, undefined, viewer));
      return driver.stage!(...given);
    },
  }));
  ({ jobId } = await done<JobSeen>(world, copy()));
  const end = await ended(world, jobId);
  expect(end.status).toBe('ABORTED');
  expect([world.to.files.size, world.to.staged.size]).toEqual([0, 0]);
  expect((await rowsOf(world, 'file')).map(({ id, state }) => [id, state])).toEqual([['VX-1', 'CLOSED']]);
});

it('an abort ends a publication first that nobody can tell the end of, and then takes the copy away', async () => {
  let calls = 0;
  const world = await openWith((driver) => ({
    async publish(...given) {
      const made = await driver.publish!(...given);
      if (++calls <= 2) throw failure('offline');
      return made;
    },
  }));
  const { jobId } = await done<JobSeen>(world, copy());
  await world.service.tick();
  await done(world, ask(`DELETE /API/job/${jobId}`, undefined, viewer));
  await world.service.tick();
  expect((await jobOf(world, jobId)).status).toBe('ABORTED_PENDING');
  expect((await ended(world, jobId)).status).toBe('ABORTED');
  await world.clock.advance(10_000);
  await world.service.tick();
  expect(world.to.files.size).toBe(0);
  for (const table of ['file_job', 'publication']) expect(await rowsOf(world, table), table).toEqual([]);
  expect((await rowsOf(world, 'file')).map(({ id, state }) => [id, state])).toEqual([['VX-1', 'CLOSED']]);
});

it('two instances take a job once, and one goes on when the other is gone', async () => {
  const world = await openWith(() => ({}));
  const { jobId } = await done<JobSeen>(world, copy());
  const [first, second] = [await claimOf(world), await claimOf(world)];
  expect([first, second]).toEqual([[jobId], []]);
  await world.clock.advance(60_000);
  const end = await ended(world, jobId);
  expect(end.status).toBe('FINISHED');
  expect(world.to.files.size).toBe(1);
});

it('the step of an instance that is gone has disappeared after 60 seconds, and is tried again', async () => {
  const hangs: (() => void)[] = [];
  const world = await openWith((driver) => ({
    async stage(...given) {
      if (hangs.length === 0) await new Promise<void>((resolve) => hangs.push(resolve));
      return driver.stage!(...given);
    },
  }));
  const { jobId } = await done<JobSeen>(world, copy());
  const kind = world.service.kinds.find(({ name }) => name === 'jobs')!;
  const [piece] = await kind.claim(3, world.clock.now(), () => false);
  // The process hangs: nobody moves the lease on.
  const running = kind.do(piece!, held);
  await expect.poll(() => hangs.length).toBe(1);
  await world.clock.advance(59_000);
  await world.service.tick();
  expect(attempts(await jobOf(world, jobId))).toEqual(['0 STARTED']);
  await world.clock.advance(1_000);
  const end = await ended(world, jobId);
  expect([end.status, attempts(end)]).toEqual(['FINISHED', ['0 DISAPPEARED', '1 FINISHED']]);
  hangs[0]!();
  await running;
  expect((await jobOf(world, jobId)).status).toBe('FINISHED');
  expect([...world.to.files.keys()]).toEqual(['a.mov']);
});

it('results of a job stay when its row is deleted', async () => {
  const world = await openWith(() => ({}));
  const { jobId } = await done<JobSeen>(world, copy());
  await ended(world, jobId);
  const before = await rowsOf(world, 'file');
  await done(world, ask(`DELETE /API/job?id=${jobId}`, undefined, viewer));
  expect((await world.send(ask(`GET /API/job/${jobId}`, undefined, viewer))).status).toBe(404);
  await world.service.tick();
  expect(await rowsOf(world, 'file')).toEqual(before);
  expect([textAt(world.from, 'a.mov'), textAt(world.to, 'a.mov')]).toEqual(['hello', 'hello']);
});

it('a job of a type that this instance does not know is left to others', async () => {
  const world = await openWith(() => ({}));
  const { jobId } = await done<JobSeen>(world, copy());
  for (const due of [0, 1]) {
    await sqlIn(world, 'UPDATE job SET type = ?, due = ?', 'NEWER', due);
    await world.service.tick();
    expect(await rowsOf(world, 'job')).toMatchObject([{ id: jobId, due, fence: 0, status: 'READY' }]);
  }
});

/** Takes what is due, as an instance does that stops then. */
async function claimOf({ service, clock }: RoomWorld): Promise<readonly string[]> {
  const kind = service.kinds.find(({ name }) => name === 'jobs')!;
  return (await kind.claim(3, clock.now(), () => false)).map(({ key }) => key);
}

/** Storages whose file `hangs.mov` never sends its bytes. */
const hanging = (begun: () => void) => (inner: StorageScheme) => ({
  ...inner,
  open(address: Parameters<StorageScheme['open']>[0]) {
    const driver = inner.open(address);
    const read: typeof driver.read = async (path, options) => {
      const found = await driver.read(path, options);
      if (path !== 'hangs.mov') return found;
      await found.body.cancel();
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull() {
          begun();
          return new Promise(() => undefined);
        },
      });
      return { ...found, body };
    };
    return { ...driver, read };
  },
});

it('an abort cuts a source that hangs at once, and the job of somebody else gets its place', async () => {
  let hangs = 0;
  const world = await worldOf('transfers', { scheme: hanging(() => hangs++), settings: { concurrentJobs: 1 } });
  for (const name of ['hangs.mov', 'b.mov']) await done(world, upload(name, 'hello'));
  const running = world.service.work();
  const copyOf = (id: string) => done<JobSeen>(world, ask(`POST /API/file/${id}/storage/VX-2`));
  const first = await copyOf('VX-1');
  await expect.poll(() => hangs).toBeGreaterThan(0);
  const second = await copyOf('VX-2');
  const statusOf = async ({ jobId }: JobSeen) => (await jobOf(world, jobId)).status;
  expect(await statusOf(second)).toBe('READY');
  const began = world.clock.now();
  await done(world, ask(`DELETE /API/job/${first.jobId}`, undefined, viewer));
  await expect.poll(() => statusOf(first)).toBe('ABORTED');
  await expect.poll(() => statusOf(second)).toBe('FINISHED');
  // No time passes in this test: nobody waits for a lease or for a look.
  expect(world.clock.now()).toBe(began);
  expect((await rowsOf(world, 'file')).map(({ path }) => path).toSorted()).toEqual(['b.mov', 'b.mov', 'hangs.mov']);
  expect([[...world.to.files.keys()], world.to.staged.size]).toEqual([['b.mov'], 0]);
  await world.service.close();
  await running;
});
