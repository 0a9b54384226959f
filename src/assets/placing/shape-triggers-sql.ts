import { walkSql } from './triggers-sql.ts';

const ruled = (row: string): string =>
  `WHEN EXISTS (SELECT 1 FROM "storage_rule" WHERE "entity_type" = 'LIBRARY' AND "entity_id" = ${row}."library_id")`;

/** Triggers for rules about shapes and libraries, and for file names given by shapes. */
export const shapeRuleTriggers: readonly string[] = [
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
