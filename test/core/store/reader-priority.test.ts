import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { expect, it } from 'vitest';
import { fileStore } from '../../support/store.ts';

/** How much each thread of this process steps back, by its number. */
const steps = (): ReadonlyMap<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((task) => {
      const fields = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return [task, Number(fields[16])];
    }),
  );

it.runIf(platform() === 'linux')('the threads of queries step back behind those that serve and write', async () => {
  const store = await fileStore();
  const before = steps();
  await store.query('ann', 'SELECT 1');
  const after = steps();
  for (const [task, step] of before) if (after.has(task)) expect(after.get(task)).toBe(step);
  const usual = before.get(String(process.pid))!;
  const come = [...after].filter(([task]) => !before.has(task)).map(([, step]) => step);
  expect(come).toContain(Math.min(usual + 5, 19));
  await store.close();
});
