import { relative } from 'node:path';
import { guardsIn } from './sites.ts';

/** A suite for each guard that is made always true while that suite runs, or while its test with that title does. */
export type OpenGuards = Readonly<Record<string, readonly [suite: string, title?: string]>>;

const suite = 'String(globalThis.__vitest_worker__?.filepath)';
const title = 'globalThis.__vitest_worker__?.current?.name';
const holds = `sql: 'INSERT INTO "guard" ("broken") SELECT 1 WHERE FALSE', args: []`;

/**
 * A plugin of the bundler that the tests run under: guards that always hold, each while its own suite runs. So one run of
 * several suites tries a guard by each.
 */
export const plantGuards = (root: string, guards: OpenGuards) =>
  plant(root, (name) => {
    if (!guards[name]) return undefined;
    const [path, test] = guards[name].map((words) => JSON.stringify(words));
    return `(${suite}.endsWith(${path})${test ? ` && ${title} === ${test}` : ''} ? { ${holds} } : {})`;
  });

/** Where a commit turns out to be refused. */
export const refusing = {
  file: 'src/core/store/unit-of-work.ts',
  line: 'const refusal = refusalError(statements[outcome.index]?.refusal)',
};

/** A plugin that prints which guards refuse a commit in which suites: these suites may notice if such a guard always holds. */
export const tellRefusals = (root: string) =>
  plant(
    root,
    (name) => `{ guardName: ${JSON.stringify(name)} }`,
    (code, file) => {
      if (file !== refusing.file) return code;
      const guard = 'statements[outcome.index]?.guardName';
      return code.replace(
        refusing.line,
        () => `if (${guard}) console.log('refused by', ${guard}, 'in', ${suite});\n${refusing.line}`,
      );
    },
  );

/** `added`: the text of an object that each statement of a guard gets. */
function plant(
  root: string,
  added: (guard: string) => string | undefined,
  change: (code: string, file: string) => string = (code) => code,
) {
  return {
    name: 'plant-guards',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      const file = relative(root, id.split('?')[0]!);
      if (!file.startsWith('src/')) return undefined;
      let planted = change(code, file);
      for (const { name, start, end } of guardsIn(file, code).toReversed()) {
        const more = added(name);
        if (more === undefined) continue;
        const guard = `((made) => (...all) => ({ ...made(...all), ...${more} }))(${planted.slice(start, end)})`;
        planted = `${planted.slice(0, start)}${guard}${planted.slice(end)}`;
      }
      return planted === code ? undefined : planted;
    },
  };
}
