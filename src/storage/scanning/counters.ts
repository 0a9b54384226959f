/** Counters and flags of a scan, as JSON in its row. */
export interface ScanCounters {
  /** Number of files on the storage. If it cannot be listed: the number of files looked at. */
  readonly seen: number;
  readonly fresh: number;
  readonly changed: number;
  readonly closed: number;
  readonly again: number;
  readonly missing: number;
  readonly lost: number;
  /** Entries that are no files, or that are unreadable, according to the storage. */
  readonly skipped: number;
  /** Files that rows said to be there when the scan began. */
  readonly total: number;
  /** An administrator has confirmed the missing files, or the new file system. */
  readonly accepted?: true;
  /** An administrator has restarted a stopped scan: no file becomes LOST. */
  readonly careful?: true;
}

const nothing: ScanCounters = {
  seen: 0,
  fresh: 0,
  changed: 0,
  closed: 0,
  again: 0,
  missing: 0,
  lost: 0,
  skipped: 0,
  total: 0,
};

export const parseCounters = (json: string): ScanCounters => ({
  ...nothing,
  ...(JSON.parse(json) as Partial<ScanCounters>),
});

export type Counted = Exclude<keyof ScanCounters, 'total' | 'accepted' | 'careful'>;

/** Adds what a batch has found. */
export function addTo(counters: ScanCounters, counts: Readonly<Partial<Record<Counted, number>>>): ScanCounters {
  const sum: Record<string, unknown> = { ...counters };
  for (const [name, count] of Object.entries(counts)) sum[name] = counters[name as Counted] + count;
  return sum as unknown as ScanCounters;
}
