import { asc, eq, sql } from 'drizzle-orm';
import { guard, rowExists } from '../../core/store/guard.ts';
import { deleteBy, insertInto, updateBy } from '../../core/store/rows.ts';
import { query, value } from '../../core/store/statement.ts';
import { accessKey, token, user } from '../tables.ts';
import { loginColumns } from '../users/store.ts';

/** The key and the user behind it, for a login. */
export const findKeyLogin = query((db) =>
  db
    .select({ ...loginColumns, key: accessKey.id, secret: accessKey.secret, active: accessKey.active })
    .from(accessKey)
    .innerJoin(user, eq(user.id, accessKey.userId))
    .where(eq(accessKey.id, value('id'))),
).first;

const shown = {
  id: accessKey.id,
  userId: accessKey.userId,
  name: accessKey.name,
  active: accessKey.active,
  createdAt: accessKey.createdAt,
};

export const findKey = query((db) =>
  db
    .select(shown)
    .from(accessKey)
    .where(eq(accessKey.id, value('id'))),
).first;
export type KeyRow = NonNullable<Awaited<ReturnType<typeof findKey>>>;

export const accessKeysOf = query((db) =>
  db
    .select(shown)
    .from(accessKey)
    .where(eq(accessKey.userId, value('userId')))
    .orderBy(asc(accessKey.createdAt), asc(accessKey.id))
    .limit(value('limit')),
);

export const insertKey = insertInto(accessKey);

/** A user can have many keys, but not without end. */
export const roomForKey = guard(
  sql`(SELECT count(*) FROM access_key WHERE user_id = ${value('userId')}) < ${value('max')}`,
);

export const keyThere = rowExists(accessKey, 'id');

export const renameKey = updateBy(accessKey, 'id', 'name');

export const switchKey = updateBy(accessKey, 'id', 'active');

export const deleteKey = deleteBy(accessKey, 'id');

export const deleteKeysOf = deleteBy(accessKey, 'userId');

/** For good: what was asked for with a key ends with it. */
export const endTokensOfKey = deleteBy(token, 'keyId');
