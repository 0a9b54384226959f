import type { Migration } from '../../store/migrations/index.ts';
import { contextTriggers, libraryViews } from './0017-access.ts';

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
       "context" INTEGER
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
    ...libraryViews,
    `CREATE TRIGGER library_item_added AFTER INSERT ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items + 1 WHERE id = NEW.library_id;
     END`,
    `CREATE TRIGGER library_item_removed AFTER DELETE ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items - 1 WHERE id = OLD.library_id;
     END`,
  ],
};
