import { sql } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareSqlStatement } from '../../store/statement.ts';

const value = sql.placeholder;

/** The collections above an entity. */
const above = sql`up (id) AS (
    SELECT collection_id FROM collection_member WHERE member_type = ${value('type')} AND member_id = ${value('id')}
    UNION
    SELECT collection_id FROM up CROSS JOIN collection_member WHERE member_type = 'collection' AND member_id = up.id
  )`;

/** Neither the entity nor a collection above it has a lock that is still alive. */
export const notLocked = prepareGuard<{ type: string; id: string; now: number }>(
  sql`NOT EXISTS (SELECT 1 FROM deletion_lock WHERE entity_type = ${value('type')} AND entity_id = ${value('id')}
      AND expires_at > ${value('now')})
    AND NOT EXISTS (WITH RECURSIVE ${above} SELECT 1 FROM up CROSS JOIN deletion_lock
      WHERE entity_type = 'collection' AND entity_id = up.id AND expires_at > ${value('now')})`,
);

/** No file of the item has one. */
export const filesNotLocked = prepareGuard<{ id: string; now: number }>(
  sql`NOT EXISTS (SELECT 1 FROM file_use CROSS JOIN deletion_lock WHERE item_id = ${value('id')}
    AND entity_type = 'file' AND entity_id = file_id AND expires_at > ${value('now')})`,
);

export const removeLocksOf = [
  sql`DELETE FROM key_value WHERE entity_type = 'deletion-lock' AND entity_id IN
    (SELECT id FROM deletion_lock WHERE entity_type = ${value('type')} AND entity_id = ${value('id')})`,
  sql`DELETE FROM deletion_lock WHERE entity_type = ${value('type')} AND entity_id = ${value('id')}`,
].map((statement) => prepareSqlStatement<{ type: string; id: string }>(statement));
