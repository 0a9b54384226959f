import { sql } from 'drizzle-orm';
import { prepareLookup, prepareQuery, prepareSqlStatement } from '../../store/statement.ts';
import { accessEntry } from './tables.ts';

const value = sql.placeholder;

export type Accessed = { readonly entityType: string; readonly entityId: string };

export const insertOwner = prepareSqlStatement<Accessed & { id: string; entitySerial: number; userId: string | null }>(
  sql`INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to)
    VALUES (${value('entityType')}, ${value('entityId')}, ${value('id')}, ${value('entitySerial')}, ${value('userId')},
      'OWNER', 0, '["all"]')`,
);

export const removeEntries = prepareSqlStatement<Accessed>(
  sql`DELETE FROM access_entry WHERE entity_type = ${value('entityType')} AND entity_id = ${value('entityId')}`,
);

/** What the user owned is of the service from then on; what was granted to the user is no more. */
export const forgetGrantee = [
  sql`UPDATE access_entry SET user_id = NULL WHERE user_id = ${value('userId')} AND permission = 'OWNER'`,
  sql`DELETE FROM access_entry WHERE user_id = ${value('userId')}`,
].map((statement) => prepareSqlStatement<{ userId: string }>(statement));

export const ownerEntry = prepareLookup((db) =>
  db
    .select({ id: accessEntry.id, userId: accessEntry.userId })
    .from(accessEntry)
    .where(
      sql`${accessEntry.entityType} = ${value('entityType')} AND ${accessEntry.entityId} = ${value('entityId')}
        AND ${accessEntry.permission} = 'OWNER'`,
    ),
);

/** Which of the entities a user owns. */
export const ownedAmong = prepareQuery((db) =>
  db
    .select({ id: accessEntry.entityId })
    .from(accessEntry)
    .where(
      sql`${accessEntry.entityType} = ${value('entityType')}
        AND ${accessEntry.entityId} IN (SELECT value FROM json_each(${value('ids')}))
        AND ${accessEntry.userId} = ${value('userId')} AND ${accessEntry.permission} = 'OWNER'`,
    ),
);
