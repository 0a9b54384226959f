import { expect, it } from 'vitest';
import { jobCommands } from '../../../src/production/jobs/commands.ts';
import type { CommandContext } from '../../../src/room/command.ts';
import { done, newType, openJobWorld, type Seen } from './support.ts';

it('portico jobs --watch prints each change of a job, until none goes on', async () => {
  const world = await openJobWorld();
  await newType(world, 'WAITS', [
    { step: 5, script: 'job.wait("TheMoon")', description: 'Waiting for the moon' },
    { step: 9, script: '1', cleanup: true },
  ]);
  const { jobId } = await done<Seen>(world, 'POST /job?type=WAITS');
  const told: string[] = [];
  const turns = [
    () => world.service.tick(),
    () => undefined,
    async () => {
      await done(world, `DELETE /job/${jobId}`);
      await world.service.tick();
    },
  ];
  const desk = {
    store: world.service.store,
    tell: (text: string) => void told.push(text),
    sleep: async () => {
      await turns.shift()?.();
    },
  } as unknown as CommandContext<unknown, never>;
  const run = (words: readonly string[]) =>
    jobCommands['jobs']!.run({ words: [], has: (flag) => words.includes(flag), option: () => [] }, desk);
  await run(['--watch']);
  expect(told).toEqual([
    `${jobId}\tWAITS\tREADY`,
    `${jobId}\tWAITS\tWAITING\t5 Waiting for the moon\twaits: TheMoon 5`,
    `${jobId}\tended`,
  ]);
  told.length = 0;
  await run([]);
  expect(told).toEqual(['No job goes on']);
  await world.close();
});
