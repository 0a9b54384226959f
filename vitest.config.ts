import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { plantFault } from './test/faults/plant.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const fault = process.env['PORTICO_FAULT'];
const manifest = JSON.parse(readFileSync(here('package.json'), 'utf8'));

export default defineConfig({
  // `npm run faults` sets it, to see whether a suite notices.
  plugins: fault ? [plantFault(fault)] : [],
  resolve: {
    // `portico/spi` and its like mean the sources here: nothing has to be built first.
    alias: Object.entries<Record<string, string>>(manifest.exports).map(([name, conditions]) => ({
      find: new RegExp(`^portico${name.slice(1)}$`),
      replacement: here(conditions['portico-source']!),
    })),
  },
  test: {
    globalSetup: ['test/support/built.ts'],
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    // `npm run test:runtimes` runs those, each in its own runtime.
    exclude: ['test/runtime/**', '**/node_modules/**'],
    pool: 'forks',
    // One for each core: what the runner takes by itself leaves one idle, which of two is half of them.
    maxWorkers: '100%',
    // Modules keep nothing between calls, and every test opens a service of its own: to import all anew for each file
    // would take a quarter of the time.
    isolate: false,
    testTimeout: 20_000,
  },
});
