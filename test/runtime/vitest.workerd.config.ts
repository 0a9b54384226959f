import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/**
 * Bundle of the example by `portico bundle`. The pool sends a module with its source map in one message of at most 32
 * MiB.
 */
const bundle = resolve('node_modules/.portico/edge-bundle.mjs');
mkdirSync(dirname(bundle), { recursive: true });
const command = ['--import', 'tsx', 'src/entry/cli.ts', 'bundle', bundle, '--minify', '--root', 'examples/worker'];
execFileSync(process.execPath, command);

/** The suite inside workerd. The host starts a libSQL server and migrates it; the Worker gets its address as a binding. */
export default defineConfig({
  plugins: [
    cloudflareTest(({ inject }) => ({
      main: './src/entry/edge.ts',
      remoteBindings: false,
      miniflare: {
        compatibilityDate: '2026-09-01',
        compatibilityFlags: ['nodejs_compat'],
        // As the bundlers of such a runtime do by themselves.
        modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
        bindings: {
          PORTICO_DATABASE: inject('databaseUrl'),
          PORTICO_LOG_LEVEL: 'error',
          PORTICO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        },
      },
    })),
  ],
  resolve: { alias: { 'portico-bundle': bundle } },
  test: {
    include: ['test/runtime/workerd.test.ts'],
    globalSetup: ['test/runtime/prepared-database.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    provide: { runtime: 'workerd' },
  },
});
