import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter } from 'vitest/node';

/** Read by `scripts/again.mjs`. */
const list = 'node_modules/.cache/portico.failed.json';

/** Writes down which files failed: their tests, their set-up, or a promise that nobody waited for while they ran. */
export const failedFiles: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const failed = modules.filter((each) => !each.ok()).map(({ moduleId }) => moduleId);
    const during = unhandled.map((error) => String(error['VITEST_TEST_PATH'] ?? 'nowhere'));
    mkdirSync(dirname(list), { recursive: true });
    writeFileSync(list, JSON.stringify([...new Set([...failed, ...during])]));
  },
};
