import type { Migration } from '../../store/migrations/index.ts';

export const documentsMigration: Migration = {
  number: 20,
  name: 'documents',
  statements: [
    `CREATE TABLE "metadata_document" ("id" TEXT PRIMARY KEY NOT NULL, "created_at" INTEGER NOT NULL) WITHOUT ROWID`,
    `ALTER TABLE "deletion_lock" ADD COLUMN "told" INTEGER DEFAULT 0 NOT NULL`,
    `CREATE INDEX "deletion_lock_end" ON "deletion_lock" ("expires_at") WHERE told = 0`,
    `CREATE TRIGGER "file_locks" AFTER DELETE ON "file"
       WHEN EXISTS (SELECT 1 FROM "deletion_lock" WHERE "entity_type" = 'file' AND "entity_id" = OLD."id") BEGIN
       DELETE FROM "key_value" WHERE "entity_type" = 'deletion-lock' AND "entity_id" IN
         (SELECT "id" FROM "deletion_lock" WHERE "entity_type" = 'file' AND "entity_id" = OLD."id");
       DELETE FROM "deletion_lock" WHERE "entity_type" = 'file' AND "entity_id" = OLD."id";
     END`,
  ],
};
