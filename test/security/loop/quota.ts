import type { Statement } from '../../../src/core/store/contract.ts';
import { get, type Load } from './load.ts';

/** By route, what is costlier than long parameters. */
export const quotaLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /quota': [
    get('/quota?number=1000'),
    get('/quota?exceeded=true'),
    get('/quota?filter=user=nobody'),
    get('/quota?filter=storage=VX-1&exceeded=true'),
  ],
  'GET /quota/:rule': [get('/quota/Q-1')],
  'GET /quota/:rule/history': [get('/quota/Q-1/history')],
};

/** Ten thousand rules, all but one of users that own nothing. */
export const quotaState: readonly Statement[] = [
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO quota_rule (id, serial, key, user_id, user, item_limit, storage_limit, marked, counted, update_frequency, due)
        SELECT 'Q-' || i, i, CASE WHEN i = 1 THEN 'any' ELSE 'user:L-' || i END, CASE WHEN i > 1 THEN 'L-' || i END,
          CASE WHEN i > 1 THEN 'L-' || i END, 5, 5, 1, 1, 3600, 9e15 FROM n`,
    args: [10_000],
  },
  {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO quota_point (rule_id, day, items, bytes) SELECT 'Q-1', i, i, i FROM n`,
    args: [400],
  },
];
