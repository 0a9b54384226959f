import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import process from 'node:process';

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

/**
 * Starts a program with nothing of this process: its own environment, no descriptors but its three pipes, a low priority, and
 * limits that the kernel keeps. Windows has no such shell: there deadlines alone bound it.
 */
export function spawnLimited(
  program: string,
  words: readonly string[],
  limits: Limits,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const { megabytes, cpuSeconds, folder } = limits;
  const isPosix = process.platform !== 'win32';
  const shell = `ulimit -c 0; ulimit -t ${cpuSeconds}; ulimit -d ${megabytes * 1024}; exec "$0" "$@"`;
  const line: readonly [string, readonly string[]] = isPosix
    ? ['/bin/sh', ['-c', shell, program, ...words]]
    : [program, words];
  const child = spawn(line[0], [...line[1]], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: what it starts ends with it.
    detached: isPosix,
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
