import { sql } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareStatement } from '../../store/statement.ts';

const value = sql.placeholder;

/** The task group is there: all of them are one document. */
export const taskGroupThere = prepareGuard<{ name: string }>(
  sql`EXISTS (SELECT 1 FROM configuration, json_each(configuration.document, '$.group') AS one
    WHERE configuration.name = 'task-group' AND one.value ->> 'name' = ${value('name')})`,
);

export const forgetTaskGroups = prepareStatement<{ names: string }>(
  sql`DELETE FROM key_value WHERE entity_type = 'task-group'
    AND entity_id IN (SELECT value FROM json_each(${value('names')}))`,
);
