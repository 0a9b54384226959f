import { setTimeout as pause } from 'node:timers/promises';

/**
 * True if the promise is settled within so many turns of the loop, of 100 ms each on an idle machine. A slow machine
 * makes each turn longer, and gives the work of the same process as much less time.
 */
export async function isSettledWithin(turns: number, promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < turns && !isSettled; turn++) await pause(100);
  return isSettled;
}
