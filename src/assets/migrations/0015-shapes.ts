import type { Migration } from '../../store/migrations/index.ts';

/** Shapes, their components and tags. The tag `original` is there from the beginning. */
export const shapesMigration: Migration = {
  number: 15,
  name: 'shapes',
  statements: [
    `CREATE TABLE "shape" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "item_id" TEXT NOT NULL,
       "essence_version" INTEGER NOT NULL,
       "placeholder" INTEGER NOT NULL,
       "mime_types" TEXT NOT NULL,
       "uuid" TEXT,
       "created_at" INTEGER NOT NULL,
       "version" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "shape_item" ON "shape" ("item_id", "essence_version", "serial")`,
    `CREATE INDEX "shape_serial" ON "shape" ("serial")`,
    `CREATE TABLE "component" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "shape_id" TEXT NOT NULL,
       "kind" TEXT NOT NULL,
       "position" INTEGER NOT NULL,
       "expected" INTEGER NOT NULL,
       "document" TEXT NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "component_shape" ON "component" ("shape_id", "kind", "position")`,
    `CREATE TABLE "shape_tagged" (
       "shape_id" TEXT NOT NULL,
       "tag" TEXT NOT NULL,
       "item_id" TEXT NOT NULL,
       "essence_version" INTEGER NOT NULL,
       "position" INTEGER NOT NULL,
       PRIMARY KEY ("shape_id", "tag")
     ) WITHOUT ROWID`,
    `CREATE INDEX "shape_tagged_tag" ON "shape_tagged" ("tag", "shape_id")`,
    `CREATE INDEX "shape_tagged_item" ON "shape_tagged" ("item_id", "tag")`,
    `CREATE UNIQUE INDEX "shape_tagged_original" ON "shape_tagged" ("item_id", "essence_version")
       WHERE tag = 'original'`,
    `CREATE TABLE "shape_tag" (
       "name" TEXT PRIMARY KEY NOT NULL,
       "form" TEXT NOT NULL,
       "document" TEXT NOT NULL
     ) WITHOUT ROWID`,
    `INSERT INTO "shape_tag" ("name", "form", "document") VALUES ('original', 'json', '{}')`,
  ],
};
