/** Gives the loop back: everything else that is ready runs first. No time is meant to pass, so it is no clock's business. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

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
    await yieldTurn();
  }
}

/** Tasks with the same key, one after the other in the order in which they came. A task that fails ends its turn, too. */
export class KeyedQueue {
  /** By key: the end of the line. */
  readonly #lines = new Map<string, Promise<unknown>>();

  /** `waited`: another task went ahead, so what was read before may be stale. Never call it within itself. */
  async take<T>(key: string, task: (waited: boolean) => Promise<T>): Promise<T> {
    const ahead = this.#lines.get(key);
    const own = ahead === undefined ? task(false) : ahead.then(() => task(true));
    const end = own.catch(() => undefined);
    this.#lines.set(key, end);
    try {
      return await own;
    } finally {
      if (this.#lines.get(key) === end) this.#lines.delete(key);
    }
  }
}

/** Entries whose relations are read at once: the rows of one read become objects in one turn of the loop. */
const sliceLength = 100;

/** Makes documents of rows slice by slice, in order. */
export async function inSlices<R, D>(
  rows: readonly R[],
  make: (slice: readonly R[]) => Promise<readonly D[]>,
  length = sliceLength,
): Promise<D[]> {
  const parts: D[] = [];
  for (let at = 0; at < rows.length; at += length) parts.push(...(await make(rows.slice(at, at + length))));
  return parts;
}
