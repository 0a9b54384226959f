import type { Migration } from '../../store/migrations/index.ts';

const digits = '[0-9]'.repeat(16);

/**
 * A change that was overtaken by another is told by a number, and no longer by all values of the entity. Entities with a
 * number of sixteen digits in a value kept the ranges and orders that they had first: those are built again.
 */
export const searchRowsVersionMigration: Migration = {
  number: 45,
  name: 'search-rows-version',
  statements: [
    `ALTER TABLE "search_rows" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0`,
    `INSERT INTO "search_reindex" ("name", "priority", "status", "done", "total", "run")
       SELECT "column1", 500, 'IN_QUEUE', 0, 0, 1 FROM (VALUES ('item'), ('collection'))
         WHERE EXISTS (SELECT 1 FROM "search_rows" WHERE "rows" GLOB '*${digits}*')
       ON CONFLICT ("name") DO UPDATE SET "status" = 'IN_QUEUE', "start" = NULL, "finish" = NULL, "done" = 0,
         "total" = 0, "position" = NULL, "run" = "run" + 1`,
  ],
};
