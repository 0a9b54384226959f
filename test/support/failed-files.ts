import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Read by `scripts/again.mjs` and `scripts/ci.mjs`. */
const list = 'node_modules/.cache/portico.failed.json';

const maxLines = 5;
const maxLine = 300;

/** Failures of a file, a line each: its tests, or its set-up. */
function linesOf(module: TestModule): readonly string[] {
  const failures = [...module.children.allTests('failed')].map((test) => {
    const message = test.result().errors?.[0]?.message ?? '';
    return `${test.fullName}: ${message}`;
  });
  const lines = [...module.errors().map(({ message }) => message), ...failures];
  return lines.slice(0, maxLines).map((line) => line.split('\n', 1)[0]!.slice(0, maxLine));
}

/** Writes down which files failed, and why: their tests, their set-up, or a promise that nobody waited for meanwhile. */
export const failedFiles: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const lines = new Map<string, readonly string[]>();
    for (const module of modules) if (!module.ok()) lines.set(module.moduleId, linesOf(module));
    for (const error of unhandled) {
      const file = String(error['VITEST_TEST_PATH'] ?? 'nowhere');
      lines.set(file, [...(lines.get(file) ?? []), error.message]);
    }
    mkdirSync(dirname(list), { recursive: true });
    writeFileSync(list, JSON.stringify(Object.fromEntries(lines)));
  },
};
