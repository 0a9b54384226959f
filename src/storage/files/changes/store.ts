import { sql } from 'drizzle-orm';
import { guard } from '../../../core/store/guard.ts';
import { deleteBy } from '../../../core/store/rows.ts';
import { value } from '../../../core/store/statement.ts';
import { fileUse } from '../../tables.ts';

/** No component has the file. */
export const fileUnused = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM file_use WHERE file_id = ${value('id')})`,
);

export const removeUses = deleteBy(fileUse, 'fileId');

export const removeUsesOfItem = deleteBy(fileUse, 'fileId', 'itemId');
