import { sql } from 'drizzle-orm';
import { guard } from '../../store/guard.ts';
import { statement, writes } from '../../store/statement.ts';

const value = sql.placeholder;

/** The task group is there: all of them are one document. */
export const taskGroupThere = guard<{ name: string }>(
  sql`EXISTS (SELECT 1 FROM configuration, json_each(configuration.document, '$.group') AS one
    WHERE configuration.name = 'task-group' AND one.value ->> 'name' = ${value('name')})`,
);

export const forgetTaskGroups = statement<{ names: string }>(
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'task-group'
    AND entity_id IN (SELECT value FROM json_each(${value('names')}))`,
);
