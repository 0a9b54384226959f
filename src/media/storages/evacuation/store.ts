import { sql } from 'drizzle-orm';
import { statement, writes } from '../../../store/statement.ts';

const value = sql.placeholder;

export const endEvacuation = statement<{ id: string }>(
  sql`UPDATE ${writes('storage')} SET state = 'EVACUATED', version = version + 1
    WHERE id = ${value('id')} AND state = 'EVACUATING'
      AND NOT EXISTS (SELECT 1 FROM file WHERE storage_id = ${value('id')})`,
);
