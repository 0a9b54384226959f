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
    each(users, `INSERT INTO login (name, user_id, alias) SELECT 'user-' || printf('%06d', i), 'L-' || i, 0 FROM n`),
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
