/** Signals that end together. On one signal for all kinds of work, runtimes take so many listeners for a leak. */
export function createStops() {
  const open = new Set<AbortController>();
  const first = new AbortController();
  return {
    get aborted(): boolean {
      return first.signal.aborted;
    },
    abort(reason?: unknown): void {
      first.abort(reason);
      for (const each of open) each.abort(first.signal.reason);
    },
    /** One of them, as long as somebody works with it. */
    async lend<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const own = new AbortController();
      if (first.signal.aborted) own.abort(first.signal.reason);
      open.add(own);
      try {
        return await work(own.signal);
      } finally {
        open.delete(own);
      }
    },
  };
}
