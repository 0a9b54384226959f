import { sql } from 'drizzle-orm';
import { guard } from '../../../store/guard.ts';
import { statement, writes } from '../../../store/statement.ts';

const value = sql.placeholder;

/** No component has the file. */
export const fileUnused = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM file_use WHERE file_id = ${value('id')})`,
);

export const removeUses = statement<{ id: string }>(
  sql`DELETE FROM ${writes('file_use')} WHERE file_id = ${value('id')}`,
);

export const removeUsesOfItem = statement<{ id: string; item: string }>(
  sql`DELETE FROM ${writes('file_use')} WHERE file_id = ${value('id')} AND item_id = ${value('item')}`,
);
