import { benchBearer } from './bearer.ts';
import { benchBytes } from './bytes.ts';
import { benchFiles } from './files.ts';
import { benchChain, benchHttp } from './http.ts';
import { benchQueries } from './queries.ts';
import { benchRoles } from './roles.ts';
import type { Row } from './row.ts';
import { type RuntimeName, runUnder } from './runtimes.ts';
import { benchScanLatency } from './scan-latency.ts';
import { benchWays } from './ways.ts';

/** `npm run bench [node] [deno]`: everything as ratios of this run. Ends with 1 when a ratio is below its floor. */
const runtimes = (process.argv.slice(2) as RuntimeName[]).filter((name) => ['node', 'deno'].includes(name));
let failed = 0;

for (const runtime of runtimes.length > 0 ? runtimes : (['node', 'deno'] as const)) {
  console.log(`\n${runtime}`);
  for (const bench of ['xml', 'commit', 'notifications', 'deliveries', 'ini', 'scans', 'jobs'])
    print(await runUnder<Row[]>(runtime, 'test/bench/one.ts', [bench]));
  print(await benchHttp(runtime));
  print(await benchChain(runtime));
  print(await benchWays(runtime));
  print(await benchRoles(runtime));
  print(await benchBearer(runtime));
  print(await benchQueries(runtime));
  print(await benchFiles(runtime));
  print(await benchScanLatency(runtime));
  print(await benchBytes(runtime));
}
process.exitCode = failed > 0 ? 1 : 0;

function print(rows: readonly Row[]): void {
  for (const { name, ratio, floor, perSecond, value } of rows) {
    const low = ratio !== undefined && floor !== undefined && ratio < floor;
    if (low) failed++;
    const cells = [
      ratio === undefined ? '' : ratio.toFixed(2),
      floor === undefined ? '' : `at least ${floor}`,
      perSecond === undefined ? '' : `${Math.round(perSecond).toLocaleString('en')}/s`,
      value === undefined ? '' : value.toFixed(1),
    ];
    console.log(`${low ? 'LOW ' : '    '}${name.padEnd(78)}${cells.map((cell) => cell.padStart(14)).join('')}`);
  }
}
