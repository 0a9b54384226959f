import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { hasLongForm } from '../test/support/long-forms.ts';
import { baseOfChange, everyTest, filesChangedSince, reachedTests } from './change.mjs';

/**
 * `.ci/run`, and `npm run release:check` with `--long`: the suites one after the other. Suites that the change can reach
 * run in their long form, the others in their short one. All run, also behind one that fails, and the end names each.
 */

/**
 * A change of the whole service reaches every suite, and would take more than an hour: beyond so many suites and files,
 * `npm run release:check` runs the rest.
 */
const maxLongSuites = 60;
const maxFiles = 100;
const isRelease = process.argv.includes('--long');
const reachedList = 'node_modules/.cache/portico.reached.json';
/** Written by each run of vitest. */
const failedList = 'node_modules/.cache/portico.failed.json';
const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run', '--project'];
const npm = (script, ...words) => ['npm', 'run', script, ...(words.length > 0 ? ['--', ...words] : [])];

const entries = readdirSync('src/entry')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/entry/${name}`);

/**
 * `reachedBy` says whose change a long form needs; without it there is one form. `short` is what runs otherwise; without
 * it `npm test` has a smaller suite of the same, and a wide change leaves the suite to the release, as it leaves the long
 * form where `whenWide` says so. `again`: files that fail are run once more, and alone. `beside`: a command of one thread,
 * which prints nothing unless it fails, runs at the same time.
 */
const suites = [
  {
    name: 'Format, lint, types also as Deno sees them, architecture, what rooms declare',
    long: npm('check'),
    beside: [
      'node_modules/.bin/deno',
      'check',
      '--quiet',
      'src/index.ts',
      'src/spi/index.ts',
      'src/types.ts',
      'src/client/index.ts',
      'src/kit/testing/index.ts',
      ...entries,
    ],
  },
  {
    name: 'Tests on Node that the change can reach',
    long: [...vitest, 'all', '--passWithNoTests'],
    environment: { PORTICO_LONG: '1', PORTICO_REACHED: reachedList },
    again: true,
  },
  {
    name: 'All other tests on Node',
    short: [...vitest, 'all', '--passWithNoTests'],
    reachedBy: /^$/,
    environment: { VITEST_SHORT: '1', PORTICO_REACHED: reachedList },
    again: true,
  },
  {
    name: 'Each check of a right left out, as the matrix of rights notices it',
    long: [...vitest, 'all', 'test/faults/checks'],
    environment: { PORTICO_CHECKS: '1' },
    reachedBy: /^(?:src|test\/(?:security\/rights|faults\/checks))\//,
  },
  { name: 'What measures time', long: npm('test:timing'), again: true },
  {
    name: 'The web page in Chromium',
    long: npm('test:ui'),
    short: npm(
      'test:ui',
      'web/test/pure',
      'web/test/sizes',
      'flows/first',
      'flows/library',
      'flows/item',
      'flows/login',
      'flows/security',
      'flows/sharing',
    ),
    reachedBy: /^(?:web|src\/administration\/ui|src\/http)\//,
    environment: isRelease ? { PORTICO_LONG: '1' } : {},
    again: true,
  },
  {
    name: 'The small suite on each runtime',
    long: npm('test:runtimes', '--again'),
    short: npm('test:runtimes', '--again', 'node24', 'deno', 'workerd'),
    whenWide: 'short',
    reachedBy:
      /^(?:src\/(?:entry|core\/(?:store|outbound))|plugins|examples\/worker|test\/runtime)\/|^package-lock\.json$/,
  },
  {
    name: 'The same requests on each runtime, database and kind of search',
    long: npm('differential', '--seeds', '5'),
    reachedBy: /^test\/differential\//,
  },
  {
    name: 'Generated runs of several instances',
    long: npm('simulate', '--seeds', isRelease ? '2000' : '200'),
    reachedBy: /^test\/simulation\/generated\//,
  },
  {
    name: 'README and the examples in a fresh clone, on Node and Deno, as an image and with the executable',
    long: npm('test:readme'),
    reachedBy:
      /^(?:README\.md|package\.json|deploy\/|examples\/|scripts\/(?:build|binary|portico)|test\/docs\/clone\/)/,
  },
  {
    name: 'Files of a release, built, installed and started on a bare machine',
    long: npm('release:build', '--try', ...(isRelease ? ['--twice'] : [])),
    reachedBy: /^(?:scripts\/release|test\/release\/try)\b/,
  },
  {
    name: 'The transcoder that is installed beside, with real media',
    long: npm('test:media'),
    reachedBy: /^(?:src\/entry\/media|src\/production\/transcoding|test\/storage\/library)\//,
  },
  {
    name: 'Real S3 stores, where Ceph or Go are',
    long: npm('test:s3'),
    reachedBy: /^test\/s3\//,
  },
  {
    name: 'The search engine OpenSearch, where Java and Maven are',
    long: npm('test:opensearch', '--queries', '300'),
    reachedBy: /^(?:src\/assets\/search\/engine|plugins\/search|test\/opensearch)\//,
  },
  {
    name: 'The documentation as a site, in Chromium',
    long: npm('test:site'),
    reachedBy: /^(?:scripts|test)\/site\//,
  },
  {
    name: 'Generated clients, where Python and Go are',
    long: npm('test:generated-clients', ...(isRelease ? ['--whole'] : [])),
    reachedBy: /^(?:src\/http\/openapi|test\/clients\/generated)\//,
  },
  {
    name: 'Statements of suites, as the parser of PostgreSQL reads them',
    long: npm('test:postgresql'),
    reachedBy: /^test\/core\/store\/postgresql\//,
  },
  {
    name: 'Recipes for contributors, as they would be merged',
    long: npm('test:recipes'),
    reachedBy: /^docs\/contributing\/(?!commands)/,
  },
  {
    name: 'Kills, and every point at which the process may stop',
    long: npm('test:crash'),
    reachedBy: /^(?:src\/(?:core\/(?:store|work)|storage\/bytes)|test\/(?:crash|simulation))\//,
  },
  {
    name: 'Acceptance of deliveries, at the sizes of the specification',
    long: npm('acceptance'),
    reachedBy: /^src\/(?:administration\/notifications\/(?:deliver|outbox|lane)|core\/outbound)/,
  },
  {
    name: 'Made up inputs for every reader and route, with the seed of the day',
    long: npm('fuzz', '--seconds', isRelease ? '900' : '25'),
    reachedBy: /^(?:src|plugins|filters|realms|test\/fuzz)\//,
  },
  {
    name: 'Requests that schemathesis makes of openapi.json, where Python is',
    long: npm('fuzz:openapi', '--seconds', isRelease ? '600' : '60'),
    reachedBy: /^test\/fuzz\/openapi\//,
  },
  {
    name: 'Short floods on Node and Deno',
    long: npm('attack', 'logins-one-network', 'paths', 'searches', 'uploads', '--seconds', '2'),
    reachedBy: /^(?:src\/(?:http\/handler|security\/(?:path|pipeline)|entry\/listen)|test\/attack)/,
  },
  {
    name: 'A short soak, with a kill and a full disk',
    long: npm('soak', '--hours', '0.05'),
    reachedBy: /^test\/soak\//,
  },
];

/** Resolves to the exit code. The child reads nothing, so that no prompt can hold it. */
function run([command, ...words], environment = {}) {
  return new Promise((resolve) => {
    const program = command === 'node' ? process.execPath : command;
    const child = spawn(program, words, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    });
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Failures of the last run, a line each, for an end that is read without the rest. */
function failures() {
  if (!existsSync(failedList)) return [];
  return Object.entries(JSON.parse(readFileSync(failedList, 'utf8'))).flatMap(([file, lines]) => [
    `            ${relative('.', file)}`,
    ...lines.map((line) => `              ${line}`),
  ]);
}

const again = (...words) => ['node', 'scripts/again.mjs', ...words];

const base = isRelease ? undefined : baseOfChange();
const changed = base === undefined ? undefined : filesChangedSince(base);
mkdirSync('node_modules/.cache', { recursive: true });
const reached = (changed === undefined ? everyTest() : reachedTests(changed)).filter(hasLongForm);
const longSuites = changed === undefined ? reached : reached.slice(0, maxLongSuites);
writeFileSync(reachedList, JSON.stringify(longSuites));
console.log(
  changed === undefined
    ? 'Every suite runs in its long form'
    : `${changed.length} files changed since ${base.slice(0, 8)}. They reach ${reached.length} suites with a long form; the nearest ${longSuites.length} run in it`,
);

const isWide = changed !== undefined && changed.length > maxFiles;
const results = [];
const seconds = () => Math.round(performance.now() / 1000);

async function tryAll() {
  if ((await run(again('--forget'))) !== 0) return 1;
  let failed = 0;
  for (const { name, long, short, beside, reachedBy, environment, whenWide, again: isTriedAgain } of suites) {
    const isReached = reachedBy === undefined || changed === undefined || changed.some((path) => reachedBy.test(path));
    const isLeft = isReached && short === undefined && reachedBy !== undefined && isWide;
    const isLong = long !== undefined && isReached && !isLeft && !(isWide && whenWide === 'short');
    const command = isLong ? long : short;
    if (command === undefined) {
      results.push(`${isLeft ? 'release    ' : 'in npm test'}     -     ${name}`);
      continue;
    }
    console.log(`\n=== ${name} (${seconds()} s so far)`);
    const begun = seconds();
    rmSync(failedList, { force: true });
    const codes = await Promise.all([run(command, environment), beside ? run(beside) : 0]);
    let code = codes.find((each) => each !== 0) ?? 0;
    const first = code === 0 ? [] : failures();
    if (code !== 0 && isTriedAgain) {
      console.log('\n=== The files that failed, once more and alone');
      code = await run(again(), environment);
    }
    const form = reachedBy === undefined ? 'whole' : isLong ? 'long' : 'short';
    results.push(
      `${form.padEnd(11)} ${String(seconds() - begun).padStart(5)} s   ${name}${code === 0 ? '' : ': FAILED'}`,
      ...first,
      ...(code !== 0 && first.length > 0 && isTriedAgain ? ['            again, alone:', ...failures()] : []),
    );
    failed ||= code;
  }
  return failed;
}

const code = await tryAll();
console.log(`\n=== The end, after ${seconds()} s\n${results.join('\n')}`);
process.exitCode = code || (await run(again('--sum')));
if (process.exitCode === 0) console.log('Everything passed');
