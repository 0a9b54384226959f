import process from 'node:process';
import { defineConfig } from 'vitest/config';

/** Node, Deno and Bun. `scripts/runtimes.mjs` starts it in each of them and says in which. */
export default defineConfig({
  test: {
    include: ['test/runtime/*.test.ts'],
    exclude: ['test/runtime/workerd.test.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    provide: { runtime: process.env['RUNTIME'] ?? 'unsaid' },
  },
});
