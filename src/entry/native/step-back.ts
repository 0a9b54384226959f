import { readdirSync } from 'node:fs';
import { getPriority, platform, setPriority } from 'node:os';

/** Increment of the niceness, as for the Unix command. */
const nicer = 5;

/**
 * Lowers the priority of a thread on machines with few cores: short answers on the main thread go first. `thread` 0:
 * the calling thread.
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

/**
 * Lets those threads step back that begin meanwhile: the binding starts its own with the first database of a process.
 * Threads are told apart by number, since a thread sets its name itself, later.
 */
export function withThreadsBehind<T>(begin: () => T): T {
  const before = new Set(threads());
  const result = begin();
  for (const thread of threads()) if (!before.has(thread)) stepBack(thread);
  return result;
}

/** Empty anywhere but on Linux. */
function threads(): readonly number[] {
  if (platform() !== 'linux') return [];
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}
