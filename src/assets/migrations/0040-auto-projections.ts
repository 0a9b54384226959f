import type { Migration } from '../../store/migrations/index.ts';

export const autoProjectionsMigration: Migration = {
  number: 40,
  name: 'auto-projections',
  statements: [
    `CREATE TABLE "auto_projection_due" (
       "item_id" TEXT NOT NULL,
       "cause" TEXT NOT NULL,
       "target_id" TEXT NOT NULL,
       "since" TEXT NOT NULL,
       "later" TEXT NOT NULL DEFAULT '',
       "depth" INTEGER NOT NULL,
       "done" TEXT NOT NULL DEFAULT '',
       "due" INTEGER NOT NULL,
       PRIMARY KEY ("item_id", "cause", "target_id")
     )`,
    `CREATE INDEX "auto_projection_due_next" ON "auto_projection_due" ("due")`,
    `CREATE TABLE "auto_projection_failure" (
       "name" TEXT PRIMARY KEY NOT NULL,
       "at" INTEGER NOT NULL,
       "says" TEXT NOT NULL
     )`,
  ],
};
