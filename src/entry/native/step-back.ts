import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, platform, setPriority } from 'node:os';

/** As the commands of Unix say it: so much lower than what the process has. */
const nicer = 5;

/** How the system calls the threads on which the binding runs statements. */
const name = 'tokio-runtime-w';

/**
 * Where cores are few, the thread that serves goes first: short answers wait for it, and a query may take longer.
 * `thread` 0: the one that asks.
 */
export function stepBack(thread = 0): void {
  // Elsewhere the call is about the whole process.
  if (platform() !== 'linux') return;
  try {
    setPriority(thread, Math.min(getPriority(thread) + nicer, 19));
  } catch {
    // A sandbox may refuse it: then all threads are alike.
  }
}

/** Lets those threads step back that begin meanwhile: the binding starts its own with the first database of a process. */
export function withThreadsBehind<T>(begin: () => T): T {
  const before = new Set(threads());
  const made = begin();
  for (const thread of threads()) if (!before.has(thread)) stepBack(thread);
  return made;
}

/** Empty anywhere but on Linux. A thread may end while it is looked at. */
function threads(): readonly number[] {
  if (platform() !== 'linux') return [];
  try {
    return readdirSync('/proc/self/task').flatMap((task) => (nameOf(task) === name ? [Number(task)] : []));
  } catch {
    return [];
  }
}

function nameOf(task: string): string {
  try {
    return readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
