import { asc, eq, sql } from 'drizzle-orm';
import { guard } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { property } from '../tables.ts';

const value = sql.placeholder;
const columns = { key: property.key, value: property.value, changedAt: property.changedAt };

export const findProperty = query((db) =>
  db
    .select(columns)
    .from(property)
    .where(eq(property.key, value('key'))),
).first;
export type PropertyRow = NonNullable<Awaited<ReturnType<typeof findProperty>>>;

export const listProperties = query((db) =>
  db.select(columns).from(property).orderBy(asc(property.key)).limit(value('limit')).offset(value('offset')),
);

export const propertyThere = guard(sql`EXISTS (SELECT 1 FROM property WHERE key = ${value('key')})`);

export const roomForProperty = guard(sql`(SELECT count(*) FROM property) <= ${value('most')}`);

export const writeProperty = statement(
  sql`INSERT INTO ${writes('property')} (key, value, changed_at) VALUES (${value('key')}, ${value('value')}, ${value('now')})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at`,
);

export const deleteProperty = statement((db) => db.delete(property).where(eq(property.key, value('key'))));
