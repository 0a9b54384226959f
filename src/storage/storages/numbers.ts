import type { StorageRow } from './store.ts';

/** Properties of a storage that are kept and given back, as JSON in one column. */
export interface Rest {
  readonly bandwidth?: number | undefined;
  readonly projection?: string | undefined;
  readonly sequence?: readonly { readonly regex: string; readonly numGroup?: number | undefined }[] | undefined;
  readonly sequenceTimeout?: number | undefined;
  readonly bean?: string | undefined;
  readonly archiveScript?: string | undefined;
  readonly resourceTag?: string | undefined;
  /** Watermarks given in bytes, which do not follow the capacity. */
  readonly lowWatermark?: number | undefined;
  readonly highWatermark?: number | undefined;
  /** Names of properties that were set explicitly. Documents omit the others. */
  readonly told?: readonly string[] | undefined;
}

export const storageRest = ({ rest }: Pick<StorageRow, 'rest'>): Rest => JSON.parse(rest) as Rest;

/** Bytes that are free: those of the disk where it is asked, else the capacity less what the files take. */
export function freeOf(row: Pick<StorageRow, 'capacity' | 'autoDetect' | 'freeDetected'>, used: number): number {
  if (row.autoDetect === 1 && row.freeDetected !== null) return row.freeDetected;
  return Math.max(0, row.capacity - used);
}

interface Watermark {
  readonly bytes: number;
  readonly percentage: number;
}

/** Copies go above the high one, until the low one is reached. */
export function watermarksOf(row: Pick<StorageRow, 'capacity' | 'lowWatermark' | 'highWatermark' | 'rest'>): {
  readonly low: Watermark;
  readonly high: Watermark;
} {
  const rest = storageRest(row);
  const markOf = (percentage: number, bytes: number | undefined): Watermark =>
    bytes === undefined ? { percentage, bytes: share(row.capacity, percentage) } : { percentage, bytes };
  return { low: markOf(row.lowWatermark, rest.lowWatermark), high: markOf(row.highWatermark, rest.highWatermark) };
}

/** A capacity of some petabytes times a hundred is more than a double holds exactly. */
const share = (capacity: number, percentage: number): number => Number((BigInt(capacity) * BigInt(percentage)) / 100n);

/** Share of the capacity in percent, rounded down. */
export const percentageOf = (bytes: number, capacity: number): number =>
  capacity === 0 ? 0 : Math.min(100, Number((BigInt(bytes) * 100n) / BigInt(capacity)));
