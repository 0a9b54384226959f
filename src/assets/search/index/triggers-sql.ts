import { countedAtFirst } from './counts-sql.ts';
import { listedFields } from './fields-sql.ts';
import { collectionsFrom, fieldNumber } from './keys.ts';

/** Queues a reindex of all entities of a kind. */
const again = (name: string): string => `
       INSERT INTO "search_reindex" ("name", "priority", "status", "start", "finish", "done", "total", "position", "run")
         VALUES ('${name}', 500, 'IN_QUEUE', NULL, NULL, 0, 0, NULL, 1)
         ON CONFLICT ("name") DO UPDATE SET "status" = 'IN_QUEUE', "start" = NULL, "finish" = NULL, "done" = 0,
           "total" = 0, "position" = NULL, "run" = "run" + 1;`;

const endsOf = (number: string): string => `
               SELECT v."field", v."entity" AS entity, min(COALESCE("folded", "val")) AS low, max(COALESCE("folded", "val")) AS high
                 FROM "search_ordered" CROSS JOIN "search_value" AS v ON v."field" = "search_ordered"."field"
                 WHERE v."entity" = ${number} GROUP BY v."field"`;

/** Minimum, maximum and values between of an entity, for each ordered field. */
const placesOf = (number: string): string => `
             SELECT low AS key, "field", -entity FROM (${endsOf(number)})
             UNION ALL SELECT high, "field", entity FROM (${endsOf(number)})
             UNION ALL
             SELECT COALESCE("folded", "val") AS key, -"ends"."field", "ends".entity FROM (${endsOf(number)}) AS "ends"
               CROSS JOIN "search_value" AS v ON v."field" = "ends"."field" AND v."entity" = "ends".entity
               WHERE key > low AND key < high`;

/**
 * Changes the counts of the values of an entity, and deletes those that are 0: a partial index has them alone. `less`, `more`: contexts in which it counts no more, and from now on.
 * 0 is the total, and NULL is none.
 */
const counted = (kind: 'item' | 'collection', number: string, less: readonly string[], more: readonly string[]) => `
       INSERT INTO "search_count" ("field", "context", "val", "n")
         SELECT ${kind === 'item' ? '' : '-'}v."field", moved."context", v."val", moved."n"
           FROM "search_counted" AS c
           CROSS JOIN "search_value" AS v ON v."field" = c."field" AND v."entity" = ${number}
           CROSS JOIN (${[...less.map((context) => [context, -1]), ...more.map((context) => [context, 1])]
             .map(([context, n]) => `SELECT ${context} AS "context", ${n} AS "n"`)
             .join(' UNION ALL ')}) AS moved
           WHERE c."state" <> 'leaving' AND ${number} >= c."position" AND moved."context" IS NOT NULL
         ON CONFLICT ("field", "context", "val") DO UPDATE SET "n" = "n" + excluded."n";
       DELETE FROM "search_count" WHERE "n" = 0;`;

/**
 * Deletes the index rows of a deleted entity. SQLite applies the comparison of the first column to all columns of a row
 * value. An untyped first column and an outer SELECT let it use the whole key.
 */
const forgotten = (kind: 'item' | 'collection', number: string): string =>
  `CREATE TRIGGER "search_${kind}_deleted" AFTER DELETE ON "${kind}" BEGIN${counted(kind, number, ['0', 'OLD."context"'], [])}
       DELETE FROM "search_order" WHERE ("key", "field", "tie") IN (SELECT * FROM (${placesOf(number)}));
       DELETE FROM "search_text" WHERE rowid = ${number};
       DELETE FROM "search_value" WHERE ("field", "entity") IN
         (SELECT named."field", ${number} FROM (SELECT ${number} AS number) AS given
           CROSS JOIN ${listedFields('given.number')});
       DELETE FROM "search_fields" WHERE "id" = ${number};
       DELETE FROM "search_entity" WHERE "id" = ${number};
       ${queued(number)}
     END`;

/** Queues an entity for an engine, if there is one. */
const queued = (number: string): string =>
  `INSERT INTO "search_change" ("entity") SELECT number FROM (SELECT ${number} AS number)
         WHERE number IS NOT NULL AND EXISTS (SELECT 1 FROM "search_feed");`;

/** Number of the item or collection of a row of `collection_member`. */
const memberOf = (row: string): string => `CASE ${row}."member_type"
         WHEN 'item' THEN (SELECT "serial" FROM "item" WHERE "id" = ${row}."member_id")
         ELSE (SELECT "serial" + ${collectionsFrom} FROM "collection" WHERE "id" = ${row}."member_id") END`;

