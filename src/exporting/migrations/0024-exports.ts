import type { Migration } from '../../store/migrations/index.ts';

export const exportsMigration: Migration = {
  number: 24,
  name: 'exports',
  statements: [
    `CREATE TABLE "export_location" ("name" TEXT PRIMARY KEY NOT NULL, "document" TEXT NOT NULL, "script" TEXT) WITHOUT ROWID`,
    `CREATE TABLE "export_file" ("job_id" TEXT NOT NULL, "position" INTEGER NOT NULL, "item_id" TEXT NOT NULL,
       "shape_id" TEXT NOT NULL, "file_id" TEXT NOT NULL, "wished" TEXT NOT NULL, "name" TEXT, "state" TEXT NOT NULL,
       "token" TEXT, PRIMARY KEY ("job_id", "position")) WITHOUT ROWID`,
  ],
};
