import { relative } from 'node:path';
import { guardsIn } from './sites.ts';

/** A suite for each guard that is made always true while that suite runs. */
export type OpenGuards = Readonly<Record<string, string>>;

const holds = `sql: 'INSERT INTO "guard" ("broken") SELECT 1 WHERE FALSE', args: []`;

/**
 * A plugin of the bundler that the tests run under: guards that always hold, each while its own suite runs. So one run of
 * several suites tries a guard by each.
 */
export function plantGuards(root: string, guards: OpenGuards) {
  return {
    name: 'plant-guards',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      const file = relative(root, id.split('?')[0]!);
      if (!file.startsWith('src/')) return undefined;
      let planted = code;
      for (const { name, start, end } of guardsIn(file, code).toReversed()) {
        const suite = guards[name];
        if (suite === undefined) continue;
        const isOpen = `String(globalThis.__vitest_worker__?.filepath).endsWith(${JSON.stringify(suite)})`;
        const open = `((made) => (...all) => ({ ...made(...all), ...(${isOpen} ? { ${holds} } : {}) }))`;
        planted = `${planted.slice(0, start)}${open}(${planted.slice(start, end)})${planted.slice(end)}`;
      }
      return planted === code ? undefined : planted;
    },
  };
}
