import Database from 'libsql';

/** More than a service gives out between two backups. */
const ahead = 1_000_000;

/** Prepares a restored database: ids, event sequences and fences must not be reused. Leases are released. */
export function prepareRestored(path: string): void {
  const database = new Database(path);
  try {
    const rows = (text: string) => database.prepare(text).raw(true).all([]) as unknown[][];
    const tables = new Set(rows(`SELECT name FROM sqlite_master WHERE type = 'table'`).flat());
    const columns = rows(
      `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
    );
    database.exec('BEGIN IMMEDIATE');
    if (tables.has('serial')) database.exec(`UPDATE serial SET next = next + ${ahead}`);
    // Serials that were free at the backup may have been given out behind it.
    if (tables.has('serial_gap')) database.exec('DELETE FROM serial_gap WHERE free = 1');
    if (tables.has('event'))
      database.exec(`INSERT INTO sqlite_sequence (name, seq)
        SELECT 'event', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'event');
        UPDATE sqlite_sequence SET seq = seq + ${ahead} WHERE name = 'event'`);
    for (const [table, column] of columns) {
      if (column === 'fence') database.exec(`UPDATE "${table}" SET fence = fence + ${ahead}`);
      // A lease that is over is found by its time; 0 means that there is none.
      if (column === 'lease_until') database.exec(`UPDATE "${table}" SET lease_until = 1 WHERE lease_until > 1`);
    }
    if (tables.has('lane')) database.exec('UPDATE lane SET ready = 1 WHERE owner IS NOT NULL');
    database.exec('COMMIT');
    // The log beside it would stay behind when the file is renamed.
    rows('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Folders of file storages that the database names, by storage. */
export function storageFolders(path: string): readonly (readonly [storage: string, uri: string])[] {
  const database = new Database(path, { readonly: true } as never);
  try {
    const tables = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'storage_method'`).raw(true).all([]);
    if ((tables as unknown[]).length === 0) return [];
    const text = `SELECT DISTINCT storage_id, uri FROM storage_method WHERE uri LIKE 'file:%' ORDER BY storage_id LIMIT 1000`;
    return database.prepare(text).raw(true).all([]) as [string, string][];
  } finally {
    database.close();
  }
}
