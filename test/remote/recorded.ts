import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { pageCalls } from './page-calls.ts';

const path = new URL('page-calls.ts', import.meta.url);
const writes = process.env['PORTICO_WRITE_CALLS'] !== undefined;
const remedy =
  'Remedy: fewer calls, or with PORTICO_WRITE_CALLS=1 npx vitest run test/remote/edge-calls.test.ts and npm run test:ui -- flows/calls, then npm run docs';

/** Calls of what a row tells, the first time and the third. */
export type Measured = Readonly<Record<string, readonly [first: number, third: number]>>;

/**
 * Holds measured calls to what is recorded, or records them. Each file of tests has some of the rows. `slack`: share by
 * which they may be more, where the order of answers decides which reads share a call.
 */
export async function record(measured: Measured, slack = 0): Promise<void> {
  if (!writes) {
    const allowed = new Map(pageCalls.map(([name, first, third]) => [name, [first, third] as const]));
    const more = Object.entries(measured).filter(([name, [first, third]]) => {
      const [maxFirst, maxThird] = allowed.get(name) ?? [0, 0];
      return first > maxFirst * (1 + slack) || third > maxThird * (1 + slack);
    });
    expect(more, remedy).toEqual([]);
    return;
  }
  const text = await readFile(path, 'utf8');
  const rows = Array.from(
    text.matchAll(/^ {2}\['(.+)', (\d+), (\d+)\],$/gm),
    ([, name, ...calls]) => [name!, calls] as const,
  );
  const merged = new Map<string, readonly (string | number)[]>([...rows, ...Object.entries(measured)]);
  const lines = Array.from(merged, ([name, calls]) => `  ['${name}', ${calls.join(', ')}],\n`);
  await writeFile(path, `${text.slice(0, text.indexOf('= [') + 3)}\n${lines.join('')}];\n`);
}
