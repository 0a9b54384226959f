import type { Migration } from '../../store/migrations/index.ts';

export const assetTables: Migration = {
  number: 11,
  name: 'assets',
  statements: [
    `CREATE TABLE "item" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "created_at" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "item_serial" ON "item" ("serial")`,
    `CREATE TABLE "collection" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "created_at" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "collection_serial" ON "collection" ("serial")`,
  ],
};
