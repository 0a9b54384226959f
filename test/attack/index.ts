import process from 'node:process';
import { judge } from './again.ts';
import { at, type Calls, type Searches } from './honest.ts';
import { measure } from './measure.ts';
import { readOptions } from './options.ts';
import type { Measured } from './promises.ts';

/** `npm run attack`: floods servers that it starts itself, on 127.0.0.1. Ends with 1 when one of `promises.ts` is broken. */
const { runtimes, floods, seconds } = readOptions(process.argv.slice(2));
const began = performance.now();
let broken = 0;

const columns = [
  'flood',
  'answers',
  'remembered',
  'token',
  'newcomers',
  'jobs',
  'searches',
  'late',
  'stop',
  'turn',
  'in flood',
  'audit',
  'next',
  'MiB',
  'as before',
];
const widths = [21, 34, 16, 16, 14, 12, 17, 8, 6, 9, 9, 13, 6, 13, 10];

for (const runtime of runtimes) {
  console.log(
    `\n${runtime}: milliseconds as half/99 %/most; jobs as alone/slowest; searches as alone/half/95 %/most; late: timers of their caller as 95 %/most; audit as told/refused; next: until the next refusal is recorded; memory as before/most/after`,
  );
  print(columns);
  const failures: string[] = [];
  for (const flood of floods) {
    const judged = await judge(async () => {
      const measured = await measure(runtime, flood, seconds);
      print(cellsOf(measured));
      return measured;
    }).catch((error: Error) => error);
    if (judged instanceof Error) {
      failures.push(`  ${flood.name}: not measured: ${judged.message}`);
      continue;
    }
    for (const { promise, shows } of judged.broken) {
      failures.push(`  ${flood.name}: ${promise.name}: ${shows}\n      ${promise.says}`);
    }
  }
  broken += failures.length;
  if (failures.length > 0) console.log(`BROKEN promises on ${runtime}:\n${failures.join('\n')}`);
}
console.log(`\n${broken} broken promises in ${Math.round((performance.now() - began) / 1000)} s`);
process.exitCode = broken > 0 ? 1 : 0;

function print(cells: readonly string[]): void {
  console.log(cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' '));
}

function cellsOf(measured: Measured): readonly string[] {
  const { tally, newcomers, audit, memory, recovered } = measured;
  const answers = Object.entries(tally.statuses).map(([status, count]) => `${count}x${status}`);
  if (tally.cut > 0) answers.push(`${tally.cut} cut`);
  return [
    measured.flood,
    tally.sent === 0 ? 'none: one request was enough' : answers.join(' ') || 'none',
    latency(measured.remembered),
    latency(measured.token),
    `${newcomers.known.length}/${newcomers.took.length} ${whole(newcomers.took.at(-1))}`,
    measured.jobs === undefined ? '-' : `${whole(measured.jobs.alone)}/${whole(measured.jobs.took.at(-1))}`,
    searchLatency(measured.searches),
    lateness(measured.searches),
    whole(measured.stop),
    whole(measured.turn),
    whole(measured.maxTurnLength),
    audit ? `${audit.told}/${measured.refused}` : '-',
    whole(audit?.goesOn),
    [memory.before, memory.max, memory.after].map(whole).join('/'),
    whole(recovered),
  ];
}

function whole(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '-' : value.toFixed(0);
}

function searchLatency(searches: Searches | undefined): string {
  if (!searches) return '-';
  const { alone, took } = searches;
  return [alone, at(took, 0.5), at(took, 0.95), took.at(-1)].map(whole).join('/');
}

function lateness(searches: Searches | undefined): string {
  return searches ? [at(searches.late, 0.95), searches.late.at(-1)].map(whole).join('/') : '-';
}

function latency({ took }: Calls): string {
  return [at(took, 0.5), at(took, 0.99), took.at(-1)].map(whole).join('/');
}
