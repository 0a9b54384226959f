import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SqlValue, Statement } from '../../../core/store/contract.ts';
import type { DueTime } from '../../../core/store/due.ts';
import { guard } from '../../../core/store/guard.ts';
import { deleteBy, rowBy, updateBy } from '../../../core/store/rows.ts';
import {
  eachOf,
  nearReader,
  oneEntity,
  query,
  type Reader,
  statement,
  value,
  writes,
} from '../../../core/store/statement.ts';
import { wideRows } from '../../../core/store/tables-sql.ts';
import { contextWhere, readableWhere, type Viewer } from '../../access/public-reading.ts';
import { library, type UpdateMode } from '../../containment/tables.ts';
import { libraryQuery } from '../../items/public.ts';
import type { ItemSearch } from '../documents.ts';

/** Settings of a library as columns. */
export type KeptSettings = {
  readonly updateMode: UpdateMode;
  /** Boolean: 0 or 1. */
  readonly autoRefresh: number;
  readonly updateFrequency: number | null;
  readonly due: number | null;
};

export const insertLibrary = statement<
  KeptSettings & { id: string; serial: number; now: number; userId: string | null; lastUpdate: number | null }
>(
  sql`INSERT INTO ${writes('library')}
      (id, serial, created_at, user_id, update_mode, auto_refresh, update_frequency, last_update, due, used_at)
    VALUES (${value('id')}, ${value('serial')}, ${value('now')}, ${value('userId')}, ${value('updateMode')},
      ${value('autoRefresh')}, ${value('updateFrequency')}, ${value('lastUpdate')}, ${value('due')}, ${value('now')})`,
);

export const writeSettings = statement<KeptSettings & { id: string }>(
  sql`UPDATE ${writes('library')} SET update_mode = ${value('updateMode')}, auto_refresh = ${value('autoRefresh')},
      update_frequency = ${value('updateFrequency')}, due = ${value('due')}, version = version + 1
    WHERE id = ${value('id')}`,
);

const writeQuery = statement<{ id: string; query: string }>(
  sql`INSERT INTO ${writes('library_query')} (library_id, query) VALUES (${value('id')}, ${value('query')})
    ON CONFLICT (library_id) DO UPDATE SET query = excluded.query`,
);

const removeQuery = statement<{ id: string }>(
  sql`DELETE FROM ${writes('library_query')} WHERE library_id = ${value('id')}`,
);

/** Writes the query, or deletes it. Without a query the content stays. */
export const setQuery = (id: string, query: string | undefined) =>
  query === undefined ? removeQuery({ id }) : writeQuery({ id, query });

/** Lets the query run with the rights of another user. */
export const setQueryUser = updateBy(library, 'id', 'userId');

const queryWith = query((db) =>
  db
    .select({ query: libraryQuery.query })
    .from(libraryQuery)
    .where(sql`${libraryQuery.libraryId} = ${value('id')}`),
).first;

/** Search document of a library. Undefined: none. */
export async function queryOfLibrary(reader: Reader, id: string): Promise<ItemSearch | undefined> {
  const row = await queryWith(reader, { id });
  return row && (JSON.parse(row.query) as ItemSearch);
}

/** Name of the user with whose rights the query runs. */
export const userWithId = query(sql`SELECT name FROM "user" WHERE id = ${value('id')}`, {
  name: sql<string>``,
});

export const writeUpdate = updateBy(library, 'id', 'lastUpdate', 'due');

/** Updated at most once a minute, so that reads of one library do not wait for each other's commits. */
export const useLibrary = updateBy(library, 'id', 'usedAt');

/** Inserts items, without those deleted meanwhile. */
const insertItems = statement<{ id: string; ids: readonly string[]; passes: number }>(
  sql`INSERT INTO ${writes('library_item')} (library_id, item_serial, item_id, passes)
    SELECT ${value('id')}, item.serial, item.id, ${value('passes')} FROM ${eachOf('ids')} AS given
      CROSS JOIN item WHERE item.id = given.value
    ON CONFLICT DO NOTHING`,
);

/** Adds items. `passing`: those that get the access entries of the library. */
export function addItems(id: string, ids: readonly string[], passing: ReadonlySet<string>): Statement[] {
  const added = (those: readonly string[], passes: 0 | 1) =>
    those.length === 0 ? [] : [insertItems({ id, ids: those, passes })];
  return [
    ...added(
      ids.filter((each) => passing.has(each)),
      1,
    ),
    ...added(
      ids.filter((each) => !passing.has(each)),
      0,
    ),
  ];
}

