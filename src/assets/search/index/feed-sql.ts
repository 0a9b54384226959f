import { sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import { type DueTime, dueWhile, earliestDue } from '../../../core/store/due.ts';
import { rowExists } from '../../../core/store/guard.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { searchChange, searchEntity, searchFeed } from '../tables.ts';

/** Maximum of queued changes. Indexes further behind start over on their return. */
const mostBehind = 1_000_000;

const leaveBehind = statement(
  sql`DELETE FROM ${writes('search_feed')} WHERE position < (SELECT max(position) FROM search_change) - ${mostBehind}`,
);

const insertChanges = statement<{ ids: readonly number[] }>(
  sql`INSERT INTO ${writes('search_change')} (entity) SELECT value FROM ${eachOf('ids')}
    WHERE EXISTS (SELECT 1 FROM search_feed)`,
);

/** Queues changed entities in the transaction of the change. `ids`: JSON array. */
export const tellIndexes = (ids: readonly number[]): readonly Statement[] => [insertChanges({ ids }), leaveBehind({})];

export const findFeed = query((db) =>
  db
    .select()
    .from(searchFeed)
    .where(sql`name = ${value('name')}`),
).first;

/** Position of the newest change ever queued. */
export const newestChange = query(sql`SELECT seq FROM sqlite_sequence WHERE name = 'search_change'`, {
  position: sql<number>``,
});

/** Starts a feed over: every entity is sent again. */
export const beginFeed = statement<{ name: string }>(
  sql`INSERT INTO ${writes('search_feed')} (name, position, seeding) VALUES (${value('name')}, 0, ${Number.MAX_SAFE_INTEGER})
    ON CONFLICT (name) DO UPDATE SET position = 0, seeding = excluded.seeding`,
);

/** Deletes changes queued before the first feed. */
export const dropUnread = statement(
  sql`DELETE FROM ${writes('search_change')} WHERE NOT EXISTS (SELECT 1 FROM search_feed)`,
);

export const feedDue = (name: string): DueTime =>
  earliestDue(
    dueWhile(sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM search_feed WHERE name = ${name} AND seeding = 0)`),
    dueWhile(sql`SELECT 1 FROM search_change WHERE position > (SELECT position FROM search_feed WHERE name = ${name})`),
  );

export const changesBehind = query((db) =>
  db
    .select()
    .from(searchChange)
    .where(sql`position > ${value('position')}`)
    .orderBy(searchChange.position)
    .limit(value('limit')),
);

/** Existing entities among the numbers, a JSON array. */
export const entitiesAmong = query((db) =>
  db
    .select({ number: searchEntity.id, id: searchEntity.entityId })
    .from(searchEntity)
    .where(sql`id IN ${valuesOf('numbers')}`),
);

export const acknowledge = statement<{ name: string; position: number }>(
  sql`UPDATE ${writes('search_feed')} SET position = ${value('position')}
    WHERE name = ${value('name')} AND position < ${value('position')}`,
);

/** Deletes changes that every index has read. */
export const dropRead = statement(
  sql`DELETE FROM ${writes('search_change')} WHERE position <= (SELECT min(position) FROM search_feed)`,
);

export const feedStands = rowExists(searchFeed, 'name', 'seeding');

const olderThan = sql`SELECT id FROM search_entity WHERE id < ${value('seeding')} ORDER BY id DESC LIMIT ${value('limit')}`;

type Slice = { readonly seeding: number; readonly limit: number };

/** Queues the next older entities as changes. */
export const tellOlder = statement<Slice>(sql`INSERT INTO ${writes('search_change')} (entity) ${olderThan}`);

export const advanceSeeding = statement<Slice & { name: string }>(
  sql`UPDATE ${writes('search_feed')} SET seeding = COALESCE((SELECT min(id) FROM (${olderThan})), 0)
    WHERE name = ${value('name')}`,
);
