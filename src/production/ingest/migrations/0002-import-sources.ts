import type { Migration } from '../../../core/store/migrations.ts';

/** For databases of earlier releases. Its statements never change. */
export const addImportSources: Migration = {
  number: 2,
  name: 'import-sources',
  statements: globalThis.isEdgeModule
    ? []
    : [
        `CREATE TABLE "import_source" ("hash" TEXT PRIMARY KEY NOT NULL, "size" INTEGER NOT NULL,
      "modified" INTEGER NOT NULL, "item_id" TEXT NOT NULL, "job_id" TEXT NOT NULL) WITHOUT ROWID`,
        'CREATE INDEX "import_source_item" ON "import_source" ("item_id")',
        `CREATE TRIGGER "import_source_item_gone" AFTER DELETE ON "item"
BEGIN
  DELETE FROM "import_source" WHERE "item_id" = OLD.id;
END`,
      ],
};
