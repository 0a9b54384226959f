import { yieldTurn } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { watermarksOf } from '../storages/rules.ts';
import { type RuledRow, ruledStoragesBehind, ruledStoragesNamed } from './store.ts';

/** Properties of a storage that rules depend on. */
export interface RuledStorage {
  readonly id: string;
  readonly serial: number;
  readonly type: string;
  readonly groups: readonly string[];
  /** Free bytes of the storage. */
  readonly free: number;
  readonly bandwidth: number;
  /** Read priority. 0 is the highest. */
  readonly priority: number;
  /** Whether new files may be written: a writable method, and neither evacuated nor missing. */
  readonly takesFiles: boolean;
  /** Whether files can be read now. */
  readonly canRead: boolean;
  /** Whether files can be read now, and the storage is not being evacuated. */
  readonly isReady: boolean;
  /** Whether the used bytes reach the high watermark. */
  readonly isFull: boolean;
  /** Used bytes of the storage. */
  readonly used: number;
  /** Used bytes of files that wait for their deletion. */
  readonly going: number;
  readonly low: number;
  readonly high: number;
}

const priorities = ['HIGHEST', 'HIGH', 'MEDIUM', 'LOW', 'LOWEST'];

/** Storages read between two yields to the event loop. */
const pageLength = 200;

interface RuledPage {
  readonly storages: readonly RuledStorage[];
  /** Cursor of the next page, a serial. Undefined: this was the last page. */
  readonly next: number | undefined;
}

/** A page of the storages that are not deleted. */
export async function ruledPage(reader: Reader, after: number): Promise<RuledPage> {
  const rows = await ruledStoragesBehind(reader, { after, limit: pageLength });
  return { storages: rows.map(ruledFrom), next: rows.length < pageLength ? undefined : rows.at(-1)!.serial };
}

/** All storages, by id. Yields to the event loop between pages. */
export async function ruledStorages(reader: Reader): Promise<ReadonlyMap<string, RuledStorage>> {
  const storagesById = new Map<string, RuledStorage>();
  for (let after: number | undefined = -1; after !== undefined; ) {
    const { storages, next } = await ruledPage(reader, after);
    for (const storage of storages) storagesById.set(storage.id, storage);
    if (next !== undefined) await yieldTurn();
    after = next;
  }
  return storagesById;
}

/** The storages with these ids. */
export async function ruledAmong(reader: Reader, ids: Iterable<string>): Promise<ReadonlyMap<string, RuledStorage>> {
  const rows = await ruledStoragesNamed(reader, { ids: [...new Set(ids)] });
  return new Map(rows.map((row) => [row.id, ruledFrom(row)]));
}

function ruledFrom(row: RuledRow): RuledStorage {
  const { low, high } = watermarksOf(row);
  const place = priorities.indexOf(row.priority.toUpperCase());
  const isReady = row.state === 'NONE' || row.state === 'READY';
  return {
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
  };
}
