import { defineConfig } from 'vitest/config';

/** `npm run test:media`: with the library that `package.json` beside this file names. */
export default defineConfig({
  test: {
    include: ['test/storage/library/*.test.ts'],
    globalSetup: ['test/storage/library/setup.ts'],
    pool: 'forks',
    // Against what hangs, and not against a slow machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
