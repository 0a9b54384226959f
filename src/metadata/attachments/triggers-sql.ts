const forgetting = (table: string, owner: string, name: string): string =>
  `CREATE TRIGGER "${name}" AFTER DELETE ON "${owner}"
     WHEN EXISTS (SELECT 1 FROM "${table}" WHERE "owner_type" = '${owner}' AND "owner_id" = OLD."id") BEGIN
     DELETE FROM "${table}" WHERE "owner_type" = '${owner}' AND "owner_id" = OLD."id";
   END`;

export const attachmentTriggers: readonly string[] = [
  forgetting('attachment', 'item', 'item_attachments'),
  forgetting('attachment', 'collection', 'collection_attachments'),
  forgetting('bulky_value', 'item', 'item_bulky_values'),
  forgetting('bulky_value', 'shape', 'shape_bulky_values'),
  forgetting('bulky_value', 'component', 'component_bulky_values'),
];
