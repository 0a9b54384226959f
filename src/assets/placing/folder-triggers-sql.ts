import { walkSql } from './triggers-sql.ts';

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
export const folderTriggers: readonly string[] = [
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