/** Counts an entity in its new context, and queues it for an engine. */
const moved = (kind: 'item' | 'collection', number: string): string =>
  `CREATE TRIGGER "search_${kind}_context" AFTER UPDATE OF "context" ON "${kind}"
       WHEN NEW."context" IS NOT OLD."context" BEGIN${counted(kind, number, ['OLD."context"'], ['NEW."context"'])}
       ${queued(number)}
     END`;

/** Triggers that queue entities for an engine if facts in its documents change outside of the metadata. */
const facts = (): readonly string[] => [
  moved('item', 'NEW."serial"'),
  moved('collection', `(NEW."serial" + ${collectionsFrom})`),
  ...(['INSERT', 'DELETE'] as const).flatMap((what) => {
    const row = what === 'INSERT' ? 'NEW' : 'OLD';
    return [
      `CREATE TRIGGER "search_member_${what.toLowerCase()}" AFTER ${what} ON "collection_member"
       WHEN ${row}."member_type" IN ('item', 'collection') BEGIN
       ${queued(memberOf(row))}
     END`,
      `CREATE TRIGGER "search_library_item_${what.toLowerCase()}" AFTER ${what} ON "library_item" BEGIN
       ${queued(`${row}."item_serial"`)}
     END`,
    ];
  }),
];

const someInherited = `(EXISTS (SELECT 1 FROM "metadata_field" WHERE rest ->> '$.inheritance' = 'true')
         OR EXISTS (SELECT 1 FROM "metadata_field_group" WHERE rest ->> '$.inheritance' = 'true'))`;

const changed = (type: string, id: string): string => `
       INSERT INTO "inheritance_change" ("type", "id", "run", "position") VALUES (${type}, ${id}, 1, '')
         ON CONFLICT ("type", "id") DO UPDATE SET "run" = "run" + 1, "position" = '';`;

/** Triggers that queue items for reindexing if collections above them change. */
const inheritance = (): readonly string[] => [
  ...(['INSERT', 'DELETE'] as const).map((what) => {
    const row = what === 'INSERT' ? 'NEW' : 'OLD';
    return `CREATE TRIGGER "inheritance_${what === 'INSERT' ? 'joined' : 'left'}" AFTER ${what} ON "collection_member"
       WHEN ${row}."member_type" IN ('item', 'collection') AND ${someInherited} BEGIN${changed(`${row}."member_type"`, `${row}."member_id"`)}
     END`;
  }),
  `CREATE TRIGGER "inheritance_shifted" AFTER UPDATE OF "absolute_time" ON "collection"
       WHEN NEW."absolute_time" <> OLD."absolute_time" AND ${someInherited} BEGIN${changed("'collection'", 'NEW."id"')}
     END`,
  `CREATE TRIGGER "inheritance_defined" AFTER UPDATE OF "rest" ON "metadata_field_group"
       WHEN COALESCE(NEW."rest" ->> '$.inheritance', 'false') <> COALESCE(OLD."rest" ->> '$.inheritance', 'false') BEGIN${again('item')}
     END`,
];

/** Fields that are counted from the first item on. */
const counts = (): readonly string[] =>
  countedAtFirst.map(
    (name) =>
      `INSERT INTO "search_counted" ("name", "field", "state", "position") VALUES ('${name}', ${fieldNumber(name)}, 'ready', 0)`,
  );

export const searchSchema = (): readonly string[] => [
  // Merges sixteen segments of the text index into one: words are rewritten less often.
  `INSERT INTO "search_text" ("search_text", "rank") VALUES ('automerge', 16)`,
  // High limit of segments, so that no commit has to merge all at once.
  `INSERT INTO "search_text" ("search_text", "rank") VALUES ('crisismerge', 64)`,
  // Percentage of changed entities at which a segment is rewritten: each change deletes and inserts its entity.
  `INSERT INTO "search_text" ("search_text", "rank") VALUES ('deletemerge', 60)`,
  forgotten('item', 'OLD."serial"'),
  forgotten('collection', `(OLD."serial" + ${collectionsFrom})`),
  `CREATE TRIGGER "search_field_changed" AFTER UPDATE OF "type", "rest" ON "metadata_field"
       WHEN NEW."used" = 1 AND (NEW."type" <> OLD."type" OR NEW."rest" <> OLD."rest") BEGIN${again('item')}${again('collection')}
     END`,
  ...inheritance(),
  ...facts(),
  ...counts(),
];
