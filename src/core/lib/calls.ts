/** Calls to a remote database on behalf of one request, or of one look for work. */
export interface CallCount {
  calls: number;
  /** Commits that another change overtook. */
  overtaken?: number;
}

/** Finds the count of the code that runs, across all that it waits for. */
export interface CallScope {
  run<T>(count: CallCount, work: () => T): T;
  getStore(): CallCount | undefined;
}