const deleteItems = statement<{ id: string; ids: readonly string[] }>(
  sql`DELETE FROM ${writes('library_item')} WHERE library_id = ${value('id')} AND (item_serial, item_id) IN
    (SELECT item.serial, item.id FROM ${eachOf('ids')} AS given CROSS JOIN item WHERE item.id = given.value)`,
);

export const dropItems = (id: string, ids: readonly string[]) => (ids.length === 0 ? [] : [deleteItems({ id, ids })]);

export const dropAll = statement<{ id: string }>(
  sql`DELETE FROM ${writes('library_item')} WHERE library_id = ${value('id')}`,
);

export const hasItem = guard<{ id: string; itemId: string }>(
  sql`EXISTS (SELECT 1 FROM library_item WHERE item_id = ${value('itemId')} AND library_id = ${value('id')})`,
);

export const libraryHasRoom = guard<{ id: string; max: number }>(
  sql`(SELECT items FROM library WHERE id = ${value('id')}) <= ${value('max')}`,
);

export const sameLibraryVersion = guard<{ id: string; version: number }>(
  sql`(SELECT version FROM library WHERE id = ${value('id')}) = ${value('version')}`,
);

/** Guard: no other instance has taken the due refresh. */
export const sameDue = guard<{ id: string; due: number }>(
  sql`(SELECT due FROM library WHERE id = ${value('id')}) = ${value('due')}`,
);

export const moveLibraryUpdate = updateBy(library, 'id', 'due');

export const dueLibraries = query((db) =>
  db
    .select()
    .from(library)
    .where(sql`${library.due} <= ${value('now')}`)
    .orderBy(library.due)
    .limit(value('limit')),
);

export const refreshDue = sql`SELECT min(due) FROM library WHERE due IS NOT NULL`;

export const countDue = query((db) =>
  db
    .select({ waiting: sql<number>`count(*)`, oldest: sql<number | null>`min(due)` })
    .from(library)
    .where(sql`${library.due} <= ${value('now')}`),
).first;

/** Deletes a library with its items and query. */
export const removeLibrary = [
  sql`DELETE FROM ${writes('library_item')} WHERE library_id = ${value('id')}`,
  sql`DELETE FROM ${writes('library_query')} WHERE library_id = ${value('id')}`,
  sql`DELETE FROM ${writes('library')} WHERE id = ${value('id')}`,
].map((template) => statement<{ id: string }>(template));

/**
 * References that keep an unused library from expiring: collections, storage rules, locks, and entries made by users.
 */
const isHeld = (id: SQL | Placeholder): SQL => sql`EXISTS (SELECT 1 FROM collection_member
      WHERE member_type = 'library' AND member_id = ${id})
    OR EXISTS (SELECT 1 FROM storage_rule WHERE entity_type = 'LIBRARY' AND entity_id = ${id})
    OR EXISTS (SELECT 1 FROM deletion_lock WHERE entity_type = 'library' AND entity_id = ${id})
    OR EXISTS (SELECT 1 FROM access_entry
      WHERE entity_type = 'library' AND entity_id = ${id} AND permission <> 'OWNER')`;

/** Guard: the library was not used since, and nothing refers to it. */
export const isUnused = guard<{ id: string; before: number }>(
  sql`EXISTS (SELECT 1 FROM library WHERE id = ${value('id')} AND used_at < ${value('before')} AND auto_refresh = 0)
    AND NOT (${isHeld(value('id'))})`,
);

/** `kept`: milliseconds, 0: for ever. */
export const unusedDue = (lifetime: number): DueTime =>
  sql`SELECT min(used_at) + nullif(${lifetime}, 0) FROM library WHERE auto_refresh = 0`;

/** Page of libraries that were not used since. `held`: whether anything refers to them. */
export const unusedLibraries = query(
  sql`SELECT id, used_at, serial, (${isHeld(sql`library.id`)}) FROM library
    WHERE auto_refresh = 0 AND used_at < ${value('before')} AND (used_at, serial) > (${value('usedAt')}, ${value('serial')})
    ORDER BY used_at, serial LIMIT ${value('limit')}`,
  { id: sql<string>``, usedAt: sql<number>``, serial: sql<number>``, held: sql<number>`` },
);

/** Stops refreshes with the rights of a deleted user. */
export const forgetUser = statement<{ userId: string }>(
  sql`UPDATE ${writes('library')} SET user_id = NULL, due = NULL WHERE user_id = ${value('userId')}`,
);

interface LibraryFilter {
  readonly autoRefresh?: boolean | undefined;
  readonly updateMode?: UpdateMode | undefined;
  readonly frequencyFrom?: number | undefined;
  readonly frequencyTo?: number | undefined;
}

