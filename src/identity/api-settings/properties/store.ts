import { asc, eq, sql } from 'drizzle-orm';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { deleteBy, putInto } from '../../../core/store/rows.ts';
import { query, value } from '../../../core/store/statement.ts';
import { property } from '../tables.ts';

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

export const propertyThere = rowExists(property, 'key');

export const roomForProperty = guard(sql`(SELECT count(*) FROM property) <= ${value('most')}`);

export const writeProperty = putInto(property, 'key');

export const deleteProperty = deleteBy(property, 'key');
