import { benchAskers } from './askers.ts';
import { benchAssets } from './assets.ts';
import { benchBearer } from './bearer.ts';
import { benchBuckets } from './buckets.ts';
import { benchBytes } from './bytes.ts';
import { benchCosts } from './costs/index.ts';
import { benchCpu } from './cpu.ts';
import { benchFiles } from './files.ts';
import { benchChain, benchHttp } from './http.ts';
import { benchMigrate } from './migrate.ts';
import { benchPage } from './page.ts';
import { benchProcesses } from './processes.ts';
import { benchQueries } from './queries.ts';
import { benchQuota } from './quota.ts';
import { benchRemote } from './remote.ts';
import { benchRoles } from './roles.ts';
import type { Row } from './row.ts';
import { type RuntimeName, runUnder } from './runtimes.ts';
import { benchScanLatency } from './scan-latency.ts';
import { benchEngine } from './search/engine.ts';
import { benchEngineCpu } from './search/engine-cpu.ts';
import { benchGrowth } from './search/growth.ts';
import { benchSearch } from './search/index.ts';
import { benchShapes } from './shapes.ts';
import { benchSize } from './size.ts';
import { benchSteps } from './steps.ts';
import { benchTableMemory } from './table-memory.ts';
import { benchUpgrade } from './upgrade.ts';
import { benchUploadLatency } from './upload-latency.ts';
import { benchWays } from './ways.ts';

/** `npm run bench [node] [deno] [bench...]`: all as ratios of this run. Ends with 1 when a ratio is beyond its bound. */
type Bench = (runtime: RuntimeName) => Promise<Row[]>;

/** Bench that needs no server, run whole under the runtime that it measures. */
const inside =
  (name: string, flags: readonly string[] = []): Bench =>
  (runtime) =>
    runUnder<Row[]>(runtime, 'test/bench/one.ts', [name], flags);

const benches: Readonly<Record<string, Bench>> = {
  xml: inside('xml'),
  commit: inside('commit'),
  notifications: inside('notifications'),
  deliveries: inside('deliveries'),
  ini: inside('ini'),
  scans: inside('scans'),
  'scan-memory': inside('scan-memory', ['--expose-gc']),
  'table-memory': (runtime) => benchTableMemory(runtime),
  jobs: inside('jobs'),
  idle: inside('idle'),
  cpu: (runtime) => benchCpu(runtime),
  askers: (runtime) => benchAskers(runtime),
  steps: (runtime) => benchSteps(runtime),
  shapes: (runtime) => benchShapes(runtime),
  size: (runtime) => benchSize(runtime),
  import: inside('import'),
  media: async (runtime) => [...(await inside('media')(runtime)), ...(await benchCosts(runtime))],
  'hostile-media': inside('hostile-media'),
  http: (runtime) => benchHttp(runtime),
  chain: (runtime) => benchChain(runtime),
  ways: (runtime) => benchWays(runtime),
  roles: (runtime) => benchRoles(runtime),
  bearer: (runtime) => benchBearer(runtime),
  processes: (runtime) => benchProcesses(runtime),
  queries: (runtime) => benchQueries(runtime),
  remote: (runtime) => benchRemote(runtime),
  page: (runtime) => benchPage(runtime),
  search: (runtime) => benchSearch(runtime),
  growth: (runtime) => benchGrowth(runtime),
  'search-engine': (runtime) => benchEngine(runtime),
  'search-engine-cpu': (runtime) => benchEngineCpu(runtime),
  assets: (runtime) => benchAssets(runtime),
  quota: (runtime) => benchQuota(runtime),
  files: (runtime) => benchFiles(runtime),
  'scan-latency': (runtime) => benchScanLatency(runtime),
  bytes: (runtime) => benchBytes(runtime),
  'upload-latency': (runtime) => benchUploadLatency(runtime),
  buckets: (runtime) => benchBuckets(runtime),
  migrate: (runtime) => benchMigrate(runtime),
  upgrade: () => benchUpgrade(),
};

const runtimes: readonly RuntimeName[] = ['node', 'deno'];
const words = process.argv.slice(2);
const isRuntime = (word: string): word is RuntimeName => runtimes.some((runtime) => runtime === word);
const unknown = words.find((word) => !isRuntime(word) && !(word in benches));
let failed = 0;

if (unknown !== undefined) {
  console.error(`Expected ${[...runtimes, ...Object.keys(benches)].join(', ')}: found "${unknown}"`);
  process.exit(2);
}
const wanted = words.filter((word) => !isRuntime(word));
for (const runtime of words.some(isRuntime) ? words.filter(isRuntime) : runtimes) {
  console.log(`\n${runtime}`);
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted.length === 0 || wanted.includes(name)) print(await bench(runtime));
  }
}
process.exitCode = failed > 0 ? 1 : 0;

function print(rows: readonly Row[]): void {
  for (const { name, ratio, floor, ceiling, perSecond, value } of rows) {
    const low = ratio !== undefined && floor !== undefined && ratio < floor;
    const high = ratio !== undefined && ceiling !== undefined && ratio > ceiling;
    if (low || high) failed++;
    const cells = [
      ratio === undefined ? '' : ratio.toFixed(2),
      floor !== undefined ? `at least ${floor}` : ceiling !== undefined ? `at most ${ceiling}` : '',
      perSecond === undefined ? '' : `${Math.round(perSecond).toLocaleString('en')}/s`,
      value === undefined ? '' : value.toFixed(1),
    ];
    console.log(
      `${low ? 'LOW ' : high ? 'HIGH' : '    '}${name.padEnd(78)}${cells.map((cell) => cell.padStart(14)).join('')}`,
    );
  }
}
