import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basic, getting, makeItems, metadataWriter } from './cpu.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService } from './runtimes.ts';

/** Rate and CPU time of two serving processes against one, in turns. The sender has no core of its own on a machine of two. */

const connections = 64;

interface Measured {
  readonly perSecond: number[];
  /** Microseconds of all processes for a request. */
  readonly cpu: number[];
}

const found = JSON.stringify({ field: [{ name: 'bench_title', value: [{ value: 'bench_title' }] }] });
const headers = { authorization: basic, accept: 'application/json', 'content-type': 'application/json' };
const searching = () => requestBytes('PUT', '/API/item?number=10', headers, found);

/** Hundredths of a second that Linux tells, as microseconds. */
const tick = 10_000;

function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => processesOf(Number(child)))];
}

function cpuOf({ process }: Started): number {
  const times = processesOf(process.pid!).map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return times.reduce((sum, time) => sum + time, 0) * tick;
}

export async function benchProcesses(runtime: RuntimeName, rounds = 5, seconds = 1): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const servers: Started[] = [];
  try {
    const measured: Record<string, readonly [one: Measured, two: Measured]> = {};
    const requests: Record<string, () => Buffer>[] = [];
    for (const processes of ['1', '2']) {
      const root = join(directory, processes);
      const server = await startService(runtime, root, { PORTICO_PROCESSES: processes });
      servers.push(server);
      const items = await makeItems(server);
      requests.push({
        whoami: getting('/API/whoami'),
        'GET the metadata of an item': getting(`/API/item/${items[0]}/metadata`),
        'a search': searching,
        'PUT three fields of an item': metadataWriter(items),
      });
    }
    for (let round = 0; round <= rounds; round++) {
      for (const name of Object.keys(requests[0]!)) {
        measured[name] ??= [empty(), empty()];
        const sides = measured[name];
        for (const [at, server] of servers.entries()) {
          const before = cpuOf(server);
          const result = await load({ port: server.port, connections, seconds, next: requests[at]![name]! });
          // The first round warms up.
          if (round === 0) continue;
          sides[at]!.perSecond.push(result.perSecond);
          sides[at]!.cpu.push((cpuOf(server) - before) / result.answers);
        }
      }
    }
    return Object.entries(measured).flatMap(([name, [one, two]]) => [
      ...[one, two].map(({ perSecond, cpu }, at) => ({
        name: `${name}, processes: ${at + 1}; a second, microseconds of CPU time`,
        perSecond: median(perSecond),
        value: median(cpu),
      })),
      {
        name: `${name}: rate of two processes against one`,
        ratio: median(two.perSecond.map((rate, round) => rate / one.perSecond[round]!)),
      },
      {
        name: `${name}: CPU time of two processes against one`,
        ratio: median(two.cpu.map((cpu, round) => cpu / one.cpu[round]!)),
      },
    ]);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
  }
}

const empty = (): Measured => ({ perSecond: [], cpu: [] });
