import { sql } from 'drizzle-orm';
import { prepareSqlQuery, prepareSqlStatement, type Reader } from '../../store/statement.ts';
import type { Guarded } from './levels.ts';

const value = sql.placeholder;

export type Accessed = { readonly entityType: string; readonly entityId: string };

interface NewOwner extends Accessed {
  readonly id: string;
  readonly entitySerial: number;
  readonly userId: string | null;
  readonly reach: number;
}

export const insertOwner = prepareSqlStatement<NewOwner & Record<string, unknown>>(
  sql`INSERT INTO access_entry
      (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to, reach)
    VALUES (${value('entityType')}, ${value('entityId')}, ${value('id')}, ${value('entitySerial')}, ${value('userId')},
      'OWNER', 0, '["all"]', ${value('reach')})`,
);

export const removeEntries = prepareSqlStatement<Accessed>(
  sql`DELETE FROM access_entry WHERE entity_type = ${value('entityType')} AND entity_id = ${value('entityId')}`,
);

/** What the user owned is of the service from then on; what was granted to the user is no more. */
export const forgetGrantee = [
  sql`UPDATE access_entry SET user_id = NULL WHERE user_id = ${value('userId')} AND permission = 'OWNER'`,
  sql`DELETE FROM access_entry WHERE user_id = ${value('userId')}`,
  sql`DELETE FROM import_access WHERE user_id = ${value('userId')}`,
].map((statement) => prepareSqlStatement<{ userId: string }>(statement));

const readable = (kind: Guarded) =>
  prepareSqlQuery(
    sql`SELECT guarded.id FROM json_each(${value('ids')}) AS given
      CROSS JOIN ${sql.identifier(kind)} AS guarded ON guarded.id = given.value
      WHERE guarded.context IN (SELECT value FROM json_each(${value('contexts')}))`,
    { id: sql<string>`` },
  );
const readableOf = { item: readable('item'), collection: readable('collection'), library: readable('library') };

/** Which of the entities are in one of the contexts. */
export async function readableIds(
  reader: Reader,
  kind: Guarded,
  ids: readonly string[],
  contexts: string,
): Promise<ReadonlySet<string>> {
  return new Set((await readableOf[kind](reader, { ids: JSON.stringify(ids), contexts })).map(({ id }) => id));
}
