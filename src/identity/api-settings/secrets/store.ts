import { sql } from 'drizzle-orm';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { deleteBy, putInto, rowBy } from '../../../core/store/rows.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { secret, secretValue } from '../tables.ts';

const columns = { alias: secret.alias, keys: sql<string>`keys` };
const keysOf = sql`(SELECT json_group_array(key) FROM (SELECT key FROM secret_value WHERE alias = secret.alias ORDER BY key))`;

/** Secrets with their keys as a JSON array, without values. */
export const listSecrets = query(
  sql`SELECT alias, ${keysOf} AS keys FROM secret ORDER BY alias LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  columns,
);

export const findSecret = query(
  sql`SELECT alias, ${keysOf} AS keys FROM secret WHERE alias = ${value('alias')}`,
  columns,
).first;

/** A secret that is there already stays as it is. */
export const insertSecret = statement<{ alias: string; now: number }>(
  sql`INSERT INTO ${writes('secret')} (alias, created_at) VALUES (${value('alias')}, ${value('now')}) ON CONFLICT DO NOTHING`,
);

export const roomForSecret = guard<{ most: number }>(sql`(SELECT count(*) FROM secret) <= ${value('most')}`);
export const secretThere = rowExists(secret, 'alias');
export const deleteSecret = deleteBy(secret, 'alias');

export const findSealed = rowBy(secretValue, ['alias', 'key'], 'sealed');
export const writeValue = putInto(secretValue, ['alias', 'key']);
export const valueThere = rowExists(secretValue, 'alias', 'key');
export const deleteValue = deleteBy(secretValue, 'alias', 'key');
export const deleteValues = deleteBy(secretValue, 'alias');
