/** Pictures and scripts are deleted with their item, shape or tag. */
export const transcodingSchema: readonly string[] = [
  `CREATE TRIGGER "picture_item_gone" AFTER DELETE ON "item" BEGIN
       DELETE FROM "picture" WHERE "item_id" = OLD."id";
     END`,
  `CREATE TRIGGER "picture_version_gone" AFTER DELETE ON "shape"
       WHEN NOT EXISTS (SELECT 1 FROM "shape" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version") BEGIN
       DELETE FROM "picture" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version";
     END`,
  `CREATE TRIGGER "shape_tag_script_gone" AFTER DELETE ON "shape_tag" BEGIN
       DELETE FROM "shape_tag_script" WHERE "tag" = OLD."name";
     END`,
];
