import { sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import type { DueTime } from '../../store/due.ts';
import { prepareLookup, prepareStatement } from '../../store/statement.ts';
import { keyedRequest } from '../tables.ts';

const value = sql.placeholder;

export type KeyedRow = typeof keyedRequest.$inferSelect;
type Name = Pick<KeyedRow, 'user' | 'key'>;

export const findKeyed = prepareLookup((db) =>
  db
    .select()
    .from(keyedRequest)
    .where(sql`${keyedRequest.user} = ${value('user')} AND ${keyedRequest.key} = ${value('key')}`),
);

const insert = prepareStatement<Omit<KeyedRow, 'answer'>>(
  sql`INSERT INTO keyed_request (user, key, request, made, created_at)
    VALUES (${value('user')}, ${value('key')}, ${value('request')}, ${value('made')}, ${value('createdAt')})`,
);
/** `refusal`: for a key that another request has by now. */
export const insertKeyed = (row: Omit<KeyedRow, 'answer'>, refusal: ServiceError): Statement => ({
  ...insert(row),
  refusal,
});

export const writeAnswer = prepareStatement<Name & { answer: string }>(
  sql`UPDATE keyed_request SET answer = ${value('answer')} WHERE user = ${value('user')} AND key = ${value('key')}`,
);

export const keysDue = (kept: number): DueTime => sql`SELECT min(created_at) + ${kept} FROM keyed_request`;

/** Statement for the deletion of a user: a later user of the same name must not get the answers. */
export const forgetKeysOf = prepareStatement<{ user: string }>(
  sql`DELETE FROM keyed_request WHERE user = ${value('user')}`,
);

const few = prepareStatement<{ before: number; limit: number }>(
  sql`DELETE FROM keyed_request WHERE (user, key) IN
      (SELECT user, key FROM keyed_request WHERE created_at < ${value('before')} ORDER BY created_at LIMIT ${value('limit')})
    RETURNING 1`,
);
export const removeOldKeys = (before: number, limit: number): Statement => ({
  ...few({ before, limit }),
  returns: true,
});
