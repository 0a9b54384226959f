import { sql } from 'drizzle-orm';
import type { Log } from '../../lib/log.ts';
import type { Check } from '../../room/context.ts';
import type { Reader } from '../../store/statement.ts';
import { query, value } from '../../store/statement.ts';

/** Most pairs that an answer names. */
const mostPairs = 20;

const isThere = (id: string) => sql`EXISTS (SELECT 1 FROM storage WHERE id = ${sql.raw(id)} AND deleted_at IS NULL)`;
/** Folder of an address, whether or not it ends with a slash. */
const folderOf = (uri: string) => sql`rtrim(${sql.raw(uri)}, '/')`;

/**
 * Pairs of storages of which one has its folder inside the folder of the other. `id`: only pairs with this storage.
 * The index of addresses finds what begins with a folder and a slash: the next character of the alphabet is 0.
 */
const overlappingFolders = query<
  { inner: ReturnType<typeof sql<string>>; outer: ReturnType<typeof sql<string>> },
  { id: string | null }
>(
  sql`SELECT DISTINCT below.storage_id AS inner, above.storage_id AS outer
    FROM storage_method AS above CROSS JOIN storage_method AS below
    WHERE instr(above.uri, '?') = 0 AND below.storage_id <> above.storage_id
      AND (below.uri = ${folderOf('above.uri')}
        OR (below.uri >= ${folderOf('above.uri')} || '/' AND below.uri < ${folderOf('above.uri')} || '0'))
      AND (${value('id')} IS NULL OR ${value('id')} IN (above.storage_id, below.storage_id))
      AND ${isThere('above.storage_id')} AND ${isThere('below.storage_id')}
    ORDER BY above.serial, below.serial LIMIT ${mostPairs}`,
  { inner: sql<string>`inner`, outer: sql<string>`outer` },
);

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
