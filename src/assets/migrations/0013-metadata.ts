import type { Migration } from '../../store/migrations/index.ts';

export const metadataTables: Migration = {
  number: 13,
  name: 'metadata',
  statements: [
    `CREATE TABLE "metadata_state" (
       "owner_type" TEXT NOT NULL,
       "owner_id" TEXT NOT NULL,
       "version" INTEGER NOT NULL,
       "newest" INTEGER NOT NULL,
       "changed_at" INTEGER NOT NULL,
       "doc" TEXT NOT NULL,
       PRIMARY KEY ("owner_type", "owner_id")
     )`,
    `CREATE TABLE "metadata_change_set" (
       "serial" INTEGER PRIMARY KEY NOT NULL,
       "id" TEXT NOT NULL,
       "owner_type" TEXT NOT NULL,
       "owner_id" TEXT NOT NULL,
       "user" TEXT NOT NULL,
       "at" INTEGER NOT NULL,
       "delta" TEXT NOT NULL
     )`,
    `CREATE INDEX "metadata_change_set_owner" ON "metadata_change_set" ("owner_type", "owner_id", "serial")`,
    `CREATE TABLE "metadata_lock" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "owner_type" TEXT NOT NULL,
       "owner_id" TEXT NOT NULL,
       "user" TEXT NOT NULL,
       "expires_at" INTEGER NOT NULL,
       "fields" TEXT NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "metadata_lock_owner" ON "metadata_lock" ("owner_type", "owner_id")`,
  ],
};
