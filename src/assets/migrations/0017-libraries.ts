import type { Migration } from '../../store/migrations/index.ts';

export const libraryTables: Migration = {
  number: 17,
  name: 'libraries',
  statements: [
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
       "items" INTEGER NOT NULL DEFAULT 0
     ) WITHOUT ROWID`,
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
    `CREATE TRIGGER library_item_added AFTER INSERT ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items + 1 WHERE id = NEW.library_id;
     END`,
    `CREATE TRIGGER library_item_removed AFTER DELETE ON library_item BEGIN
       UPDATE library SET version = version + 1, items = items - 1 WHERE id = OLD.library_id;
     END`,
  ],
};
