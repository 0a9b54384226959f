import type { Migration } from '../../store/migrations/index.ts';

export const schemaMigrationsMigration: Migration = {
  number: 34,
  name: 'schema-migrations',
  statements: [
    `CREATE TABLE "schema_migration" (
       "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "document" TEXT NOT NULL,
       "steps" TEXT NOT NULL,
       "words" TEXT NOT NULL,
       "leaving" TEXT NOT NULL,
       "user" TEXT NOT NULL,
       "run_as" TEXT,
       "request_id" TEXT NOT NULL,
       "position_type" TEXT NOT NULL DEFAULT '',
       "position_id" TEXT NOT NULL DEFAULT '',
       "round" INTEGER NOT NULL DEFAULT 0,
       "changed" INTEGER NOT NULL DEFAULT 0,
       "remaining" INTEGER NOT NULL,
       "done" INTEGER NOT NULL DEFAULT 0
     )`,
    `CREATE INDEX "schema_migration_open" ON "schema_migration" ("id") WHERE done = 0`,
    `CREATE INDEX "schema_migration_request" ON "schema_migration" ("request_id")`,
  ],
};
