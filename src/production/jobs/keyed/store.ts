import { sql } from 'drizzle-orm';
import type { DueTime } from '../../../core/store/due.ts';
import { deleteBy, insertInto, rowBy } from '../../../core/store/rows.ts';
import { statement, value, writes } from '../../../core/store/statement.ts';
import { keyedRequest } from '../../../room/jobs/tables.ts';

export type KeyedRow = typeof keyedRequest.$inferSelect;
type Name = Pick<KeyedRow, 'user' | 'key'>;

export const findKeyed = rowBy(keyedRequest, ['user', 'key']);

/** The refusal is for a key that another request has by now. */
export const insertKeyed = insertInto(keyedRequest, 'user', 'key', 'request', 'made', 'createdAt');

export const writeAnswer = statement<Name & { answer: string }>(
  sql`UPDATE ${writes('keyed_request')} SET answer = ${value('answer')} WHERE user = ${value('user')} AND key = ${value('key')}`,
);

export const keysDue = (kept: number): DueTime => sql`SELECT min(created_at) + ${kept} FROM keyed_request`;

/** Statement for the deletion of a user: a later user of the same name must not get the answers. */
export const forgetKeysOf = deleteBy(keyedRequest, 'user');

export const removeOldKeys = statement<{ before: number; limit: number }>(
  sql`DELETE FROM ${writes('keyed_request')} WHERE (user, key) IN
      (SELECT user, key FROM keyed_request WHERE created_at < ${value('before')} ORDER BY created_at LIMIT ${value('limit')})
    RETURNING 1`,
  { returns: true },
);
