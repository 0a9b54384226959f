import { sql } from 'drizzle-orm';
import type { Statement } from '../../store/contract.ts';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareSqlQuery, prepareSqlStatement } from '../../store/statement.ts';
import { searchChange, searchEntity, searchFeed } from '../tables.ts';

const value = sql.placeholder;

/** Changes that wait for an index. One that is further behind is not waited for: it starts over when it comes back. */
const mostBehind = 1_000_000;

const leaveBehind = prepareSqlStatement(
  sql`DELETE FROM search_feed WHERE position < (SELECT max(position) FROM search_change) - ${mostBehind}`,
);

const insertChanges = prepareSqlStatement<{ ids: string }>(
  sql`INSERT INTO search_change (entity) SELECT value FROM json_each(${value('ids')})
    WHERE EXISTS (SELECT 1 FROM search_feed)`,
);

/** For the transaction that changes these entities. `ids`: JSON. */
export const tellIndexes = (ids: string): readonly Statement[] => [insertChanges({ ids }), leaveBehind({})];

export const findFeed = prepareLookup((db) =>
  db
    .select()
    .from(searchFeed)
    .where(sql`name = ${value('name')}`),
);
export type FeedRow = NonNullable<Awaited<ReturnType<typeof findFeed>>>;

/** The position of the newest change that there ever was. */
export const newestChange = prepareSqlQuery(sql`SELECT seq FROM sqlite_sequence WHERE name = 'search_change'`, {
  position: sql<number>``,
});

/** From the beginning: every entity comes once more. */
export const beginFeed = prepareSqlStatement<{ name: string }>(
  sql`INSERT INTO search_feed (name, position, seeding) VALUES (${value('name')}, 0, ${Number.MAX_SAFE_INTEGER})
    ON CONFLICT (name) DO UPDATE SET position = 0, seeding = excluded.seeding`,
);

/** What is there before another index is fed is for nobody. */
export const dropUnread = prepareSqlStatement(
  sql`DELETE FROM search_change WHERE NOT EXISTS (SELECT 1 FROM search_feed)`,
);

export const changesBehind = prepareQuery((db) =>
  db
    .select()
    .from(searchChange)
    .where(sql`position > ${value('position')}`)
    .orderBy(searchChange.position)
    .limit(value('limit')),
);

/** Of these numbers, the entities that are there. `numbers`: JSON. */
export const entitiesAmong = prepareQuery((db) =>
  db
    .select({ number: searchEntity.id, id: searchEntity.entityId })
    .from(searchEntity)
    .where(sql`id IN (SELECT value FROM json_each(${value('numbers')}))`),
);

export const acknowledge = prepareSqlStatement<{ name: string; position: number }>(
  sql`UPDATE search_feed SET position = ${value('position')}
    WHERE name = ${value('name')} AND position < ${value('position')}`,
);

/** What every index has read. */
export const dropRead = prepareSqlStatement(
  sql`DELETE FROM search_change WHERE position <= (SELECT min(position) FROM search_feed)`,
);

export const feedStands = prepareGuard<{ name: string; seeding: number }>(
  sql`EXISTS (SELECT 1 FROM search_feed WHERE name = ${value('name')} AND seeding = ${value('seeding')})`,
);

const olderThan = sql`SELECT id FROM search_entity WHERE id < ${value('seeding')} ORDER BY id DESC LIMIT ${value('limit')}`;

type Slice = { readonly seeding: number; readonly limit: number };

/** The next older entities, as if they had changed. */
export const tellOlder = prepareSqlStatement<Slice>(sql`INSERT INTO search_change (entity) ${olderThan}`);

export const advanceSeeding = prepareSqlStatement<Slice & { name: string }>(
  sql`UPDATE search_feed SET seeding = COALESCE((SELECT min(id) FROM (${olderThan})), 0)
    WHERE name = ${value('name')}`,
);
