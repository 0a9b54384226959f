import { sql } from 'drizzle-orm';
import { statement, value, writes } from '../../../core/store/statement.ts';

type Both = { readonly from: string; readonly to: string };

/** Copies the uses of a file: components of the source use the target, too. */
export const copyUses = statement<Both>(
  sql`INSERT INTO ${writes('file_use')} (file_id, item_id, shape_id, component_id)
    SELECT ${value('to')}, item_id, shape_id, component_id FROM file_use WHERE file_id = ${value('from')}`,
);

export const copyFileKeys = statement<Both>(
  sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value)
    SELECT 'file', ${value('to')}, key, position, value FROM key_value
    WHERE entity_type = 'file' AND entity_id = ${value('from')}`,
);

/** A request that names the file by an old name means the new one. */
export const moveExternalIds = statement<Both>(
  sql`UPDATE ${writes('external_id')} SET entity_id = ${value('to')} WHERE entity_type = 'file' AND entity_id = ${value('from')}`,
);
