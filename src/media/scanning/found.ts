/** What a scan has found so far, as JSON in the row of the scan. */
export interface Found {
  /** Files that the storage has: of a storage that is not listed, those that were looked at. */
  readonly seen: number;
  readonly fresh: number;
  readonly changed: number;
  readonly closed: number;
  readonly again: number;
  readonly missing: number;
  readonly lost: number;
  /** Entries of which the storage says that they are no files, or that nobody may look at them. */
  readonly skipped: number;
  /** Files that rows said to be there when the scan began. */
  readonly total: number;
  /** A person said that files are missing, or that another file system is there, and that this is right. */
  readonly accepted?: true;
  /** A person asked for another scan after one that had stopped: no file is given up by it. */
  readonly careful?: true;
}

const nothing: Found = {
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

export const foundIn = (json: string): Found => ({ ...nothing, ...(JSON.parse(json) as Partial<Found>) });

export type Counted = Exclude<keyof Found, 'total' | 'accepted' | 'careful'>;

/** Adds what a batch has found. */
export function addTo(found: Found, counts: Readonly<Partial<Record<Counted, number>>>): Found {
  const sum: Record<string, unknown> = { ...found };
  for (const [name, count] of Object.entries(counts)) sum[name] = found[name as Counted] + count;
  return sum as unknown as Found;
}
