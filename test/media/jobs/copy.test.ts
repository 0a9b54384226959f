import { expect, it } from 'vitest';
import { ask, done, ended, type JobSeen, openJobs, rowsOf, told, upload, textAt } from './world.ts';

it('M5 U7 N14 a copy is verified in the steps 90, 92, 140 and 150, and the source stays', async () => {
  const world = await openJobs();
  await done(world, upload('in/a.mov', 'hello'));
  const before = (await world.events()).at(-1)!.sequence;
  const job = await done<JobSeen>(world, ask('POST /API/file/VX-1/storage/VX-2'));
  expect(job).toMatchObject({ status: 'READY', type: 'COPY_FILE', priority: 'MEDIUM', user: 'mover' });
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  expect(end.log!.task.map(({ step, status, description }) => `${step} ${status} ${description}`)).toEqual([
    '90 FINISHED Waiting for source file hash',
    '92 FINISHED Retrieving source file hash',
    '100 FINISHED Copying',
    '140 FINISHED Waiting for destination file hash',
    '150 FINISHED Verifying file hashes',
    '200 FINISHED Updating references',
  ]);
  expect(textAt(world.to, 'in/a.mov')).toBe('hello');
  expect(textAt(world.from, 'in/a.mov')).toBe('hello');
  const files = await rowsOf(world, 'file');
  expect(files.map(({ id, state, hash }) => [id, state, hash])).toEqual([
    ['VX-1', 'CLOSED', files[0]!['hash']],
    ['VX-2', 'CLOSED', files[0]!['hash']],
  ]);
  expect(await told(world, before)).toEqual([]);
});