export interface IdPage {
  readonly hits: number | undefined;
  readonly ids: readonly string[];
}

type ColumnCondition = readonly [condition: string, value: SqlValue | undefined];

/** Libraries that the serving thread looks through itself. */
const few = 200;

const firstLibraries = query((db) => db.select({ id: library.id }).from(library).limit(value('max'))).reaching(
  oneEntity,
);

/** Libraries that a viewer may read, newest first. */
export async function listLibraries(
  reader: Reader,
  viewer: Viewer,
  { autoRefresh, updateMode, frequencyFrom, frequencyTo }: LibraryFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<IdPage> {
  const pairs: readonly ColumnCondition[] = [
    ['auto_refresh = ?', autoRefresh === undefined ? undefined : Number(autoRefresh)],
    ['update_mode = ?', updateMode],
    ['update_frequency >= ?', frequencyFrom],
    ['update_frequency <= ?', frequencyTo],
  ];
  const filters = pairs.flatMap(([text, each]) => (each === undefined ? [] : [{ text, values: [each] }]));
  const conditions = [contextWhere(viewer, 'library', 'library'), ...filters];
  const where = conditions.map(({ text }) => text).join(' AND ');
  const values = conditions.flatMap((condition) => condition.values);
  const order = 'ORDER BY serial DESC, id LIMIT ? OFFSET ?';
  const isFew = reader.lookups !== undefined && (await firstLibraries(reader, { max: few })).length < few;
  const near = nearReader(reader, isFew);
  const rows = await near.read(`SELECT id FROM library WHERE ${where} ${order}`, [...values, limit, offset]);
  const [count] = await near.read(`SELECT count(*) FROM library WHERE ${where}`, values, 'one');
  return { hits: Number(count?.[0] ?? 0), ids: rows.map(([id]) => String(id)) };
}

/** Readable items among the given ones, in order. */
export async function readableItems(
  reader: Reader,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { text, values } = readableWhere(viewer, 'item', 'given.value');
  const rows = await reader.read(`SELECT given.value FROM json_each(?) AS given WHERE ${text} ORDER BY given.key`, [
    JSON.stringify(ids),
    ...values,
  ]);
  return rows.map(([id]) => String(id));
}

interface ItemsPage {
  readonly offset: number;
  readonly limit: number;
  readonly below: number;
  readonly counts: boolean;
}

/** Items of a library that a viewer may read, newest first. */
export async function listItems(reader: Reader, viewer: Viewer, id: string, page: ItemsPage): Promise<IdPage> {
  const { text, values } = readableWhere(viewer, 'item', 'library_item.item_id');
  const where = `library_id = ? AND ${text}`;
  const order = 'ORDER BY item_serial DESC, item_id LIMIT ? OFFSET ?';
  const rows = await reader.read(`SELECT item_id FROM library_item WHERE ${where} AND item_serial < ? ${order}`, [
    ...[id, ...values, page.below],
    ...[page.limit, page.offset],
  ]);
  const ids = rows.map(([itemId]) => String(itemId));
  if (!page.counts) return { hits: undefined, ids };
  const [count] = await reader.read(`SELECT count(*) FROM library_item WHERE ${where}`, [id, ...values], 'one');
  return { hits: Number(count?.[0] ?? 0), ids };
}

/** Progress of a job that writes one document into the metadata of all items of a library. */
export const libraryJob = wideRows(
  sqliteTable('library_job', {
    jobId: text('job_id').primaryKey(),
    libraryId: text('library_id').notNull(),
    /** JSON of the metadata document. */
    document: text('document').notNull(),
    /** Cursor: the last item processed. */
    itemSerial: integer('item_serial').notNull(),
    itemId: text('item_id').notNull(),
    written: integer('written').notNull(),
    skipped: integer('skipped').notNull(),
  }),
);

export const insertMetadataJob = statement<{ jobId: string; libraryId: string; document: string }>(
  sql`INSERT INTO ${writes('library_job')} (job_id, library_id, document, item_serial, item_id, written, skipped)
    VALUES (${value('jobId')}, ${value('libraryId')}, ${value('document')}, -1, '', 0, 0)`,
);

export const findMetadataJob = rowBy(libraryJob, 'jobId');

export const moveJob = statement<{
  jobId: string;
  itemSerial: number;
  itemId: string;
  written: number;
  skipped: number;
}>(
  sql`UPDATE ${writes('library_job')} SET item_serial = ${value('itemSerial')}, item_id = ${value('itemId')},
      written = written + ${value('written')}, skipped = skipped + ${value('skipped')}
    WHERE job_id = ${value('jobId')}`,
);

export const removeJob = deleteBy(libraryJob, 'jobId');
