import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Times that a process has used, in milliseconds. */
interface Usage {
  /** CPU time of all threads, in user and system mode. */
  readonly cpu: number;
  /** Times of the first thread: on a core, and (`queued`) ready while no core was free. */
  readonly ran: number;
  readonly queued: number;
}

/** Linux tells times of processes in hundredths of a second, on every machine. */
export const tick = 10;

function usageOf({ pid }: ChildProcess): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const [ran, queued] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { cpu: (Number(fields[11]) + Number(fields[12])) * tick, ran: ran! / 1e6, queued: queued! / 1e6 };
}

/** Microseconds that all threads of a process have been on a core: exact also where each gets it only now and then. */
export function threadTimeOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const times = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1000;
}

export interface Spent {
  /** Milliseconds of CPU time of all threads. */
  readonly cpu: number;
  /** Share of the time in which its first thread had a core to itself, and used it. */
  readonly busy: number;
}

export async function spentBy<T>(process: ChildProcess, work: () => Promise<T>): Promise<Spent & { result: T }> {
  const before = usageOf(process);
  const started = performance.now();
  const result = await work();
  const took = performance.now() - started;
  const after = usageOf(process);
  const queued = after.queued - before.queued;
  return { cpu: after.cpu - before.cpu, busy: (after.ran - before.ran) / (took - queued), result };
}

/** Resident memory of a process, and the most that it has had. */
export const residentMebibytes = (process: ChildProcess): number => mebibytes(process, 'VmRSS');
export const peakMebibytes = (process: ChildProcess): number => mebibytes(process, 'VmHWM');

function mebibytes({ pid }: ChildProcess, name: string): number {
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** Milliseconds of CPU time of a process, its children, and children of theirs, those that ended among them. */
export function cpuOfTree(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tick, 0);
  return childrenOf(pid).reduce((sum, child) => sum + cpuOfTree(child), own);
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

/** Waits until a process and its children have hardly anything left to do. */
export async function calm({ pid }: Pick<ChildProcess, 'pid'>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const before = cpuOfTree(pid!);
    await pause(200);
    if (cpuOfTree(pid!) - before <= tick) return;
  }
}

/** Keeps all threads of a process on one core: what sends requests has the others. */
export function pin({ pid }: ChildProcess, core = 0): void {
  spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
}
