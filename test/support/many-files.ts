import type { Store } from '../../src/core/store/store.ts';

interface ManyFiles {
  readonly files: number;
  /** The number of the storage. */
  readonly storage: number;
  /** The number of the first file. */
  readonly begin?: number;
}

const upTo = 'WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) ';

/** Storages with methods in memory, written by the engine: `VX-1`, `VX-2`, … Those that are there stay. */
export async function fillStorages(store: Store, count: number): Promise<void> {
  const changes = [
    {
      sql: `${upTo} INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark,
          scan_interval, show_importables, priority, rest, version, created_at)
        SELECT 'VX-' || i, i, 'LOCAL', 'NONE', 1000000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0 FROM n WHERE TRUE
        ON CONFLICT (id) DO NOTHING`,
      args: [1, count],
    },
    {
      sql: `${upTo} INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
        SELECT 'VX-' || i, i, 'VX-' || i, 'memory:///place-' || i || '/', 1, 1, 1, 0, '', 1 FROM n WHERE TRUE
        ON CONFLICT (id) DO NOTHING`,
      args: [1, count],
    },
  ];
  await store.commit({ changes, events: [] }, { user: 'test' });
}

/**
 * Closed files in folders of a hundred, `folder-00/file-1.mov`, written by the engine: a million in a minute. Their ids
 * are their numbers.
 */
export async function fillFiles(store: Store, { files, storage, begin = 1 }: ManyFiles): Promise<void> {
  await fillStorages(store, storage);
  const sql = `${upTo} INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at,
      timestamp, version)
    SELECT 'VX-' || i, i, ?3, printf('folder-%02d/file-%d.mov', i / 100, i), printf('folder-%02d/', i / 100),
      printf('file-%d.mov', i), 'mov', 'CLOSED', i * 7919 % 1000003, 0, i * 104729 % 10000019, 1 FROM n`;
  const args = [begin, begin + files - 1, `VX-${storage}`];
  await store.commit({ changes: [{ sql, args }], events: [] }, { user: 'test' });
}
