import { sql } from 'drizzle-orm';
import { dueWhile } from '../../../core/store/due.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { rowBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../../core/store/statement.ts';
import { searchReindex } from '../tables.ts';

export const findReindex = rowBy(searchReindex, 'name');
export type ReindexRow = NonNullable<Awaited<ReturnType<typeof findReindex>>>;

/** Rebuilds of the embedded index that are due. */
const due = sql`name IN ('item', 'collection') AND status IN ('IN_QUEUE', 'IN_PROGRESS')`;

export const reindexDue = dueWhile(sql`SELECT 1 FROM search_reindex WHERE ${due}`);

/** Next rebuild: the running one, otherwise the most urgent. */
export const nextReindex = query((db) =>
  db.select().from(searchReindex).where(due).orderBy(sql`status = 'IN_QUEUE'`, sql`priority DESC`, sql`name`).limit(1),
).first;

/** Queues a rebuild from the beginning, also if one is running. */
export const queue = statement<{ name: string; priority: number; now: number }>(
  sql`INSERT INTO ${writes('search_reindex')} (name, priority, status, start, done, total, run)
    VALUES (${value('name')}, ${value('priority')}, 'IN_QUEUE', ${value('now')}, 0, 0, 1)
    ON CONFLICT (name) DO UPDATE SET priority = excluded.priority, status = 'IN_QUEUE', start = excluded.start, finish = NULL,
      done = 0, total = 0, position = NULL, run = run + 1`,
);

/** Marks a rebuild as finished at once, for indexes that need none. */
export const finishAtOnce = statement<{ name: string; priority: number; now: number }>(
  sql`INSERT INTO ${writes('search_reindex')} (name, priority, status, start, finish, done, total, run)
    VALUES (${value('name')}, ${value('priority')}, 'FINISHED', ${value('now')}, ${value('now')}, 0, 0, 1)
    ON CONFLICT (name) DO UPDATE SET priority = excluded.priority, status = 'FINISHED', start = excluded.start,
      finish = excluded.finish, run = run + 1`,
);

/** Sets the status, unless the rebuild has ended. */
export const setStatus = statement<{ name: string; status: string; priority: number; finish: number | null }>(
  sql`UPDATE ${writes('search_reindex')} SET status = ${value('status')}, priority = ${value('priority')}, finish = ${value('finish')}
    WHERE name = ${value('name')} AND status NOT IN ('FINISHED', 'ABORTED')`,
);

/** Whether an index has rows, and whether it was cleared. */
export const indexRows = query(
  sql`SELECT EXISTS (SELECT 1 FROM search_entity), EXISTS (SELECT 1 FROM search_reindex WHERE built = 0 AND status = 'ABORTED')`,
  { hasRows: sql<number>``, isCleared: sql<number>`` },
).first;

/** Deletes all rows of the embedded index, and notes that it lacks everything. */
export const dropIndex = [
  ...['search_entity', 'search_value', 'search_order', 'search_count', 'search_fields', 'search_term'].map((table) =>
    statement(sql`DELETE FROM ${writes(table)}`),
  ),
  statement(sql`INSERT INTO ${writes('search_text')} (search_text) VALUES ('delete-all')`),
  statement(sql`INSERT INTO ${writes('search_reindex')} (name, priority, status, done, total, run, built)
    SELECT column1, 500, 'ABORTED', 0, 0, 1, 0 FROM (VALUES ('item'), ('collection')) WHERE TRUE
    ON CONFLICT (name) DO UPDATE SET status = 'ABORTED', done = 0, total = 0, position = NULL, run = run + 1, built = 0`),
] as const;

export const reindexThere = rowExists(searchReindex, 'name');

/** Guard: the rebuild was not paused, ended or restarted. */
export const stillGoing = guard<{ name: string; run: number; done: number }>(
  sql`EXISTS (SELECT 1 FROM search_reindex WHERE name = ${value('name')} AND run = ${value('run')}
    AND done = ${value('done')} AND status IN ('IN_QUEUE', 'IN_PROGRESS'))`,
);

export const begin = statement<{ name: string; now: number }>(
  sql`UPDATE ${writes('search_reindex')} SET status = 'IN_PROGRESS', start = COALESCE(start, ${value('now')}),
      total = CASE name WHEN 'item' THEN (SELECT count(*) FROM item) ELSE (SELECT count(*) FROM collection) END
    WHERE name = ${value('name')}`,
);

export const advanceReindex = statement<{ name: string; count: number; position: number }>(
  sql`UPDATE ${writes('search_reindex')} SET done = done + ${value('count')}, total = max(total, done + ${value('count')}),
    position = ${value('position')} WHERE name = ${value('name')}`,
);

export const finish = statement<{ name: string; now: number }>(
  sql`UPDATE ${writes('search_reindex')} SET status = 'FINISHED', finish = ${value('now')}, total = done, built = 1 WHERE name = ${value('name')}`,
);

const columns = { id: sql<string>``, serial: sql<number>`` };

/** Entities with metadata, newest first. Entities without metadata are not indexed. */
const pages = {
  item: query(
    sql`SELECT item.id, item.serial FROM item
      CROSS JOIN metadata_state ON owner_type = 'item' AND owner_id = item.id
      WHERE item.serial < ${value('position')} ORDER BY item.serial DESC LIMIT ${value('limit')}`,
    columns,
  ),
  collection: query(
    sql`SELECT collection.id, collection.serial FROM collection
      CROSS JOIN metadata_state ON owner_type = 'collection' AND owner_id = collection.id
      WHERE collection.serial < ${value('position')} ORDER BY collection.serial DESC LIMIT ${value('limit')}`,
    columns,
  ),
};

export const pageToIndex = (name: 'item' | 'collection') => pages[name];

/** Guard: all entities are unchanged since the read. `rows`: JSON array of ids with versions. */
export const allUnchanged = guard<{ kind: string; rows: readonly unknown[]; count: number }>(
  sql`(SELECT count(*) FROM ${eachOf('rows')} AS given CROSS JOIN metadata_state
      ON owner_type = ${value('kind')} AND owner_id = given.value ->> 0 AND version = given.value ->> 1) = ${value('count')}`,
);
