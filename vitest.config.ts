import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { plantSwitches } from './test/faults/checks/plant.ts';
import { plantGuards, tellRefusals } from './test/faults/guards/plant.ts';
import { plantFault } from './test/faults/plant.ts';
import { failedFiles } from './test/support/failed-files.ts';
import { hasLongForm, slow } from './test/support/long-forms.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const fault = process.env['PORTICO_FAULT'];
/** `npm run faults checks` sets it: then one process leaves out each check of a right. */
const leavesOut = process.env['PORTICO_CHECKS'] !== undefined;
/** `npm run faults guards` sets it: guards that always hold, each while its own suite runs. */
const openGuards = process.env['PORTICO_OPEN_GUARDS'];
/** `npm run faults refusals` sets it: then a run prints which guards refuse commits. */
const tellsRefusals = process.env['PORTICO_REFUSALS'] !== undefined;
const manifest = JSON.parse(readFileSync(here('package.json'), 'utf8'));

/** A file with a list of suites, as `scripts/ci.mjs` sets it: they run in their long form, and `npm test` leaves them out. */
const reachedList = process.env['PORTICO_REACHED'];

/**
 * `npm run test:long` runs the suites that have a long form: they import `support/long.ts`, or have a matrix. With `all`,
 * every suite runs once, in its long form where it has one.
 */
const everything =
  process.env['PORTICO_LONG'] === '1' && fault === undefined && !leavesOut
    ? withLongForm()
    : ['test/**/*.test.ts', 'examples/**/*.test.ts'];
/** `npm run test:ui` runs these in Chromium. Without one, only those that need no browser. */
const pagesInBrowser = existsSync(process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium')
  ? ['web/test/**/*.test.ts']
  : ['web/test/pure/*.test.ts', 'web/test/sizes.test.ts'];

/** `npm run test:timing` runs these: they measure how long the loop is held, so they need a machine that does nothing else. */
const timed = [
  'test/entry/loop-delay.test.ts',
  'test/administration/operations/description.test.ts',
  'test/security/long-reads.test.ts',
  'test/security/loop-delay{,-others}.test.ts',
  'test/security/regex-filters.test.ts',
  'test/security/timing-clock.test.ts',
  'test/core/store/queries.test.ts',
];

/** Each kind of load has its kills in `npm run test:crash`. Here one of them shows that kills lose nothing. */
const onlyByCommand = process.env['PORTICO_KILLS']
  ? []
  : ['test/crash/{copies,deliveries,history,imports,instances,scans,uploads}.test.ts'];

/** It leaves out each check, which takes as long as the matrix of rights ten times. */
const onlyWithSwitches = leavesOut ? [] : ['test/faults/checks/**'];

/** `npm run test:site` runs these: they look at what `npm run docs:site` has written. */
const site = ['test/site/**'];

function withLongForm(): string[] {
  if (reachedList) return JSON.parse(readFileSync(reachedList, 'utf8'));
  const files = readdirSync(here('test'), { recursive: true, encoding: 'utf8' }).map((name) => `test/${name}`);
  return files.filter((name) => name.endsWith('.test.ts') && hasLongForm(name));
}

export default defineConfig({
  // `npm run faults` sets it, to see whether a suite notices.
  plugins: fault
    ? [plantFault(fault)]
    : leavesOut
      ? [plantSwitches(here('.'))]
      : openGuards
        ? [plantGuards(here('.'), JSON.parse(openGuards))]
        : tellsRefusals
          ? [tellRefusals(here('.'))]
          : [],
  resolve: {
    // `portico/spi` and its like mean the sources here: nothing has to be built first.
    alias: [
      ...Object.entries<Record<string, string>>(manifest.exports).map(([name, conditions]) => ({
        find: new RegExp(`^portico${name.slice(1)}$`),
        replacement: here(conditions['portico-source']!),
      })),
      { find: /^(?:\.\.?\/)+program-path\.ts$/, replacement: here('test/support/program-path.ts') },
    ],
  },
  test: {
    globalSetup: ['test/support/built.ts'],
    reporters: ['default', failedFiles],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: everything,
          // `npm run test:runtimes` runs those, each in its own runtime, and `npm run test:media` those with its library.
          exclude: [
            'test/runtime/**',
            'test/storage/library/**',
            '**/node_modules/**',
            ...timed,
            ...onlyByCommand,
            ...(process.env['VITEST_SHORT'] ? [...slow, ...(reachedList ? withLongForm() : [])] : []),
            ...onlyWithSwitches,
            ...site,
          ],
          // More than cores: many tests wait for processes that they start.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: timed, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: 'ui', include: pagesInBrowser, maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
      // Only `npm run test:site` has a site to look at.
      ...(process.env['SITE'] ? [{ extends: true as const, test: { name: 'site', include: site } }] : []),
      // Only `npm run docs:pictures` takes them.
      ...(process.env['PICTURES']
        ? [{ extends: true as const, test: { name: 'pictures', include: ['web/test/pictures.ts'] } }]
        : []),
    ],
    pool: 'forks',
    // Services of tests live shorter than a collection of the usual size: with more room fewer of them are copied.
    execArgv: ['--max-semi-space-size=32'],
    // Modules keep nothing between calls, and every test opens a service of its own: to import all anew for each file
    // would take a quarter of the time.
    isolate: false,
    // To compile the sources takes longer than most suites: what has not changed is kept in node_modules.
    experimental: { fsModuleCache: !fault && !leavesOut && !openGuards && !tellsRefusals },
    // Against what hangs, and not against a slow machine: neighbours may take nine tenths of it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Threads of the binding, as a file database asks for them. The first database of a process decides, and may be in memory.
    env: { TOKIO_WORKER_THREADS: '5' },
  },
});
