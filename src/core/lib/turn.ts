/** Gives the loop back: everything else that is ready runs first. No time is meant to pass, so it is no clock's business. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Pixels, or what costs as much, that are worked on in one turn of the loop: a few milliseconds. */
const turn = 100_000;

/** Runs steps to their end in this turn: for small work, and where nothing may come in between. */
export function runAtOnce<T>(steps: Generator<number, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs steps, each of which yields its size, and lets other work in between. */
export async function runInSlices<T>(steps: Generator<number, T>): Promise<T> {
  for (let size = 0; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    size += value;
    if (size < turn) continue;
    size = 0;
    await nextTurn();
  }
}
