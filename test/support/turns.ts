/** A neighbour takes wall time, other threads of this process take processor time: the smaller one is nearer to the turn. */
function now(): { readonly wall: number; readonly used: number } {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), used: (user + system) / 1000 };
}

/**
 * The longest turn of the event loop while something is done: the least of several runs, because neighbours share the
 * cores. No further run is made once one was short enough.
 */
export async function longestTurn(runs: number, enough: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let left = runs; left > 0 && least >= enough; left--) least = Math.min(least, await turnDuring(run));
  return least;
}

async function turnDuring(run: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  let last = now();
  const watch = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = now();
      longest = Math.max(longest, Math.min(next.wall - last.wall, next.used - last.used));
      last = next;
    }
  })();
  try {
    await run();
  } finally {
    isDone = true;
    await watch;
  }
  return longest;
}
