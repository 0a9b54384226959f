import { expect, it } from 'vitest';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { ask, done, type JobSeen, jobOf, openJobs, rowsOf, upload, viewer } from './world.ts';

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
  const world = await openJobs({ scheme: hanging(() => hangs++), settings: { concurrentJobs: 1 } });
  for (const name of ['hangs.mov', 'b.mov']) await done(world, upload(name, 'hello'));
  const running = world.service.work();
  const copyOf = (id: string) => done<JobSeen>(world, ask(`POST /API/file/${id}/storage/VX-2`));
  const first = await copyOf('VX-1');
  await expect.poll(() => hangs).toBeGreaterThan(0);
  const second = await copyOf('VX-2');
  const statusOf = async ({ jobId }: JobSeen) => (await jobOf(world, jobId)).status;
  expect(await statusOf(second)).toBe('READY');
  const began = world.clock.now();
  await done(world, ask(`DELETE /API/job/${first.jobId}`, viewer));
  await expect.poll(() => statusOf(first)).toBe('ABORTED');
  await expect.poll(() => statusOf(second)).toBe('FINISHED');
  // No time passes in this test: nobody waits for a lease or for a look.
  expect(world.clock.now()).toBe(began);
  expect((await rowsOf(world, 'file')).map(({ path }) => path).toSorted()).toEqual(['b.mov', 'b.mov', 'hangs.mov']);
  expect([[...world.to.files.keys()], world.to.staged.size]).toEqual([['b.mov'], 0]);
  await world.service.close();
  await running;
});
