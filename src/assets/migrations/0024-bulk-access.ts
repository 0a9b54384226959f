import type { Migration } from '../../store/migrations/index.ts';

export const bulkAccessMigration: Migration = {
  number: 24,
  name: 'bulk-access',
  statements: [
    `CREATE TABLE "access_bulk" (
       "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "entry" TEXT,
       "position" INTEGER NOT NULL,
       "user" TEXT NOT NULL,
       "run_as" TEXT,
       "request_id" TEXT
     )`,
  ],
};
