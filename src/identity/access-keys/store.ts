import { asc, eq, sql } from 'drizzle-orm';
import { guard } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { accessKey, user } from '../tables.ts';
import { loginColumns } from '../users/store.ts';

const value = sql.placeholder;

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

export const insertKey = statement((db) =>
  db.insert(accessKey).values({
    id: value('id'),
    userId: value('userId'),
    name: value('name'),
    secret: value('secret'),
    active: 1,
    createdAt: value('createdAt'),
  }),
);

/** A user can have many keys, but not without end. */
export const roomForKey = guard(
  sql`(SELECT count(*) FROM access_key WHERE user_id = ${value('userId')}) < ${value('most')}`,
);

export const keyThere = guard(sql`EXISTS (SELECT 1 FROM access_key WHERE id = ${value('id')})`);

export const renameKey = statement(
  sql`UPDATE ${writes('access_key')} SET name = ${value('name')} WHERE id = ${value('id')}`,
);

export const switchKey = statement(
  sql`UPDATE ${writes('access_key')} SET active = ${value('active')} WHERE id = ${value('id')}`,
);

export const deleteKey = statement(sql`DELETE FROM ${writes('access_key')} WHERE id = ${value('id')}`);

export const deleteKeysOf = statement(sql`DELETE FROM ${writes('access_key')} WHERE user_id = ${value('userId')}`);

/** For good: what was asked for with a key ends with it. */
export const endTokensOfKey = statement(sql`DELETE FROM ${writes('token')} WHERE key_id = ${value('id')}`);
