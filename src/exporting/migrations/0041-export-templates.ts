import type { Migration } from '../../store/migrations/index.ts';

export const exportTemplatesMigration: Migration = {
  number: 41,
  name: 'export-templates',
  statements: [
    `CREATE TABLE "export_template" ("name" TEXT PRIMARY KEY NOT NULL, "form" TEXT NOT NULL, "document" TEXT NOT NULL) WITHOUT ROWID`,
    `ALTER TABLE "export_file" ADD COLUMN "content" TEXT`,
  ],
};
