import { sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import { type DueTime, dueWhile, earliestDue } from '../../../core/store/due.ts';
import { guard } from '../../../core/store/guard.ts';
import { eachOf, oneEntity, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { collectionsFrom } from '../index/keys.ts';
import { searchChange } from '../tables.ts';

/** Name of the index of an engine in `/reindex`. */
export const engineIndex = 'engine';

/** Maximum of queued changes. An engine further behind is built from the beginning. */
const maxBehind = 1_000_000;

const leaveBehind = statement(
  sql`DELETE FROM ${writes('search_feed')} WHERE position < (SELECT max(position) FROM search_change) - ${maxBehind}`,
);

const insertChanges = statement<{ ids: readonly number[] }>(
  sql`INSERT INTO ${writes('search_change')} (entity) SELECT value FROM ${eachOf('ids')}
    WHERE EXISTS (SELECT 1 FROM search_feed)`,
);

/** Queues changed entities in the transaction of the change. `ids`: JSON array. */
export const tellIndexes = (ids: readonly number[]): readonly Statement[] => [insertChanges({ ids }), leaveBehind({})];

/** Position of the newest change ever queued. */
const newest = sql`COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'search_change'), 0)`;

/** Notes behind the changes of a group of commits up to where an engine must be for their users. */
export const tellWriters = statement<{ users: readonly string[]; now: number }>(
  sql`INSERT INTO ${writes('search_writer')} (user, position, at) SELECT value, ${newest}, ${value('now')} FROM ${eachOf('users')}
    WHERE EXISTS (SELECT 1 FROM search_feed)
    ON CONFLICT (user) DO UPDATE SET position = excluded.position, at = excluded.at WHERE position < excluded.position`,
);

export const forgetWriters = statement<{ names: readonly string[] }>(
  sql`DELETE FROM ${writes('search_writer')} WHERE user IN ${valuesOf('names')}`,
);

/** Entities of one commit from which on they wait in a lane of their own. */
export const manyAtOnce = 50;

/** Notes before a commit where its changes begin. */
export const markChanges = statement(sql`UPDATE ${writes('search_feed')} SET mark = ${newest}`);

const marked = sql`position > (SELECT max(mark) FROM search_feed) AND ${newest} >= (SELECT max(mark) FROM search_feed) + ${sql.raw(String(manyAtOnce))}`;

/** Takes the changes of a commit out of the queue if they are many, so that changes of others need not wait for them. */
export const setAside: readonly ((values: { user: string }) => Statement)[] = [
  statement<{ user: string }>(sql`INSERT INTO ${writes('search_bulk')} (position, entity, user)
    SELECT position, entity, ${value('user')} FROM search_change WHERE ${marked}`),
  statement<{ user: string }>(sql`DELETE FROM ${writes('search_change')} WHERE ${marked}`),
];

const nextAside = (columns: string) =>
  sql`SELECT ${sql.raw(columns)} FROM search_bulk ORDER BY position LIMIT ${value('limit')}`;

/** Queues the next changes of those that were set aside. Their users wait for them. */
export const takeAside: readonly ((values: { limit: number }) => Statement)[] = [
  statement<{ limit: number }>(sql`INSERT INTO ${writes('search_change')} (entity) ${nextAside('entity')}`),
  statement<{ limit: number }>(
    sql`UPDATE ${writes('search_writer')} SET position = ${newest} WHERE user IN (SELECT user FROM (${nextAside('user')}))`,
  ),
  statement<{ limit: number }>(sql`DELETE FROM ${writes('search_bulk')} WHERE position IN (${nextAside('position')})`),
];

/** Number of changes that wait for an engine. */
export const countWaiting = query(
  sql`SELECT (SELECT count(*) FROM search_change WHERE position > ${value('position')}) + (SELECT count(*) FROM search_bulk)`,
  { waiting: sql<number>`` },
).first;

export const findFeed = query(
  sql`SELECT feed.position, caught_at, seeding, is_building, is_ready, lease_owner, lease_until, ${newest},
    build.status, build.done, build.total, EXISTS (SELECT 1 FROM search_bulk)
    FROM search_feed AS feed LEFT JOIN search_reindex AS build ON build.name = ${engineIndex}
    WHERE feed.name = ${value('name')}`,
  {
    position: sql<number>``,
    caughtAt: sql<number>``,
    seeding: sql<number>``,
    isBuilding: sql<number>``,
    isReady: sql<number>``,
    leaseOwner: sql<string | null>``,
    leaseUntil: sql<number>``,
    newest: sql<number>``,
    status: sql<string | null>``,
    done: sql<number | null>``,
    total: sql<number | null>``,
    hasAside: sql<number>``,
  },
).first;

export type FeedRow = NonNullable<Awaited<ReturnType<typeof findFeed>>>;

type Lease = {
  readonly name: string;
  readonly owner: string;
  readonly now: number;
  readonly until: number;
};

/** Forgets engines that are not configured any more, and indexes with documents of another form. */
export const dropOthers = statement<{ name: string }>(
  sql`DELETE FROM ${writes('search_feed')} WHERE name <> ${value('name')}`,
);

/** Deletes changes that no engine waits for. */
export const dropUnread: readonly (() => Statement)[] = (['search_change', 'search_bulk'] as const).map((table) => {
  const drop = statement(sql`DELETE FROM ${writes(table)} WHERE NOT EXISTS (SELECT 1 FROM search_feed)`);
  return () => drop({});
});

/** Takes the lease of a feed, or makes it last longer. */
export const takeLease = statement<Lease>(
  sql`INSERT INTO ${writes('search_feed')} (name, position, seeding, lease_owner, lease_until)
    VALUES (${value('name')}, 0, 0, ${value('owner')}, ${value('until')})
    ON CONFLICT (name) DO UPDATE SET lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
      WHERE lease_owner = excluded.lease_owner OR lease_until < ${value('now')}`,
);

/** Guard: this instance has the lease. */
export const hasLease = guard<{ name: string; owner: string }>(
  sql`EXISTS (SELECT 1 FROM search_feed WHERE name = ${value('name')} AND lease_owner = ${value('owner')})`,
);

/** Begins a build: every entity is sent. `ready`: whether searches may ask the index from before meanwhile. */
export const beginBuild = [
  statement<{ name: string; ready: number }>(
    sql`UPDATE ${writes('search_feed')} SET position = ${newest}, seeding = ${Number.MAX_SAFE_INTEGER}, is_building = 1,
      is_ready = ${value('ready')} WHERE name = ${value('name')}`,
  ),
  statement<{ now: number }>(
    sql`INSERT INTO ${writes('search_reindex')} (name, priority, status, start, done, total, run)
    VALUES (${engineIndex}, 500, 'IN_PROGRESS', ${value('now')}, 0, (SELECT sum(value) FROM counter WHERE name IN ('items', 'collections')), 1)
    ON CONFLICT (name) DO UPDATE SET status = 'IN_PROGRESS', start = excluded.start, finish = NULL, done = 0,
      total = excluded.total, run = run + 1`,
  ),
] as const;

/** Ends a build that a caller has ended. */
export const leaveBuild = statement<{ name: string }>(
  sql`UPDATE ${writes('search_feed')} SET is_building = 0, seeding = 0 WHERE name = ${value('name')}`,
);

export const endBuild = [
  statement<{ name: string }>(
    sql`UPDATE ${writes('search_feed')} SET is_building = 0, is_ready = 1 WHERE name = ${value('name')}`,
  ),
  statement<{ now: number }>(
    sql`UPDATE ${writes('search_reindex')} SET status = 'FINISHED', finish = ${value('now')}, done = total WHERE name = ${engineIndex}`,
  ),
] as const;

export const feedDue: DueTime = earliestDue(
  dueWhile(sql`SELECT 1 FROM search_feed WHERE EXISTS (
    SELECT 1 FROM search_change WHERE search_change.position > search_feed.position)
    OR EXISTS (SELECT 1 FROM search_bulk WHERE position > 0)`),
  dueWhile(sql`SELECT 1 FROM search_feed WHERE (is_building = 1 OR is_ready = 0) AND NOT EXISTS (
    SELECT 1 FROM search_reindex WHERE name = ${engineIndex} AND status IN ('PAUSED', 'ABORTED'))`),
  dueWhile(sql`SELECT 1 FROM search_reindex WHERE name = ${engineIndex} AND status IN ('IN_QUEUE', 'IN_PROGRESS')`),
);

export const changesBehind = query((db) =>
  db
    .select()
    .from(searchChange)
    .where(sql`position > ${value('position')}`)
    .orderBy(searchChange.position)
    .limit(value('limit')),
);

const membersOf = (table: string, column: string, where: string) =>
  sql.raw(`(SELECT json_group_array(${column}) FROM ${table} WHERE ${where})`);
const offset = sql.raw(String(collectionsFrom));

/** Facts of existing entities with these numbers. */
export const factsAmong = query(
  sql`SELECT serial, id, created_at, context,
      ${membersOf('collection_member', 'collection_id', "member_type = 'item' AND member_id = item.id")},
      ${membersOf('library_item', 'library_id', 'item_id = item.id')}
    FROM item WHERE serial IN ${valuesOf('numbers')}
    UNION ALL SELECT serial + ${offset}, id, created_at, context,
      ${membersOf('collection_member', 'collection_id', "member_type = 'collection' AND member_id = collection.id")}, '[]'
    FROM collection WHERE serial IN (SELECT value - ${offset} FROM ${eachOf('numbers')})`,
  {
    id: sql<number>``,
    entityId: sql<string>``,
    created: sql<number>``,
    context: sql<number | null>``,
    collections: sql<string>``,
    libraries: sql<string>``,
  },
);

/** Notes how far an engine is. `caughtAt`: time at which no other change waited; 0: some may have. */
export const acknowledge = statement<{ name: string; position: number; caughtAt: number }>(
  sql`UPDATE ${writes('search_feed')} SET position = max(position, ${value('position')}),
    caught_at = max(caught_at, ${value('caughtAt')}) WHERE name = ${value('name')}`,
);

/** Deletes changes that every engine has. */
export const dropRead = statement(
  sql`DELETE FROM ${writes('search_change')} WHERE position <= (SELECT min(position) FROM search_feed)`,
);

const olderThan = sql`SELECT id FROM (
    SELECT * FROM (SELECT serial + ${offset} AS id FROM collection WHERE serial < ${value('seeding')} - ${offset}
      ORDER BY serial DESC LIMIT ${value('limit')})
    UNION ALL SELECT * FROM (SELECT serial FROM item WHERE serial < ${value('seeding')}
      ORDER BY serial DESC LIMIT ${value('limit')}))
  ORDER BY id DESC LIMIT ${value('limit')}`;

type Slice = { readonly seeding: number; readonly limit: number };

/** Queues the next older entities as changes. */
export const tellOlder = statement<Slice>(sql`INSERT INTO ${writes('search_change')} (entity) ${olderThan}`);

export const advanceSeeding = [
  statement<Slice>(
    sql`UPDATE ${writes('search_reindex')} SET done = min(total, done + (SELECT count(*) FROM (${olderThan})))
    WHERE name = ${engineIndex}`,
  ),
  statement<Slice & { name: string }>(
    sql`UPDATE ${writes('search_feed')} SET seeding = COALESCE((SELECT min(id) FROM (${olderThan})), 0)
    WHERE name = ${value('name')}`,
  ),
] as const;

/** Progress of an engine, whether changes wait for it, and whether it has those of a user. */
export const standOf = query(
  sql`SELECT is_ready, caught_at,
      EXISTS (SELECT 1 FROM search_change WHERE search_change.position > search_feed.position)
        OR EXISTS (SELECT 1 FROM search_bulk),
      search_feed.position >= COALESCE(writer.position, 0)
        AND NOT EXISTS (SELECT 1 FROM search_bulk WHERE search_bulk.user = ${value('user')}), COALESCE(writer.at, 0), search_feed.position
    FROM search_feed LEFT JOIN search_writer AS writer ON writer.user = ${value('user')}
    WHERE name = ${value('name')}`,
  {
    isReady: sql<number>``,
    caughtAt: sql<number>``,
    isBehind: sql<number>``,
    hasOwn: sql<number>``,
    wroteAt: sql<number>``,
    position: sql<number>``,
  },
).reaching(oneEntity).first;

/** Changes that wait for an engine, behind a position. */
export const waitingBehind = query(
  sql`SELECT position, entity FROM search_change WHERE position > ${value('position')}
    UNION ALL SELECT position, entity FROM search_bulk WHERE position > ${value('position')}
    ORDER BY position LIMIT ${value('limit')}`,
  { position: sql<number>``, entity: sql<number>`` },
);
