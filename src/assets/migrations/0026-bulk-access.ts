import type { Migration } from '../../store/migrations/index.ts';

export const bulkAccessMigration: Migration = {
<<<<<<<< HEAD:src/assets/migrations/0026-bulk-access.ts
  number: 26,
========
  number: 26,
>>>>>>>> finding:src/assets/migrations/0024-bulk-access.ts
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
