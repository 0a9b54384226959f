import { sql } from 'drizzle-orm';
import { guard } from '../../../store/guard.ts';
import { statement, writes } from '../../../store/statement.ts';

const value = sql.placeholder;

type Both = { readonly from: string; readonly to: string };

/** The components that have one file have the other one, too. */
export const shareUses = statement<Both>(
  sql`INSERT INTO ${writes('file_use')} (file_id, item_id, shape_id, component_id)
    SELECT ${value('to')}, item_id, shape_id, component_id FROM file_use WHERE file_id = ${value('from')}
    ON CONFLICT DO NOTHING`,
);

/** A scan may have written some of them already. */
export const shareKeys = statement<Both>(
  sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value)
    SELECT 'file', ${value('to')}, key, position, value FROM key_value
      WHERE entity_type = 'file' AND entity_id = ${value('from')}
    ON CONFLICT DO NOTHING`,
);

/** Guards that the file is still expected: no scan found bytes at its path, and it has no content. */
export const stillToAppear = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM file WHERE id = ${value('id')} AND state = 'TO_APPEAR' AND content IS NULL)`,
);
