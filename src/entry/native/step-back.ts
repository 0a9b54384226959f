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
