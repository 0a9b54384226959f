import { sql } from 'drizzle-orm';
import { prepareGuard } from '../../../store/guard.ts';
import { prepareStatement } from '../../../store/statement.ts';

const value = sql.placeholder;

/** No component has the file. */
export const fileUnused = prepareGuard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM file_use WHERE file_id = ${value('id')})`,
);

export const removeUses = prepareStatement<{ id: string }>(sql`DELETE FROM file_use WHERE file_id = ${value('id')}`);

export const removeUsesOfItem = prepareStatement<{ id: string; item: string }>(
  sql`DELETE FROM file_use WHERE file_id = ${value('id')} AND item_id = ${value('item')}`,
);
