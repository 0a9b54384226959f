const isRuled = 'EXISTS (SELECT 1 FROM "storage_rule")';

/** Queues components as new rows: the serial shows whether a decision is still valid. */
const due = (components: string): string => `
       DELETE FROM "placing_due" WHERE "component_id" IN (${components});
       INSERT INTO "placing_due" ("component_id", "due") SELECT DISTINCT "id", 0 FROM
         (${components.replace('SELECT "component_id"', 'SELECT "component_id" AS "id"')});`;

export const walkSql = (kind: string, id: string): string => `
       DELETE FROM "placing_walk" WHERE "kind" = ${kind} AND "id" = ${id};
       INSERT INTO "placing_walk" ("kind", "id", "cursor") VALUES (${kind}, ${id}, '');`;

const walkOfRule = (row: string): string =>
  walkSql(
    `CASE WHEN ${row}."entity_type" <> 'GENERIC' THEN ${row}."entity_type" WHEN ${row}."tag" = '' THEN 'ALL' ELSE 'TAG' END`,
    `CASE WHEN ${row}."entity_type" <> 'GENERIC' THEN ${row}."entity_id" ELSE ${row}."tag" END`,
  );

const ofFile = 'SELECT "component_id" FROM "file_use" WHERE "file_id" = NEW."id"';
const ofShape = (row: string): string => `SELECT "id" FROM "component" WHERE "shape_id" = ${row}."shape_id"`;
const closed = `IN ('CLOSED', 'BEING_READ')`;

/** Triggers that queue components. Without storage rules they write nothing. */
export const placingTriggers: readonly string[] = [
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
  `CREATE TRIGGER "placing_group_joined" AFTER INSERT ON "storage_group_member" WHEN ${isRuled} BEGIN${walkSql("'ALL'", "''")}
     END`,
  `CREATE TRIGGER "placing_group_left" AFTER DELETE ON "storage_group_member" WHEN ${isRuled} BEGIN${walkSql("'ALL'", "''")}
     END`,
  `CREATE TRIGGER "placing_member_added" AFTER INSERT ON "collection_member"
       WHEN EXISTS (SELECT 1 FROM "storage_rule" WHERE "entity_type" = 'COLLECTION') BEGIN${walkSql('upper(NEW."member_type")', 'NEW."member_id"')}
     END`,
  `CREATE TRIGGER "placing_member_removed" AFTER DELETE ON "collection_member"
       WHEN EXISTS (SELECT 1 FROM "storage_rule" WHERE "entity_type" = 'COLLECTION') BEGIN${walkSql('upper(OLD."member_type")', 'OLD."member_id"')}
     END`,
  `CREATE TRIGGER "placing_item_gone" AFTER DELETE ON "item" BEGIN
       DELETE FROM "storage_rule" WHERE "entity_type" = 'ITEM' AND "entity_id" = OLD."id";
     END`,
  `CREATE TRIGGER "placing_collection_gone" AFTER DELETE ON "collection" BEGIN
       DELETE FROM "storage_rule" WHERE "entity_type" = 'COLLECTION' AND "entity_id" = OLD."id";
     END`,
];
