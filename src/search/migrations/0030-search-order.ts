import type { Migration } from '../../store/migrations/index.ts';

/** Collections have the numbers behind those of all items: see `index/numbers.ts`. */
const collections = 1_125_899_906_842_624;

const end = (way: 0 | 1, number: string): string => `
           SELECT "search_value"."field", ${way}, ${way === 0 ? 'min' : 'max'}(COALESCE("folded", "val")), ${way === 0 ? '-' : ''}${number}
             FROM "search_ordered" CROSS JOIN "search_value" ON "search_value"."field" = "search_ordered"."field"
             WHERE "search_value"."entity" = ${number} GROUP BY "search_value"."field"`;

/** What the index has of an entity goes with its row, its places in the order of fields first: they follow from its values. */
const forgotten = (kind: 'item' | 'collection', number: string): readonly string[] => [
  `DROP TRIGGER "search_${kind}_deleted"`,
  `CREATE TRIGGER "search_${kind}_deleted" AFTER DELETE ON "${kind}" BEGIN
       DELETE FROM "search_order" WHERE ("field", "way", "key", "tie") IN (${end(0, number)}
           UNION ALL${end(1, number)});
       DELETE FROM "search_text" WHERE rowid = ${number};
       DELETE FROM "search_value" WHERE ("field", "entity", "val") IN
         (SELECT pair.value ->> 0, ${number}, pair.value ->> 1
           FROM "search_rows" CROSS JOIN json_each("search_rows"."rows") AS pair WHERE "search_rows"."id" = ${number});
       DELETE FROM "search_rows" WHERE "id" = ${number};
       DELETE FROM "search_entity" WHERE "id" = ${number};
       INSERT INTO "search_change" ("entity") SELECT ${number} WHERE EXISTS (SELECT 1 FROM "search_feed");
     END`,
];

const someInherited = `(EXISTS (SELECT 1 FROM "metadata_field" WHERE rest ->> '$.inheritance' = 'true')
         OR EXISTS (SELECT 1 FROM "metadata_field_group" WHERE rest ->> '$.inheritance' = 'true'))`;

const changed = (type: string, id: string): string => `
       INSERT INTO "inheritance_change" ("type", "id", "run", "position") VALUES (${type}, ${id}, 1, '')
         ON CONFLICT ("type", "id") DO UPDATE SET "run" = "run" + 1, "position" = '';`;

/** What an item inherits changes with the collections above it. */
const inheritance: readonly string[] = [
  `CREATE TABLE "inheritance_change" (
       "type" TEXT NOT NULL,
       "id" TEXT NOT NULL,
       "run" INTEGER NOT NULL,
       "position" TEXT NOT NULL,
       PRIMARY KEY ("type", "id")
     ) WITHOUT ROWID`,
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
       WHEN COALESCE(NEW."rest" ->> '$.inheritance', 'false') <> COALESCE(OLD."rest" ->> '$.inheritance', 'false') BEGIN
       INSERT INTO "search_reindex" ("name", "priority", "status", "start", "finish", "done", "total", "position", "run")
         VALUES ('item', 500, 'IN_QUEUE', NULL, NULL, 0, 0, NULL, 1)
         ON CONFLICT ("name") DO UPDATE SET "status" = 'IN_QUEUE', "start" = NULL, "finish" = NULL, "done" = 0,
           "total" = 0, "position" = NULL, "run" = "run" + 1;
     END`,
  // Values that are older than this index of them.
  `INSERT INTO "inheritance_change" ("type", "id", "run", "position")
     SELECT DISTINCT 'collection', "collection_id", 1, '' FROM "collection_field" WHERE ${someInherited}`,
];

export const searchOrderMigration: Migration = {
  number: 30,
  name: 'search-order',
  statements: [
    `CREATE TABLE "search_ordered" (
       "name" TEXT PRIMARY KEY NOT NULL,
       "field" INTEGER NOT NULL,
       "state" TEXT NOT NULL,
       "position" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE "search_order" (
       "field" INTEGER NOT NULL,
       "way" INTEGER NOT NULL,
       "key" BLOB NOT NULL,
       "tie" INTEGER NOT NULL,
       PRIMARY KEY ("field", "way", "key", "tie")
     ) WITHOUT ROWID`,
    `CREATE TABLE "search_feed" (
       "name" TEXT PRIMARY KEY NOT NULL,
       "position" INTEGER NOT NULL,
       "seeding" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE "search_change" (
       "position" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "entity" INTEGER NOT NULL
     )`,
    ...forgotten('item', 'OLD."serial"'),
    ...forgotten('collection', `(OLD."serial" + ${collections})`),
    ...inheritance,
  ],
};
