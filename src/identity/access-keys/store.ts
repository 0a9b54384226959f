import { asc, eq, sql } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../store/statement.ts';
import { accessKey, user } from '../tables.ts';
import { loginColumns } from '../users/store.ts';

const value = sql.placeholder;

/** The key and the user behind it, for a login. */
export const findKeyLogin = prepareLookup((db) =>
  db
    .select({ ...loginColumns, key: accessKey.id, secret: accessKey.secret, active: accessKey.active })
    .from(accessKey)
    .innerJoin(user, eq(user.id, accessKey.userId))
    .where(eq(accessKey.id, value('id'))),
);

const shown = {
  id: accessKey.id,
  userId: accessKey.userId,
  name: accessKey.name,
  active: accessKey.active,
  createdAt: accessKey.createdAt,
};

export const findKey = prepareLookup((db) =>
  db
    .select(shown)
    .from(accessKey)
    .where(eq(accessKey.id, value('id'))),
);
export type KeyRow = NonNullable<Awaited<ReturnType<typeof findKey>>>;

export const accessKeysOf = prepareQuery((db) =>
  db
    .select(shown)
    .from(accessKey)
    .where(eq(accessKey.userId, value('userId')))
    .orderBy(asc(accessKey.createdAt), asc(accessKey.id))
    .limit(value('limit')),
);

export const insertKey = prepareStatement((db) =>
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
export const roomForKey = prepareGuard(
  sql`(SELECT count(*) FROM access_key WHERE user_id = ${value('userId')}) < ${value('most')}`,
);

export const keyThere = prepareGuard(sql`EXISTS (SELECT 1 FROM access_key WHERE id = ${value('id')})`);

export const renameKey = prepareStatement(sql`UPDATE access_key SET name = ${value('name')} WHERE id = ${value('id')}`);

export const switchKey = prepareStatement(
  sql`UPDATE access_key SET active = ${value('active')} WHERE id = ${value('id')}`,
);

export const deleteKey = prepareStatement(sql`DELETE FROM access_key WHERE id = ${value('id')}`);

export const deleteKeysOf = prepareStatement(sql`DELETE FROM access_key WHERE user_id = ${value('userId')}`);

/** For good: what was asked for with a key ends with it. */
export const endTokensOfKey = prepareStatement(sql`DELETE FROM token WHERE key_id = ${value('id')}`);
