import type { Migration } from '../../store/migrations/index.ts';
import { contextTriggers, keyOf, place } from './0017-access.ts';

/** Whether a library passes entries on to its items: entries of its own, or those of a collection. */
const passes = (id: string): string => `
       UPDATE "library" SET "passes" = EXISTS (SELECT 1 FROM "access_entry"
             WHERE "entity_type" = 'library' AND "entity_id" = ${id} AND "reach" > 1)
           OR EXISTS (SELECT 1 FROM "collection_member"
             WHERE "member_type" = 'library' AND "member_id" = ${id} AND "passes" = 1)
         WHERE "id" = ${id};`;

const passesAfter = (what: string, on: string, row: 'NEW' | 'OLD'): string => {
  const [table, type, id] =
    on === 'entry' ? ['access_entry', 'entity_type', 'entity_id'] : ['collection_member', 'member_type', 'member_id'];
  return `CREATE TRIGGER "library_${on}_${what.toLowerCase()}" AFTER ${what} ON "${table}"
       WHEN ${row}."${type}" = 'library' BEGIN${passes(`${row}."${id}"`)}
     END`;
};

const itemsOf = `(SELECT "item_id" FROM "library_item" WHERE "library_id" = NEW."id")`;
const contextNow = `(SELECT "id" FROM "access_context" WHERE "key" = ${keyOf('item', '"item"."id"')})`;

/** A library that passes no entries on costs its items nothing. */
const passing: readonly string[] = [
  `DROP VIEW "access_container"`,
  `CREATE VIEW "access_container" ("member_type", "member_id", "type", "id") AS
     SELECT "member_type", "member_id", 'collection', "collection_id" FROM "collection_member" WHERE "passes" = 1
     UNION ALL
     SELECT 'item', "item_id", 'library', "library_id" FROM "library_item"
       CROSS JOIN "library" ON "library"."id" = "library_id" WHERE "library"."passes" = 1`,
  passesAfter('INSERT', 'entry', 'NEW'),
  passesAfter('UPDATE', 'entry', 'NEW'),
  passesAfter('DELETE', 'entry', 'OLD'),
  passesAfter('INSERT', 'member', 'NEW'),
  passesAfter('DELETE', 'member', 'OLD'),
  `CREATE TRIGGER "library_passes" AFTER UPDATE OF "passes" ON "library" WHEN OLD."passes" <> NEW."passes" BEGIN
       UPDATE "item" SET "context" = ${contextNow} WHERE "id" IN ${itemsOf};
       INSERT INTO "access_context" ("kind", "key") SELECT DISTINCT 'item', ${keyOf('item', '"item"."id"')}
         FROM "item" WHERE "id" IN ${itemsOf} AND "context" IS NULL;
       UPDATE "item" SET "context" = ${contextNow} WHERE "id" IN ${itemsOf} AND "context" IS NULL;
     END`,
  `CREATE TRIGGER "library_item_reached" AFTER INSERT ON "library_item"
       WHEN (SELECT "passes" FROM "library" WHERE "id" = NEW."library_id") = 1 BEGIN${place('item', 'NEW."item_id"')}
     END`,
  `CREATE TRIGGER "library_item_left" AFTER DELETE ON "library_item"
       WHEN (SELECT "passes" FROM "library" WHERE "id" = OLD."library_id") = 1 BEGIN${place('item', 'OLD."item_id"')}
     END`,
];

export const libraryTables: Migration = {
  number: 19,
  name: 'libraries',
  statements: [
    `ALTER TABLE "collection" ADD COLUMN "absolute_time" INTEGER NOT NULL DEFAULT 0`,
    `CREATE TABLE "collection_field" (
       "collection_id" TEXT NOT NULL,
       "kind" TEXT NOT NULL,
       "name" TEXT NOT NULL,
       PRIMARY KEY ("collection_id", "kind", "name")
     ) WITHOUT ROWID`,
    `CREATE TABLE "metadata_group_use" (
       "owner_type" TEXT NOT NULL,
       "owner_serial" INTEGER NOT NULL,
       "owner_id" TEXT NOT NULL,
       "name" TEXT NOT NULL,
       PRIMARY KEY ("owner_type", "owner_serial", "owner_id", "name")
     ) WITHOUT ROWID`,
    `CREATE INDEX "metadata_group_use_owner" ON "metadata_group_use" ("owner_type", "owner_id")`,
    `CREATE INDEX "metadata_group_use_name" ON "metadata_group_use" ("name", "owner_type", "owner_serial")`,
    `CREATE INDEX "metadata_field_inherited" ON "metadata_field" ("name") WHERE rest ->> '$.inheritance' = 'true'`,
    `CREATE INDEX "metadata_field_group_inherited" ON "metadata_field_group" ("name")
       WHERE rest ->> '$.inheritance' = 'true'`,
    `CREATE TABLE "library" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "created_at" INTEGER NOT NULL,
       "user_id" TEXT,
       "update_mode" TEXT NOT NULL,
       "auto_refresh" INTEGER NOT NULL,
       "update_frequency" INTEGER,
       "last_update" INTEGER,
       "due" INTEGER,
       "used_at" INTEGER NOT NULL,
       "version" INTEGER NOT NULL DEFAULT 0,
       "items" INTEGER NOT NULL DEFAULT 0,
       "context" INTEGER,
       "passes" INTEGER NOT NULL DEFAULT 0
     ) WITHOUT ROWID`,
    `CREATE INDEX "library_context" ON "library" ("context", "serial")`,
    `CREATE INDEX "library_serial" ON "library" ("serial")`,
    `CREATE INDEX "library_due" ON "library" ("due") WHERE due IS NOT NULL`,
    `CREATE INDEX "library_used" ON "library" ("used_at", "serial") WHERE auto_refresh = 0`,
    `CREATE TABLE "library_query" (
       "library_id" TEXT PRIMARY KEY NOT NULL,
       "query" TEXT NOT NULL
     )`,
    `CREATE TABLE "library_item" (
       "library_id" TEXT NOT NULL,
       "item_serial" INTEGER NOT NULL,
       "item_id" TEXT NOT NULL,
       PRIMARY KEY ("library_id", "item_serial", "item_id")
     ) WITHOUT ROWID`,
    `CREATE INDEX "library_item_of" ON "library_item" ("item_id", "library_id")`,
    `CREATE TABLE "library_job" (
       "job_id" TEXT PRIMARY KEY NOT NULL,
       "library_id" TEXT NOT NULL,
       "document" TEXT NOT NULL,
       "item_serial" INTEGER NOT NULL,
       "item_id" TEXT NOT NULL,
       "written" INTEGER NOT NULL,
       "skipped" INTEGER NOT NULL
     )`,
    ...contextTriggers('library'),
    ...passing,
    `CREATE TRIGGER library_item_added AFTER INSERT ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items + 1 WHERE id = NEW.library_id;
     END`,
    `CREATE TRIGGER library_item_removed AFTER DELETE ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items - 1 WHERE id = OLD.library_id;
     END`,
  ],
};
