import { expect, it, onTestFinished } from 'vitest';
import { scriptThread } from '../../src/entry/native/script-thread.ts';
import { lastValue, ScriptFails } from '../../src/scripts/run-script.ts';

it('ends a script by force that no step of the engine stops, and runs the next one', { timeout: 60_000 }, async () => {
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
