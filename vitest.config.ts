import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const manifest = JSON.parse(readFileSync(here('package.json'), 'utf8'));

export default defineConfig({
  resolve: {
    // `portico/spi` and its like mean the sources here: nothing has to be built first.
    alias: Object.entries<Record<string, string>>(manifest.exports).map(([name, conditions]) => ({
      find: new RegExp(`^portico${name.slice(1)}$`),
      replacement: here(conditions['portico-source']!),
    })),
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    // `npm run test:runtimes` runs those, each in its own runtime.
    exclude: ['test/runtime/**', '**/node_modules/**'],
    pool: 'forks',
    testTimeout: 20_000,
  },
});
