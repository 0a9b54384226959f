import { sql } from 'drizzle-orm';
import { query } from '../../../store/statement.ts';

const value = sql.placeholder;

/** Entities with these external ids. `pairs`: JSON array of type and external id. */
export const ownersAmong = query(
  sql`SELECT entity_type, external_id, entity_id FROM json_each(${value('pairs')}) AS pair
    CROSS JOIN external_id ON entity_type = pair.value ->> 0 AND external_id = pair.value ->> 1`,
  { type: sql<string>``, externalId: sql<string>``, entityId: sql<string>`` },
);
