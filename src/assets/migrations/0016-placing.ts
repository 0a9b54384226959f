import type { Migration } from '../../store/migrations/index.ts';

const isRuled = 'EXISTS (SELECT 1 FROM "storage_rule")';

/** A new row, and not a changed one: its serial tells whether a decision still holds. */
const due = (components: string): string => `
       DELETE FROM "placing_due" WHERE "component_id" IN (${components});
       INSERT INTO "placing_due" ("component_id", "due") SELECT DISTINCT "id", 0 FROM
         (${components.replace('SELECT "component_id"', 'SELECT "component_id" AS "id"')});`;

const walk = (kind: string, id: string): string => `
       DELETE FROM "placing_walk" WHERE "kind" = ${kind} AND "id" = ${id};
       INSERT INTO "placing_walk" ("kind", "id", "cursor") VALUES (${kind}, ${id}, '');`;

const walkOfRule = (row: string): string =>
  walk(
    `CASE WHEN ${row}."entity_type" <> 'GENERIC' THEN ${row}."entity_type" WHEN ${row}."tag" = '' THEN 'ALL' ELSE 'TAG' END`,
    `CASE WHEN ${row}."entity_type" <> 'GENERIC' THEN ${row}."entity_id" ELSE ${row}."tag" END`,
  );

const ofFile = 'SELECT "component_id" FROM "file_use" WHERE "file_id" = NEW."id"';
const ofShape = (row: string): string => `SELECT "id" FROM "component" WHERE "shape_id" = ${row}."shape_id"`;
const closed = `IN ('CLOSED', 'BEING_READ')`;

/** Without storage rules the triggers write nothing. */
export const placingMigration: Migration = {
  number: 16,
  name: 'placing',
  statements: [
    `CREATE TABLE "placing_due" (
       "serial" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "component_id" TEXT NOT NULL,
       "due" INTEGER NOT NULL,
       "storage_id" TEXT
     )`,
    `CREATE UNIQUE INDEX "placing_due_component" ON "placing_due" ("component_id")`,
    `CREATE INDEX "placing_due_next" ON "placing_due" ("due", "serial")`,
    `CREATE INDEX "placing_due_storage" ON "placing_due" ("storage_id", "serial") WHERE storage_id IS NOT NULL`,
    `CREATE TABLE "placing_walk" (
       "serial" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
       "kind" TEXT NOT NULL,
       "id" TEXT NOT NULL,
       "cursor" TEXT NOT NULL
     )`,
    `CREATE UNIQUE INDEX "placing_walk_of" ON "placing_walk" ("kind", "id")`,
    `CREATE TABLE "placing_copy" (
       "component_id" TEXT NOT NULL,
       "storage_id" TEXT NOT NULL,
       "file_id" TEXT NOT NULL,
       "job_id" TEXT NOT NULL,
       "rest_until" INTEGER,
       PRIMARY KEY ("component_id", "storage_id")
     ) WITHOUT ROWID`,
    `CREATE INDEX "placing_copy_file" ON "placing_copy" ("file_id")`,
    `CREATE INDEX "placing_copy_job" ON "placing_copy" ("job_id")`,
    `CREATE INDEX "placing_copy_running" ON "placing_copy" ("storage_id") WHERE rest_until IS NULL`,
    `CREATE TRIGGER "placing_file_used" AFTER INSERT ON "file_use" WHEN ${isRuled} BEGIN${due('SELECT NEW."component_id" AS "id"')}
     END`,
    `CREATE TRIGGER "placing_file_unused" AFTER DELETE ON "file_use" WHEN ${isRuled} BEGIN${due('SELECT OLD."component_id" AS "id"')}
     END`,
    `CREATE TRIGGER "placing_use_moved" AFTER UPDATE OF "item_id", "shape_id" ON "file_use" WHEN ${isRuled} BEGIN${due('SELECT NEW."component_id" AS "id"')}
     END`,
    `CREATE TRIGGER "placing_file_closed" AFTER UPDATE OF "state", "storage_id" ON "file"
       WHEN ((OLD."state" ${closed}) <> (NEW."state" ${closed}) OR OLD."storage_id" <> NEW."storage_id")
         AND ${isRuled} BEGIN${due(ofFile)}
     END`,
    `CREATE TRIGGER "placing_tagged" AFTER INSERT ON "shape_tagged" WHEN ${isRuled} BEGIN${due(ofShape('NEW'))}
     END`,
    `CREATE TRIGGER "placing_untagged" AFTER DELETE ON "shape_tagged" WHEN ${isRuled} BEGIN${due(ofShape('OLD'))}
     END`,
    `CREATE TRIGGER "placing_copy_ended" AFTER DELETE ON "file_job"
       WHEN EXISTS (SELECT 1 FROM "placing_copy" WHERE "job_id" = OLD."job_id") BEGIN${due(
         'SELECT "component_id" FROM "placing_copy" WHERE "job_id" = OLD."job_id"',
       )}
     END`,
    `CREATE TRIGGER "placing_component_gone" AFTER DELETE ON "component" BEGIN
       DELETE FROM "placing_due" WHERE "component_id" = OLD."id";
       DELETE FROM "placing_copy" WHERE "component_id" = OLD."id";
     END`,
    `CREATE TRIGGER "placing_rule_made" AFTER INSERT ON "storage_rule" BEGIN${walkOfRule('NEW')}
     END`,
    `CREATE TRIGGER "placing_rule_changed" AFTER UPDATE ON "storage_rule" BEGIN${walkOfRule('NEW')}
     END`,
    `CREATE TRIGGER "placing_rule_gone" AFTER DELETE ON "storage_rule" WHEN ${isRuled} BEGIN${walkOfRule('OLD')}
     END`,
    `CREATE TRIGGER "placing_group_joined" AFTER INSERT ON "storage_group_member" WHEN ${isRuled} BEGIN${walk("'ALL'", "''")}
     END`,
    `CREATE TRIGGER "placing_group_left" AFTER DELETE ON "storage_group_member" WHEN ${isRuled} BEGIN${walk("'ALL'", "''")}
     END`,
    `CREATE TRIGGER "placing_member_added" AFTER INSERT ON "collection_member"
       WHEN EXISTS (SELECT 1 FROM "storage_rule" WHERE "entity_type" = 'COLLECTION') BEGIN${walk('upper(NEW."member_type")', 'NEW."member_id"')}
     END`,
    `CREATE TRIGGER "placing_member_removed" AFTER DELETE ON "collection_member"
       WHEN EXISTS (SELECT 1 FROM "storage_rule" WHERE "entity_type" = 'COLLECTION') BEGIN${walk('upper(OLD."member_type")', 'OLD."member_id"')}
     END`,
    `CREATE TRIGGER "placing_item_gone" AFTER DELETE ON "item" BEGIN
       DELETE FROM "storage_rule" WHERE "entity_type" = 'ITEM' AND "entity_id" = OLD."id";
     END`,
    `CREATE TRIGGER "placing_collection_gone" AFTER DELETE ON "collection" BEGIN
       DELETE FROM "storage_rule" WHERE "entity_type" = 'COLLECTION' AND "entity_id" = OLD."id";
     END`,
    // Rules that are older than their work.
    `INSERT INTO "placing_walk" ("kind", "id", "cursor") SELECT 'ALL', '', '' WHERE ${isRuled}`,
  ],
};
