import type { Migration } from '../../store/migrations/index.ts';

export const itemTables: Migration = {
  number: 14,
  name: 'items',
  statements: [
    `ALTER TABLE "collection" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE "collection" ADD COLUMN "members" INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE "collection" ADD COLUMN "items" INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE "collection" ADD COLUMN "collections" INTEGER NOT NULL DEFAULT 0`,
    `CREATE TABLE "collection_member" (
       "collection_id" TEXT NOT NULL,
       "member_type" TEXT NOT NULL,
       "member_id" TEXT NOT NULL,
       "position" INTEGER NOT NULL,
       "reference" TEXT NOT NULL,
       PRIMARY KEY ("collection_id", "member_type", "member_id")
     ) WITHOUT ROWID`,
    `CREATE INDEX "collection_member_of" ON "collection_member" ("member_type", "member_id", "collection_id")`,
    `CREATE INDEX "collection_member_order" ON "collection_member" ("collection_id", "position", "member_type", "member_id")`,
    `CREATE TRIGGER collection_member_added AFTER INSERT ON collection_member BEGIN
       UPDATE collection SET version = version + 1, members = members + 1,
           items = items + (NEW.member_type = 'item'), collections = collections + (NEW.member_type = 'collection')
         WHERE id = NEW.collection_id;
     END`,
    `CREATE TRIGGER collection_member_removed AFTER DELETE ON collection_member BEGIN
       UPDATE collection SET version = version + 1, members = members - 1,
           items = items - (OLD.member_type = 'item'), collections = collections - (OLD.member_type = 'collection')
         WHERE id = OLD.collection_id;
     END`,
    `CREATE TRIGGER collection_member_moved AFTER UPDATE OF position ON collection_member BEGIN
       UPDATE collection SET version = version + 1 WHERE id = NEW.collection_id;
     END`,
    `CREATE TABLE "access_entry" (
       "entity_type" TEXT NOT NULL,
       "entity_id" TEXT NOT NULL,
       "id" TEXT NOT NULL,
       "entity_serial" INTEGER NOT NULL,
       "user_id" TEXT,
       "group_id" TEXT,
       "permission" TEXT NOT NULL,
       "grantor_id" TEXT,
       "priority" INTEGER NOT NULL,
       "applies_to" TEXT NOT NULL,
       "operation" TEXT,
       PRIMARY KEY ("entity_type", "entity_id", "id")
     ) WITHOUT ROWID`,
    `CREATE INDEX "access_entry_user" ON "access_entry" ("user_id", "entity_type", "entity_serial")`,
    `CREATE INDEX "access_entry_group" ON "access_entry" ("group_id") WHERE "group_id" IS NOT NULL`,
    `CREATE TABLE "item_lock" (
       "item_id" TEXT PRIMARY KEY NOT NULL,
       "user_id" TEXT NOT NULL,
       "user" TEXT NOT NULL,
       "expires_at" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE "item_relation" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "source" TEXT NOT NULL,
       "target" TEXT NOT NULL,
       "type" TEXT NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "item_relation_source" ON "item_relation" ("source", "serial")`,
    `CREATE INDEX "item_relation_target" ON "item_relation" ("target", "serial")`,
    `CREATE TABLE "deletion_lock" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "serial" INTEGER NOT NULL,
       "entity_type" TEXT NOT NULL,
       "entity_id" TEXT NOT NULL,
       "user_id" TEXT NOT NULL,
       "user" TEXT NOT NULL,
       "expires_at" INTEGER NOT NULL,
       "modified_at" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX "deletion_lock_entity" ON "deletion_lock" ("entity_type", "entity_id", "expires_at")`,
    `CREATE INDEX "deletion_lock_serial" ON "deletion_lock" ("serial")`,
    `CREATE TABLE "external_id_namespace" (
       "name" TEXT PRIMARY KEY NOT NULL,
       "pattern" TEXT NOT NULL,
       "priority" INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `ALTER TABLE "external_id" ADD COLUMN "namespace" TEXT`,
    `CREATE INDEX "external_id_by_namespace" ON "external_id" ("namespace") WHERE namespace IS NOT NULL`,
  ],
};
