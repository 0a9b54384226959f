import type { Migration } from '../../store/migrations/index.ts';

export const fileJobsMigration: Migration = {
  number: 9,
  name: 'file-jobs',
  statements: [
    `CREATE TABLE "file_job" (
       "file_id" TEXT NOT NULL,
       "job_id" TEXT NOT NULL,
       "reads" INTEGER NOT NULL,
       "rest_until" INTEGER,
       PRIMARY KEY ("file_id", "job_id")
     ) WITHOUT ROWID`,
    `CREATE INDEX "file_job_job" ON "file_job" ("job_id")`,
  ],
};
