/** The longest turn of the loop while something goes on, in milliseconds. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ readonly turn: number; readonly result: T }> {
  await nextTurn();
  let turn = 0;
  let running = true;
  let before = performance.now();
  const look = () => {
    const now = performance.now();
    turn = Math.max(turn, now - before);
    before = now;
    if (running) setImmediate(look);
  };
  setImmediate(look);
  const result = await work().finally(() => {
    running = false;
  });
  await nextTurn();
  look();
  return { turn, result };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The least that the same small piece of work ever took: what this machine does when nothing disturbs it. */
let undisturbed = Number.POSITIVE_INFINITY;

/** Whether the machine gives this process its core just now. A piece of work that takes twice its least says no. */
export function isCalm(): boolean {
  const start = performance.now();
  let sum = 0;
  for (let index = 0; index < 2_000_000; index++) sum = (sum + index * 7) | 0;
  const took = performance.now() - start + (sum === 1 ? 1 : 0);
  undisturbed = Math.min(undisturbed, took);
  return took <= undisturbed * 2;
}
