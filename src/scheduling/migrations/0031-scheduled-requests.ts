import type { Migration } from '../../store/migrations/index.ts';

export const scheduledRequestsMigration: Migration = {
  number: 31,
  name: 'scheduled-requests',
  statements: [
    `CREATE TABLE "scheduled_request" (
       "id" INTEGER PRIMARY KEY NOT NULL,
       "user_id" TEXT NOT NULL,
       "user" TEXT NOT NULL,
       "caller" TEXT NOT NULL,
       "state" TEXT NOT NULL,
       "date" INTEGER NOT NULL,
       "created_at" INTEGER NOT NULL,
       "executed_at" INTEGER,
       "method" TEXT NOT NULL,
       "uri" TEXT NOT NULL,
       "headers" TEXT NOT NULL,
       "address" TEXT,
       "secure" INTEGER NOT NULL,
       "depth" INTEGER NOT NULL,
       "body" BLOB,
       "status" INTEGER,
       "content_type" TEXT,
       "response" BLOB,
       "lease_until" INTEGER NOT NULL,
       "fence" INTEGER NOT NULL
     )`,
    `CREATE INDEX "scheduled_request_due" ON "scheduled_request" ("lease_until", "date") WHERE state = 'WAITING'`,
    `CREATE INDEX "scheduled_request_user" ON "scheduled_request" ("user_id", "state", "id")`,
    `CREATE INDEX "scheduled_request_executed" ON "scheduled_request" ("executed_at") WHERE executed_at IS NOT NULL`,
  ],
};
