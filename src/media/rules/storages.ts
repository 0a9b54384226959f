import type { Reader } from '../../store/statement.ts';
import { watermarksOf } from '../storages/numbers.ts';
import { allRuledStorages } from './store.ts';

/** A storage as far as rules ask. */
export interface RuledStorage {
  readonly id: string;
  readonly serial: number;
  readonly type: string;
  readonly groups: readonly string[];
  /** Bytes. */
  readonly free: number;
  readonly bandwidth: number;
  /** Of reads: 0 is the highest. */
  readonly priority: number;
  /** It has a method that writes, and nobody empties it or misses it. */
  readonly takesFiles: boolean;
  /** Its files can be read now. */
  readonly canRead: boolean;
  /** The same, and nobody empties it. */
  readonly isReady: boolean;
  /** At its high watermark, or above. */
  readonly isFull: boolean;
  /** Bytes that are used. */
  readonly used: number;
  /** Those of them that wait for their deletion. */
  readonly going: number;
  readonly low: number;
  readonly high: number;
}

const priorities = ['HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'];

/** All storages that callers see, by their ids. */
export async function ruledStorages(reader: Reader): Promise<ReadonlyMap<string, RuledStorage>> {
  const rows = await allRuledStorages(reader, {});
  return new Map(
    rows.map((row) => {
      const { low, high } = watermarksOf(row);
      const place = priorities.indexOf(row.priority.toUpperCase());
      const isReady = row.state === 'NONE' || row.state === 'READY';
      return [
        row.id,
        {
          id: row.id,
          serial: row.serial,
          type: row.type,
          groups: JSON.parse(row.groups) as readonly string[],
          free: row.free,
          bandwidth: row.bandwidth,
          priority: place < 0 ? priorities.indexOf('MEDIUM') : place,
          takesFiles: isReady && row.writes === 1,
          canRead: isReady || row.state === 'EVACUATING',
          isReady,
          isFull: row.used >= high.bytes,
          used: row.used,
          going: row.going,
          low: low.bytes,
          high: high.bytes,
        },
      ];
    }),
  );
}
