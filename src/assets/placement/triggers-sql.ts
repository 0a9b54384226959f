const isRuled = 'EXISTS (SELECT 1 FROM "storage_rule")';

/** Queues components as new rows: the serial shows whether a decision is still valid. */
const due = (components: string): string => `
       DELETE FROM "placing_due" WHERE "component_id" IN (${components});
       INSERT INTO "placing_due" ("component_id", "due") SELECT DISTINCT "id", 0 FROM
         (${components.replace('SELECT "component_id"', 'SELECT "component_id" AS "id"')});`;

const walkSql = (kind: string, id: string): string => `
       DELETE FROM "placing_walk" WHERE "kind" = ${kind} AND "id" = ${id};
       INSERT INTO "placing_walk" ("kind", "id", "cursor") VALUES (${kind}, ${id}, '');`;

const walkOfRule = (row: string): string =>
  walkSql(
    `CASE WHEN ${row}."entity_type" <> 'GENERIC' THEN ${row}."entity_type" WHEN ${row}."tag" = '' THEN 'ALL' ELSE 'TAG' END`,
    `CASE WHEN ${row}."entity_type" <> 'GENERIC' THEN ${row}."entity_id" ELSE ${row}."tag" END`,
  );

const ofFile = 'SELECT "component_id" FROM "file_use" WHERE "file_id" = NEW."id"';
const ofShape = (row: string): string => `SELECT "id" FROM "component" WHERE "shape_id" = ${row}."shape_id"`;
const closed = `IN ('CLOSED', 'BEING_READ', 'ARCHIVED')`;

