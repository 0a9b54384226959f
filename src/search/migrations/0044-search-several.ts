import type { Migration } from '../../store/migrations/index.ts';

/** A range of a field of which no entity has two values reads one place for each. */
export const searchSeveralMigration: Migration = {
  number: 44,
  name: 'search-several',
  statements: [
    `ALTER TABLE "search_ordered" ADD COLUMN "several" INTEGER NOT NULL DEFAULT 0`,
    `UPDATE "search_ordered" SET "several" = EXISTS (
       SELECT 1 FROM "search_value" WHERE "search_value"."field" = "search_ordered"."field"
         GROUP BY "entity" HAVING count(*) > 1)`,
  ],
};
