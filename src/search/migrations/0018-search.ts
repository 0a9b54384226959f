import type { Migration } from '../../store/migrations/index.ts';

/** Collections have the numbers behind those of all items: see `index/numbers.ts`. */
const collections = 1_125_899_906_842_624;

/** What the index has of an entity goes with its row, whatever deletes it. */
const forgotten = (number: string): string => `
       DELETE FROM "search_text" WHERE rowid = ${number};
       DELETE FROM "search_value" WHERE ("field", "entity", "val") IN
         (SELECT pair.value ->> 0, ${number}, pair.value ->> 1
           FROM "search_rows" CROSS JOIN json_each("search_rows"."rows") AS pair WHERE "search_rows"."id" = ${number});
       DELETE FROM "search_rows" WHERE "id" = ${number};
       DELETE FROM "search_entity" WHERE "id" = ${number};`;

const again = (name: string): string => `
       INSERT INTO "search_reindex" ("name", "priority", "status", "start", "finish", "done", "total", "position", "run")
         VALUES ('${name}', 500, 'IN_QUEUE', NULL, NULL, 0, 0, NULL, 1)
         ON CONFLICT ("name") DO UPDATE SET "status" = 'IN_QUEUE', "start" = NULL, "finish" = NULL, "done" = 0,
           "total" = 0, "position" = NULL, "run" = "run" + 1;`;

export const searchMigration: Migration = {
  number: 18,
  name: 'search',
  statements: [
    `CREATE TABLE "search_entity" (
       "id" INTEGER PRIMARY KEY NOT NULL,
       "entity_id" TEXT NOT NULL,
       "created_at" INTEGER NOT NULL,
       "timed" INTEGER NOT NULL
     )`,
    `CREATE INDEX "search_entity_created" ON "search_entity" ("created_at", "id")`,
    `CREATE INDEX "search_entity_timed" ON "search_entity" ("id") WHERE timed = 1`,
    `CREATE VIRTUAL TABLE "search_text" USING fts5(gw, gp, gk, tw, tp, tk,
       content='', contentless_delete=1, tokenize="ascii tokenchars '_'")`,
    `CREATE TABLE "search_value" (
       "field" INTEGER NOT NULL,
       "entity" INTEGER NOT NULL,
       "val" BLOB NOT NULL,
       "spans" INTEGER NOT NULL,
       "folded" TEXT,
       PRIMARY KEY ("field", "entity", "val")
     ) WITHOUT ROWID`,
    `CREATE TABLE "search_rows" ("id" INTEGER PRIMARY KEY NOT NULL, "rows" TEXT NOT NULL)`,
    `CREATE TABLE "search_term" ("word" TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE "search_reindex" (
       "name" TEXT PRIMARY KEY NOT NULL,
       "priority" INTEGER NOT NULL,
       "status" TEXT NOT NULL,
       "start" INTEGER,
       "finish" INTEGER,
       "done" INTEGER NOT NULL,
       "total" INTEGER NOT NULL,
       "position" INTEGER,
       "run" INTEGER NOT NULL,
       "built" INTEGER NOT NULL DEFAULT 1
     ) WITHOUT ROWID`,
    `CREATE TABLE "search_history" (
       "user" TEXT NOT NULL,
       "kind" TEXT NOT NULL,
       "digest" TEXT NOT NULL,
       "query" TEXT NOT NULL,
       "at" INTEGER NOT NULL,
       PRIMARY KEY ("user", "kind", "digest")
     ) WITHOUT ROWID`,
    `CREATE INDEX "search_history_newest" ON "search_history" ("user", "kind", "at")`,
    `CREATE TABLE "search_saved" (
       "hash" TEXT PRIMARY KEY NOT NULL,
       "query" TEXT NOT NULL,
       "expires_at" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "search_saved_end" ON "search_saved" ("expires_at")`,
    `CREATE TRIGGER "search_item_deleted" AFTER DELETE ON "item" BEGIN${forgotten('OLD."serial"')}
     END`,
    `CREATE TRIGGER "search_collection_deleted" AFTER DELETE ON "collection" BEGIN${forgotten(`(OLD."serial" + ${collections})`)}
     END`,
    `CREATE TRIGGER "search_field_changed" AFTER UPDATE OF "type", "rest" ON "metadata_field"
       WHEN NEW."used" = 1 AND (NEW."type" <> OLD."type" OR NEW."rest" <> OLD."rest") BEGIN${again('item')}${again('collection')}
     END`,
    `INSERT INTO "search_reindex" ("name", "priority", "status", "done", "total", "run", "built")
       SELECT "column1", 500, 'IN_QUEUE', 0, 0, 1, 0 FROM (VALUES ('item'), ('collection')) WHERE EXISTS (SELECT 1 FROM "item")
         OR EXISTS (SELECT 1 FROM "collection")`,
  ],
};
