import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getting, makeItems, metadataWriter } from './cpu.ts';
import { headers } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService } from './runtimes.ts';

/**
 * CPU time of one, two and four serving processes for a request, in turns. A machine of two cores has none for the sender, so
 * rates there say how the three share it. What a core can answer follows from the CPU time.
 */

const connections = 64;
const counts = [1, 2, 4] as const;

/** Microseconds of CPU time. */
interface Cpu {
  /** Threads that answer requests. */
  readonly serving: number;
  /** Threads beside them: writers, readers, passwords, collection of garbage. */
  readonly beside: number;
  /** The process with the port and the background work. 0: the one process does all. */
  readonly primary: number;
}

interface Measured {
  readonly perSecond: number[];
  /** For a request. */
  readonly cpu: Cpu[];
}

const found = JSON.stringify({ field: [{ name: 'bench_title', value: [{ value: 'bench_title' }] }] });
const searching = () => requestBytes('PUT', '/API/item?number=10', headers, found);

/** Hundredths of a second that Linux tells, as microseconds. */
const tick = 10_000;

const namesIn = (path: string): number[] => readdirSync(path).map(Number);
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Threads that have ended count in the process alone. */
function cpuIn(path: string): number {
  const fields = readFileSync(`${path}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

function cpuOf({ process }: Started): Cpu {
  const pid = process.pid!;
  const others = childrenOf(pid).filter((child) => namesIn(`/proc/${child}/task`).length > 1);
  const serving = others.length > 0 ? others : [pid];
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const main = sum(serving.map((each) => cpuIn(`/proc/${each}/task/${each}`)));
  const whole = sum(serving.map((each) => cpuIn(`/proc/${each}`)));
  return { serving: main, beside: whole - main, primary: others.length > 0 ? cpuIn(`/proc/${pid}`) : 0 };
}

const parts = ['serving', 'beside', 'primary'] as const;
const totalOf = ({ serving, beside, primary }: Cpu): number => serving + beside + primary;
const perAnswer = (before: Cpu, now: Cpu, answers: number): Cpu => {
  const of = (part: (typeof parts)[number]) => (now[part] - before[part]) / answers;
  return { serving: of('serving'), beside: of('beside'), primary: of('primary') };
};

export async function benchProcesses(runtime: RuntimeName, rounds = 5, seconds = 1): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const servers: Started[] = [];
  try {
    const measured: Record<string, readonly Measured[]> = {};
    const requests: Record<string, () => Buffer>[] = [];
    for (const processes of counts) {
      const root = join(directory, String(processes));
      const server = await startService(runtime, root, { PORTICO_PROCESSES: String(processes) });
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
        measured[name] ??= counts.map(empty);
        const sides = measured[name];
        for (const [at, server] of servers.entries()) {
          const before = cpuOf(server);
          const result = await load({ port: server.port, connections, seconds, next: requests[at]![name]! });
          // The first round warms up.
          if (round === 0) continue;
          sides[at]!.perSecond.push(result.perSecond);
          sides[at]!.cpu.push(perAnswer(before, cpuOf(server), result.answers));
        }
      }
    }
    return Object.entries(measured).flatMap(([name, sides]) => [
      ...sides.flatMap(({ perSecond, cpu }, at) => {
        const processes = `${name}, processes: ${counts[at]}`;
        return [
          { name: `${processes}; a second beside the sender`, perSecond: median(perSecond) },
          { name: `${processes}; a second for a core of CPU`, perSecond: 1e6 / median(cpu.map(totalOf)) },
          ...parts.map((part) => ({
            name: `${processes}; microseconds of CPU time, ${part}`,
            value: median(cpu.map((each) => each[part])),
          })),
        ];
      }),
      ...sides.slice(1).map(({ cpu }, at) => ({
        name: `${name}: CPU time of ${counts[at + 1]} processes against one`,
        ratio: median(cpu.map((each, round) => totalOf(each) / totalOf(sides[0]!.cpu[round]!))),
      })),
    ]);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
  }
}

const empty = (): Measured => ({ perSecond: [], cpu: [] });
