import type { Migration } from '../../store/migrations/index.ts';

/** Values of fields that are deleted from now on are hidden. Names that went before are not known any more. */
export const deletedFieldsMigration: Migration = {
  number: 42,
  name: 'deleted-fields',
  statements: [
    `CREATE TABLE "metadata_gone" (
       "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "name" TEXT NOT NULL
     )`,
    `CREATE INDEX "metadata_gone_name" ON "metadata_gone" ("name")`,
    `ALTER TABLE "metadata_state" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE "metadata_change_set" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0`,
  ],
};
