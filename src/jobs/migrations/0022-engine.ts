import type { Migration } from '../../store/migrations/index.ts';

export const engineMigration: Migration = {
  number: 22,
  name: 'engine',
  statements: [
    `ALTER TABLE "job" ADD COLUMN "ordered" TEXT NOT NULL DEFAULT '{}'`,
    `ALTER TABLE "job" ADD COLUMN "is_custom" INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE "job" ADD COLUMN "tasks" TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE "job_task" ADD COLUMN "parts" TEXT`,
    `CREATE TABLE "custom_job_type" ("type" TEXT PRIMARY KEY NOT NULL, "id" INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE UNIQUE INDEX "custom_job_type_id_unique" ON "custom_job_type" ("id")`,
    `CREATE TABLE "task_definition" (
       "id" INTEGER PRIMARY KEY NOT NULL,
       "job_type" TEXT NOT NULL,
       "step" INTEGER NOT NULL,
       "description" TEXT NOT NULL,
       "script" TEXT,
       "handler" TEXT,
       "critical" INTEGER NOT NULL,
       "cleanup" INTEGER NOT NULL,
       "document" TEXT NOT NULL
     )`,
    `CREATE UNIQUE INDEX "task_definition_step" ON "task_definition" ("job_type", "step")`,
    `CREATE TABLE "job_configuration" ("name" TEXT PRIMARY KEY NOT NULL, "document" TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE "keyed_request" (
       "user" TEXT NOT NULL,
       "key" TEXT NOT NULL,
       "request" TEXT NOT NULL,
       "made" TEXT NOT NULL,
       "answer" TEXT,
       "created_at" INTEGER NOT NULL,
       PRIMARY KEY ("user", "key")
     ) WITHOUT ROWID`,
    `CREATE INDEX "keyed_request_age" ON "keyed_request" ("created_at")`,
  ],
};
