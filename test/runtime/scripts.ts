import { expect } from 'vitest';
import { runHere as runScript } from '../../src/core/scripts/run-here.ts';
import { lastValue } from '../../src/core/scripts/run-script.ts';

/** Checks what scripts can and cannot do, on any runtime. */
export async function checkScripts(): Promise<void> {
  expect(await runScript('preset.setFormat("mp4"); 1 + 1', { preset: {} }, ['preset', lastValue])).toEqual({
    preset: { format: 'mp4' },
    [lastValue]: 2,
  });
  await expect(runScript('for (;;) {}', {}, [])).rejects.toThrow('Expected the script to end within a second');
  const names = ['fetch', 'process', 'Deno', 'Bun', 'require'];
  const seen = await runScript(names.map((name) => `typeof ${name}`).join(' + '), {}, [lastValue]);
  expect(seen).toEqual({ [lastValue]: names.map(() => 'undefined').join('') });
}
