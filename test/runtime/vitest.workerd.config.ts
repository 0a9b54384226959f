import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** The suite inside workerd. The host starts a libSQL server and migrates it; the Worker gets its address as a binding. */
export default defineConfig({
  plugins: [
    cloudflareTest(({ inject }) => ({
      main: './src/entry/edge.ts',
      remoteBindings: false,
      miniflare: {
        compatibilityDate: '2026-09-01',
        compatibilityFlags: ['nodejs_compat'],
        bindings: { PORTICO_DATABASE: inject('databaseUrl'), PORTICO_LOG_LEVEL: 'error' },
      },
    })),
  ],
  test: {
    include: ['test/runtime/workerd.test.ts'],
    globalSetup: ['test/runtime/prepared-database.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    provide: { runtime: 'workerd' },
  },
});
