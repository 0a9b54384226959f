import type { Log } from '../../core/lib/log.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { Check } from '../../room/context.ts';
import { overlappingFolders } from './store.ts';

/** A storage inside another one is allowed, as in the original: each file below it is in both. */
export const storageFoldersCheck = (reader: Reader): Check => ({
  name: 'storages',
  description: 'No storage has its folder inside the folder of another one',
  async run() {
    const pairs = await overlappingFolders(reader, { id: null });
    if (pairs.length === 0) return { status: 'ok' };
    return { status: 'warning', message: pairs.map(({ inner, outer }) => overlap(inner, outer)) };
  },
});

/** Tells the log about the storages whose folders overlap with that of a storage which has just changed. */
export async function logOverlaps(reader: Reader, log: Log, id: string): Promise<void> {
  for (const { inner, outer } of await overlappingFolders(reader, { id })) {
    log.write('warn', 'storage-overlaps', { storage: inner, inside: outer, consequence: overlap(inner, outer) });
  }
}

const overlap = (inner: string, outer: string): string =>
  `Expected folders of storages apart from each other: that of ${inner} lies in that of ${outer}, so each of its files is in both`;
