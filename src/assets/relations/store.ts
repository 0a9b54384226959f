import { sql } from 'drizzle-orm';
import { prepareSqlStatement } from '../../store/statement.ts';

const value = sql.placeholder;

const ofItem = sql`source = ${value('id')} OR target = ${value('id')}`;

/** Relations go with either item. */
export const removeRelationsOf = [
  sql`DELETE FROM key_value WHERE entity_type = 'item-relation' AND entity_id IN
    (SELECT id FROM item_relation WHERE ${ofItem})`,
  sql`DELETE FROM item_relation WHERE ${ofItem}`,
].map((statement) => prepareSqlStatement<{ id: string }>(statement));
