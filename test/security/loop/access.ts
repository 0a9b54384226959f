import type { Statement } from '../../../src/core/store/contract.ts';
import { jsonList } from './bodies.ts';
import { get, json, type Load } from './load.ts';

const entries = jsonList('{"access":[', () => '{"user":"admin","permission":"READ","priority":1}', ']}', 200);
const item = '/item/AC-1';

const alike = (path: string): Readonly<Record<string, readonly Load[]>> => ({
  [`GET ${path}/access`]: [get(`${item}/access`)],
  [`GET ${path}/access/explain`]: [get(`${item}/access/explain?user=rich`)],
  [`GET ${path}/merged-access`]: [get(`${item}/merged-access`), get(`${item}/merged-access?username=rich`)],
  [`GET ${path}/merged-access/group`]: [get(`${item}/merged-access/group?full=true`)],
  [`POST ${path}/access/bulk`]: [
    { title: 'more entries than an item may have', request: () => json(`POST /API${item}/access/bulk`, entries) },
  ],
});

/** By route, what is costlier than long parameters. */
export const accessLoads: Readonly<Record<string, readonly Load[]>> = alike('/item/:item');

const upTo = (count: number, sql: string): Statement => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) ${sql}`,
  args: [],
});

/** The item `AC-1` with as many entries as one may have, each by another grantor. */
export const accessState: readonly Statement[] = [
  { sql: `INSERT INTO item (id, serial, created_at) VALUES ('AC-1', 999998, 0)`, args: [] },
  upTo(
    200,
    `INSERT INTO user (id, name, password_version, enabled, version, created_at)
      SELECT 'AC-' || i, 'grantor-' || i, 1, 1, 1, 0 FROM n`,
  ),
  upTo(
    200,
    `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, grantor_id, priority,
        applies_to, rooted)
      SELECT 'item', 'AC-1', 'AC-' || i, 999998, 'AC-' || i, 'ALL', 'AC-' || (i % 200 + 1), 0, '["self"]', 0 FROM n`,
  ),
];
