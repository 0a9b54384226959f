import type { Migration } from '../../store/migrations/index.ts';

export const transcodingMigration: Migration = {
  number: 23,
  name: 'transcoding',
  statements: [
    `CREATE TABLE "resource" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "type" TEXT NOT NULL,
       "document" TEXT NOT NULL,
       "created_at" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "resource_type" ON "resource" ("type", "serial")`,
    `CREATE TABLE "picture" (
       "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "item_id" TEXT NOT NULL,
       "essence_version" INTEGER NOT NULL,
       "kind" TEXT NOT NULL,
       "instant" INTEGER NOT NULL,
       "time" TEXT NOT NULL,
       "type" TEXT NOT NULL,
       "key" TEXT NOT NULL,
       "size" INTEGER NOT NULL,
       "created_at" INTEGER NOT NULL,
       "bytes" BLOB NOT NULL
     )`,
    `CREATE UNIQUE INDEX "picture_place" ON "picture" ("item_id", "kind", "essence_version", "instant")`,
    `CREATE TABLE "shape_tag_script" ("tag" TEXT PRIMARY KEY NOT NULL, "script" TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE "transcode_output" (
       "job_id" TEXT NOT NULL,
       "tag" TEXT NOT NULL,
       "position" INTEGER NOT NULL,
       "shape_id" TEXT NOT NULL,
       "source_id" TEXT NOT NULL,
       "preset" TEXT NOT NULL,
       "file_id" TEXT,
       "written" INTEGER NOT NULL,
       "warnings" TEXT NOT NULL,
       "new_shape_id" TEXT,
       "checked" INTEGER NOT NULL,
       PRIMARY KEY ("job_id", "tag")
     ) WITHOUT ROWID`,
    `CREATE TRIGGER "picture_item_gone" AFTER DELETE ON "item" BEGIN
       DELETE FROM "picture" WHERE "item_id" = OLD."id";
     END`,
    `CREATE TRIGGER "picture_version_gone" AFTER DELETE ON "shape"
       WHEN NOT EXISTS (SELECT 1 FROM "shape" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version") BEGIN
       DELETE FROM "picture" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version";
     END`,
    `CREATE TRIGGER "shape_tag_script_gone" AFTER DELETE ON "shape_tag" BEGIN
       DELETE FROM "shape_tag_script" WHERE "tag" = OLD."name";
     END`,
  ],
};
