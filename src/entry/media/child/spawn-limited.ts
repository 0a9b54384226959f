import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { isPermitted } from './find-program.ts';

export interface Limits {
  /** Memory of the process, where the system counts it. */
  readonly megabytes: number;
  /** Name of the setting for the limit, for messages. */
  readonly setting?: string;
  /** Seconds of CPU time in total, in case the process outlives the service. */
  readonly cpuSeconds: number;
  /** An empty folder. */
  readonly folder: string;
}

type Line = readonly [string, ...string[]];
/** Command line that sets limits of core, CPU time and data size, then becomes the program. */
type Limiter = (line: Line, limits: Limits) => Line;

const shell: Limiter = (line, { megabytes, cpuSeconds }) => {
  const limits = `ulimit -c 0; ulimit -t ${cpuSeconds}; ulimit -d ${megabytes * 1024}`;
  return ['/bin/sh', '-c', `${limits}; exec "$0" "$@"`, ...line];
};

const prlimit: Limiter = (line, { megabytes, cpuSeconds }) => [
  ...(['prlimit', '--core=0', `--cpu=${cpuSeconds}`, `--data=${megabytes * 1024 * 1024}`, '--'] as const),
  ...line,
];

/** Undefined: this process may start neither of the programs that set limits. */
export function limiterOf(isAllowed = isPermitted, platform = process.platform): Limiter | undefined {
  if (platform === 'win32') return undefined;
  if (isAllowed('/bin/sh')) return shell;
  return isAllowed('prlimit') ? prlimit : undefined;
}

/** Options of ffmpeg and ffprobe for a system where nothing else limits them. They bound one block of memory, not all. */
export function ownLimits(
  program: 'ffmpeg' | 'ffprobe',
  { megabytes, cpuSeconds }: Limits,
  limiter?: Limiter,
): readonly string[] {
  if (limiter) return [];
  const memory = ['-max_alloc', String(megabytes * 1024 * 1024)];
  return program === 'ffprobe' ? memory : [...memory, '-timelimit', String(cpuSeconds)];
}

/** Warnings for an operator who has given fewer permissions than media processes need. */
export function mediaNotices(isAllowed = isPermitted, limiter = limiterOf(isAllowed)): string[] {
  if (limiter || process.platform === 'win32') return [];
  const lacks = 'Expected the right to start prlimit, for limits of media processes (--allow-run=prlimit)';
  const { execPath } = process;
  if (isAllowed(execPath)) return [`${lacks}. Deadlines alone bound them`];
  return [`${lacks}, or Deno itself without limits (--allow-run=${execPath}). Files are not probed`];
}

/**
 * Starts a program with nothing of this process: its own environment, no descriptors but its three pipes, a low priority, and
 * limits that the kernel keeps. Without a limiter, deadlines alone bound it.
 */
export function spawnLimited(
  program: string,
  words: readonly string[],
  limits: Limits,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [first, ...rest] = limiterOf()?.([program, ...words], limits) ?? [program, ...words];
  const child = spawn(first, rest, {
    cwd: limits.folder,
    // A program that the limiter has to find: Deno knows it by name alone.
    env: program.includes('/') || process.platform === 'win32' ? env : { ...env, PATH: process.env['PATH'] ?? '' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: what it starts ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Failed: the process has ended already, or the right is missing.
  }
  return child;
}

/** Kills the process and its descendants at once. */
export function killAll(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
