/** Triggers that delete locks with their file. */
export const lockTriggers: readonly string[] = [
  `CREATE TRIGGER "file_locks" AFTER DELETE ON "file"
       WHEN EXISTS (SELECT 1 FROM "deletion_lock" WHERE "entity_type" = 'file' AND "entity_id" = OLD."id") BEGIN
       DELETE FROM "key_value" WHERE "entity_type" = 'deletion-lock' AND "entity_id" IN
         (SELECT "id" FROM "deletion_lock" WHERE "entity_type" = 'file' AND "entity_id" = OLD."id");
       DELETE FROM "deletion_lock" WHERE "entity_type" = 'file' AND "entity_id" = OLD."id";
     END`,
];
