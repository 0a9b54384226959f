import type { Statement } from '../../src/core/store/contract.ts';
import type { Store } from '../../src/core/store/store.ts';

export interface DirectorySize {
  readonly users: number;
  /** In chains: each group is in the next one, and the last in a role. */
  readonly groups: number;
  readonly chainLength: number;
}

export const largeDirectory: DirectorySize = { users: 100_000, groups: 10_000, chainLength: 10 };

const upTo = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ';

/**
 * A directory as a large installation has it, in seconds: written by the engine, not through the service. Each user is
 * called like `user-000042`, has one value of metadata, and is in the first group of a chain; every tenth is disabled.
 * The roles must be there.
 */
export async function fillDirectory(store: Store, size: DirectorySize = largeDirectory): Promise<void> {
  const { users, groups, chainLength } = size;
  const each = (count: number, sql: string, ...more: number[]): Statement => ({
    sql: upTo + sql,
    args: [count, ...more],
  });
  const counted = (name: string, by: number): Statement => ({
    sql: 'INSERT INTO counter (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + ?2',
    args: [name, by],
  });
  const changes = [
    each(
      users,
      `INSERT INTO user (id, name, real_name, password_version, enabled, version, created_at)
        SELECT 'L-' || i, 'user-' || printf('%06d', i), 'Real Name ' || i, 1, i % 10 > 0, 1, 0 FROM n`,
    ),
    each(
      users,
      `INSERT INTO login (name, folded, user_id, alias)
        SELECT 'user-' || printf('%06d', i), 'user-' || printf('%06d', i), 'L-' || i, 0 FROM n`,
    ),
    each(
      users,
      `INSERT INTO key_value (entity_type, entity_id, key, position, value)
        SELECT 'user', 'L-' || i, 'city', 0, 'Town ' || i FROM n`,
    ),
    each(
      groups,
      `INSERT INTO "group" (id, name, role, version, created_at)
        SELECT 'L-' || i, 'group-' || printf('%05d', i), 0, 1, 0 FROM n`,
    ),
    each(
      groups,
      `INSERT INTO group_group (parent_id, child_id) SELECT 'L-' || (i + 1), 'L-' || i FROM n WHERE i % ?2 > 0`,
      chainLength,
    ),
    each(
      groups,
      `INSERT INTO group_group (parent_id, child_id)
        SELECT (SELECT id FROM "group" WHERE name = '_user_read'), 'L-' || i FROM n WHERE i % ?2 = 0`,
      chainLength,
    ),
    each(
      users,
      `INSERT INTO group_user (group_id, user_id) SELECT 'L-' || (1 + (i % ?2) * ?3), 'L-' || i FROM n`,
      groups / chainLength,
      chainLength,
    ),
    counted('users', users),
    counted('users-disabled', Math.floor(users / 10)),
    counted('groups', groups),
    counted('group-graph', 1),
  ];
  await store.commit({ changes, events: [] }, { user: 'test' });
}

interface ManyFiles {
  readonly files: number;
  /** The number of the storage. */
  readonly storage: number;
  /** The number of the first file. */
  readonly begin?: number;
}

const between = 'WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) ';

/** Storages with methods in memory, written by the engine: `VX-1`, `VX-2`, … Those that are there stay. */
export async function fillStorages(store: Store, count: number): Promise<void> {
  const changes = [
    {
      sql: `${between} INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark,
          scan_interval, show_importables, priority, rest, version, created_at)
        SELECT 'VX-' || i, i, 'LOCAL', 'NONE', 1000000, 0, 100, 100, 60, 1, 'MEDIUM', '{}', 1, 0 FROM n WHERE TRUE
        ON CONFLICT (id) DO NOTHING`,
      args: [1, count],
    },
    {
      sql: `${between} INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
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
  const sql = `${between} INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at,
      timestamp, version)
    SELECT 'VX-' || i, i, ?3, printf('folder-%02d/file-%d.mov', i / 100, i), printf('folder-%02d/', i / 100),
      printf('file-%d.mov', i), 'mov', 'CLOSED', i * 7919 % 1000003, 0, i * 104729 % 10000019, 1 FROM n`;
  const args = [begin, begin + files - 1, `VX-${storage}`];
  await store.commit({ changes: [{ sql, args }], events: [] }, { user: 'test' });
}
