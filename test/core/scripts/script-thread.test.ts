import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { lastValue, ScriptFails } from '../../../src/core/scripts/run-script.ts';
import { scriptThread } from '../../../src/entry/native/task-thread.ts';

it('ends a script by force that no step of the engine stops, and runs the next one', async () => {
  const run = scriptThread(2_000);
  onTestFinished(() => run.close());
  // Each step takes long: the engine would count them for minutes.
  const slow = run('const s = "x".repeat(1e6); for (;;) s.indexOf("y")', {}, []);
  const behind = run('1 + one', { one: 1 }, [lastValue]);
  await expect(slow).rejects.toThrow(new ScriptFails('Expected the script to end within a second'));
  expect(await behind).toEqual({ [lastValue]: 2 });
  await expect(run('throw new Error("no")', {}, [])).rejects.toThrow(new ScriptFails('Error: no (line 1)'));
  expect(await run('typeof process + typeof require', {}, [lastValue])).toEqual({ [lastValue]: 'undefinedundefined' });
});

it('lets nobody wait for the end of a thread, until three are about to end', async () => {
  const ends: (() => void)[] = [];
  const terminate = Worker.prototype.terminate;
  const spy = vi.spyOn(Worker.prototype, 'terminate').mockImplementation(async function (this: Worker) {
    const end = terminate.call(this);
    await new Promise<void>((resolve) => ends.push(resolve));
    return end;
  });
  const run = scriptThread(1_000);
  onTestFinished(async () => {
    spy.mockRestore();
    for (const end of ends) end();
    await run.close();
  });
  const slow = () =>
    expect(run('const s = "x".repeat(1e6); for (;;) s.indexOf("y")', {}, [])).rejects.toThrow('within a second');
  for (const ending of [1, 2, 3]) {
    expect(await run('1 + 1', {}, [lastValue])).toEqual({ [lastValue]: 2 });
    await slow();
    expect(ends).toHaveLength(ending);
  }
  let done = false;
  const next = run('1 + 2', {}, [lastValue]).finally(() => (done = true));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(done).toBe(false);
  ends[0]!();
  expect(await next).toEqual({ [lastValue]: 3 });
});