/** Triggers that queue components. Without storage rules they write nothing. */
export const placingTriggers = (): readonly string[] => [
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

const inFolder = (collection: string): string =>
  `WHEN EXISTS (SELECT 1 FROM "collection_folder" WHERE "collection_id" = ${collection} AND "mapped" = 1)`;

/** Items in mapped folders, selected by a condition on the use of files. */
const itemsInFolders = (condition: string): string => `SELECT DISTINCT used."item_id" FROM "file_use" AS used
         CROSS JOIN "collection_member" AS m ON m."member_type" = 'item' AND m."member_id" = used."item_id"
         CROSS JOIN "collection_folder" AS f ON f."collection_id" = m."collection_id" AND f."mapped" = 1
         WHERE ${condition}`;

const walkItems = (condition: string): string => `
       DELETE FROM "placing_walk" WHERE "kind" = 'ITEM' AND "id" IN (${itemsInFolders(condition)});
       INSERT INTO "placing_walk" ("kind", "id", "cursor") SELECT 'ITEM', "item_id", '' FROM (${itemsInFolders(condition)});`;

/** Triggers for collections as folders: files that may have to move are queued for the storage rules. */
export const folderTriggers = (): readonly string[] => [
  `CREATE TRIGGER "folder_made" AFTER INSERT ON "collection_folder"
       WHEN NEW."mapped" = 1 BEGIN${walkSql("'COLLECTION'", 'NEW."collection_id"')}
     END`,
  `CREATE TRIGGER "folder_changed" AFTER UPDATE ON "collection_folder"
       WHEN NEW."mapped" = 1 OR OLD."mapped" = 1 BEGIN${walkSql("'COLLECTION'", 'NEW."collection_id"')}
     END`,
  `CREATE TRIGGER "folder_member_added" AFTER INSERT ON "collection_member"
       ${inFolder('NEW."collection_id"')} BEGIN${walkSql('upper(NEW."member_type")', 'NEW."member_id"')}
     END`,
  `CREATE TRIGGER "folder_member_removed" AFTER DELETE ON "collection_member"
       ${inFolder('OLD."collection_id"')} BEGIN${walkSql('upper(OLD."member_type")', 'OLD."member_id"')}
     END`,
  `CREATE TRIGGER "folder_file_used" AFTER INSERT ON "file_use"
       WHEN EXISTS (SELECT 1 FROM "collection_folder") BEGIN${walkItems('used."file_id" = NEW."file_id"')}
     END`,
  // A file may now follow the folder of another item.
  `CREATE TRIGGER "folder_use_moved" AFTER UPDATE OF "item_id" ON "file_use"
       WHEN NEW."item_id" <> OLD."item_id" AND EXISTS (SELECT 1 FROM "collection_folder")
       BEGIN${walkItems('used."file_id" = NEW."file_id"')}
     END`,
  `CREATE TRIGGER "folder_file_unused" AFTER DELETE ON "file_use"
       WHEN EXISTS (SELECT 1 FROM "collection_folder") BEGIN${walkItems('used."file_id" = OLD."file_id"')}
     END`,
  // While a shape named the file, no folder could.
  `CREATE TRIGGER "folder_name_gone" AFTER DELETE ON "shape_filename"
       WHEN EXISTS (SELECT 1 FROM "collection_folder")
         AND EXISTS (SELECT 1 FROM "shape" WHERE "id" = OLD."shape_id") BEGIN${walkSql("'SHAPE'", 'OLD."shape_id"')}
     END`,
  `CREATE TRIGGER "folder_file_closed" AFTER UPDATE OF "state" ON "file"
       WHEN NEW."state" = 'CLOSED' AND OLD."state" NOT IN ('CLOSED', 'BEING_READ')
         AND EXISTS (SELECT 1 FROM "collection_folder") BEGIN${walkItems('used."file_id" = NEW."id"')}
     END`,
];

const ruled = (row: string): string =>
  `WHEN EXISTS (SELECT 1 FROM "storage_rule" WHERE "entity_type" = 'LIBRARY' AND "entity_id" = ${row}."library_id")`;

/** Triggers for rules about shapes and libraries, and for file names given by shapes. */
export const shapeRuleTriggers = (): readonly string[] => [
  `CREATE TRIGGER "placing_name_made" AFTER INSERT ON "shape_filename" BEGIN${walkSql("'SHAPE'", 'NEW."shape_id"')}
     END`,
  `CREATE TRIGGER "placing_named_file" AFTER INSERT ON "file_use"
       WHEN EXISTS (SELECT 1 FROM "shape_filename" WHERE "shape_id" = NEW."shape_id") BEGIN${walkSql("'SHAPE'", 'NEW."shape_id"')}
     END`,
  `CREATE TRIGGER "placing_named_closed" AFTER UPDATE OF "state" ON "file"
       WHEN NEW."state" = 'CLOSED' AND OLD."state" NOT IN ('CLOSED', 'BEING_READ')
         AND EXISTS (SELECT 1 FROM "shape_filename" WHERE "storage_id" = NEW."storage_id") BEGIN
       DELETE FROM "placing_walk" WHERE "kind" = 'SHAPE'
         AND "id" IN (SELECT "shape_id" FROM "file_use" WHERE "file_id" = NEW."id");
       INSERT INTO "placing_walk" ("kind", "id", "cursor")
         SELECT DISTINCT 'SHAPE', "shape_id", '' FROM "file_use" WHERE "file_id" = NEW."id";
     END`,
  `CREATE TRIGGER "shape_rules_gone" AFTER DELETE ON "shape" BEGIN
       DELETE FROM "shape_filename" WHERE "shape_id" = OLD."id";
       DELETE FROM "storage_rule" WHERE "entity_type" = 'SHAPE' AND "entity_id" = OLD."id";
     END`,
  `CREATE TRIGGER "storage_filenames_gone" AFTER UPDATE OF "deleted_at" ON "storage"
       WHEN NEW."deleted_at" IS NOT NULL BEGIN
       DELETE FROM "shape_filename" WHERE "storage_id" = NEW."id";
     END`,
  `CREATE TRIGGER "placing_library_joined" AFTER INSERT ON "library_item" ${ruled('NEW')} BEGIN${walkSql("'ITEM'", 'NEW."item_id"')}
     END`,
  `CREATE TRIGGER "placing_library_left" AFTER DELETE ON "library_item" ${ruled('OLD')} BEGIN${walkSql("'ITEM'", 'OLD."item_id"')}
     END`,
  `CREATE TRIGGER "placing_library_gone" AFTER DELETE ON "library" BEGIN
       DELETE FROM "storage_rule" WHERE "entity_type" = 'LIBRARY' AND "entity_id" = OLD."id";
     END`,
];
