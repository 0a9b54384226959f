import type { Migration } from '../../store/migrations/index.ts';

const forgetting = (table: string, owner: string, name: string): string =>
  `CREATE TRIGGER "${name}" AFTER DELETE ON "${owner}"
     WHEN EXISTS (SELECT 1 FROM "${table}" WHERE "owner_type" = '${owner}' AND "owner_id" = OLD."id") BEGIN
     DELETE FROM "${table}" WHERE "owner_type" = '${owner}' AND "owner_id" = OLD."id";
   END`;

export const attachmentsMigration: Migration = {
  number: 25,
  name: 'attachments',
  statements: [
    `CREATE TABLE "attachment" (
       "owner_type" TEXT NOT NULL,
       "owner_id" TEXT NOT NULL,
       "kind" TEXT NOT NULL,
       "name" TEXT NOT NULL,
       "media_type" TEXT NOT NULL,
       "content" BLOB NOT NULL,
       "changed_at" INTEGER NOT NULL,
       PRIMARY KEY ("owner_type", "owner_id", "kind", "name")
     )`,
    `CREATE TABLE "bulky_value" (
       "owner_type" TEXT NOT NULL,
       "owner_id" TEXT NOT NULL,
       "key" TEXT NOT NULL,
       "start" TEXT NOT NULL,
       "end" TEXT NOT NULL,
       "stream" INTEGER NOT NULL,
       "channel" INTEGER NOT NULL,
       "track" TEXT NOT NULL,
       "start_seconds" REAL NOT NULL,
       "end_seconds" REAL NOT NULL,
       "value" TEXT NOT NULL,
       PRIMARY KEY ("owner_type", "owner_id", "key", "start", "end", "stream", "channel", "track")
     )`,
    `CREATE INDEX "bulky_value_time" ON "bulky_value" ("owner_type", "owner_id", "key", "start_seconds")`,
    forgetting('attachment', 'item', 'item_attachments'),
    forgetting('attachment', 'collection', 'collection_attachments'),
    forgetting('bulky_value', 'item', 'item_bulky_values'),
    forgetting('bulky_value', 'shape', 'shape_bulky_values'),
    forgetting('bulky_value', 'component', 'component_bulky_values'),
  ],
};
