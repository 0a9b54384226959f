import { asc, desc, eq, sql } from 'drizzle-orm';
import { schemaMigration } from '../../assets/definitions/public.ts';
import { dueWhile } from '../../core/store/due.ts';
import { guard } from '../../core/store/guard.ts';
import { rowBy } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../core/store/statement.ts';

export const findMigration = rowBy(schemaMigration, 'id');

export type MigrationRow = NonNullable<Awaited<ReturnType<typeof findMigration>>>;

export const listMigrations = query((db) =>
  db.select().from(schemaMigration).orderBy(asc(schemaMigration.id)).limit(value('limit')).offset(value('offset')),
);

export const migrationsDue = dueWhile(sql`SELECT 1 FROM schema_migration WHERE done = 0`);

/** The oldest unfinished migration: later ones depend on its result. */
export const nextMigration = query((db) =>
  db.select().from(schemaMigration).where(sql`done = 0`).orderBy(asc(schemaMigration.id)).limit(1),
).first;

/** The newest migration with a request id, which callers may reuse. */
export const migrationOf = query((db) =>
  db
    .select({ id: schemaMigration.id })
    .from(schemaMigration)
    .where(eq(schemaMigration.requestId, value('requestId')))
    .orderBy(desc(schemaMigration.id))
    .limit(1),
).first;

type NewMigration = Pick<
  typeof schemaMigration.$inferSelect,
  'document' | 'steps' | 'words' | 'leaving' | 'user' | 'runAs' | 'requestId'
>;

/** Approximate number of entities with metadata, from counters: counting a million states would block the writer. */
const mostlyAll = sql`(SELECT coalesce(sum(value), 0) FROM counter WHERE name IN ('items', 'collections'))`;

export const insertMigration = statement<NewMigration>(
  sql`INSERT INTO ${writes('schema_migration')} (document, steps, words, leaving, user, run_as, request_id, remaining)
    VALUES (${value('document')}, ${value('steps')}, ${value('words')}, ${value('leaving')}, ${value('user')},
      ${value('runAs')}, ${value('requestId')},
      ${mostlyAll})`,
);

type Progress = { readonly id: number; readonly round: number; readonly type: string; readonly entity: string };

export const migrationStands = guard<Progress>(
  sql`EXISTS (SELECT 1 FROM schema_migration WHERE id = ${value('id')} AND done = 0 AND round = ${value('round')}
    AND position_type = ${value('type')} AND position_id = ${value('entity')})`,
);

export const advanceMigration = statement<{
  id: number;
  type: string;
  entity: string;
  count: number;
  changed: number;
}>(
  sql`UPDATE ${writes('schema_migration')} SET position_type = ${value('type')}, position_id = ${value('entity')},
      changed = changed + ${value('changed')}, remaining = max(remaining - ${value('count')}, 0)
    WHERE id = ${value('id')}`,
);

/** Ends a round. The migration is done after a round without changes: no request wrote by an old definition. */
export const endRound = statement<{ id: number }>(
  sql`UPDATE ${writes('schema_migration')} SET position_type = '', position_id = '', round = round + 1, remaining = 0,
      done = changed = 0, changed = 0
    WHERE id = ${value('id')}`,
);

/** Bytes above which states are read one by one, since scanning many long ones would block the event loop. */
const long = 50_000;

/** Text search in the JSON. 0: no match; 1: match; 2: too long to search. */
const mayBe = (column: string) => sql`CASE WHEN octet_length(${sql.raw(column)}) > ${sql.raw(String(long))} THEN 2
    ELSE EXISTS (SELECT 1 FROM ${eachOf('words')} AS word WHERE instr(${sql.raw(column)}, word.value) > 0) END`;

const place = { type: sql<string>``, id: sql<string>``, mayBe: sql<number>`` };

/** The next entities with metadata. */
export const statesBehind = query(
  sql`SELECT owner_type, owner_id, ${mayBe('doc')} FROM metadata_state
    WHERE (owner_type, owner_id) > (${value('type')}, ${value('entity')})
    ORDER BY owner_type, owner_id LIMIT ${value('limit')}`,
  place,
);

/** The next libraries with a query. */
export const queriesBehind = query(
  sql`SELECT 'library', library_id, ${mayBe('query')} FROM library_query WHERE library_id > ${value('entity')}
    ORDER BY library_id LIMIT ${value('limit')}`,
  place,
);

export const queryOf = query(sql`SELECT query FROM library_query WHERE library_id = ${value('id')}`, {
  query: sql<string>``,
});

type QueryChange = { readonly id: string; readonly before: string; readonly after: string };

export const queryIsStill = guard<QueryChange>(
  sql`EXISTS (SELECT 1 FROM library_query WHERE library_id = ${value('id')} AND query = ${value('before')})`,
);

export const replaceQuery = statement<QueryChange>(
  sql`UPDATE ${writes('library_query')} SET query = ${value('after')} WHERE library_id = ${value('id')}`,
);
