import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { guard, rowExists } from '../../core/store/guard.ts';
import { countsRevision } from '../../core/store/revision.ts';
import { deleteBy, putInto, rowBy } from '../../core/store/rows.ts';
import {
  oneEntity,
  query,
  type Reader,
  statement,
  steadyRows,
  value,
  valuesOf,
  writes,
} from '../../core/store/statement.ts';
import { configuration, property, secret, secretValue } from './tables.ts';
import type { StoredTaskGroup } from './task-group-rules.ts';

export const findDocument = rowBy(configuration, 'name', 'document', 'revision');

/** The row stays when its document goes, so that a revision never comes twice. */
export const writeDocument = statement(
  sql`INSERT INTO ${writes('configuration')} (name, document, revision) VALUES (${value('name')}, ${value('document')}, 1)
    ON CONFLICT (name) DO UPDATE SET document = excluded.document, revision = revision + 1`,
);

/** Guards that the document has the revision that was read. 0: it does not exist. */
export const documentAtRevision = guard<{ name: string; revision: number }>(
  sql`COALESCE((SELECT revision FROM configuration WHERE name = ${value('name')}), 0) = ${value('revision')}`,
);

/** A value of a document in SQL. NULL: it is not set. */
export const valueInDocument = (name: string, path: string): SQL =>
  sql`(SELECT document ->> ${path} FROM configuration WHERE name = ${name})`;

/** A query of the values of an array in a document. */
export const valuesInDocument = (name: string, path: string): SQL =>
  sql`SELECT value FROM configuration CROSS JOIN json_each(document, ${path}) WHERE configuration.name = ${name}`;

/** The task group is there: all of them are one document. */
export const taskGroupThere = guard<{ name: string }>(
  sql`EXISTS (SELECT 1 FROM configuration, json_each(configuration.document, '$.group') AS one
    WHERE configuration.name = 'task-group' AND one.value ->> 'name' = ${value('name')})`,
);

export const forgetTaskGroups = statement<{ names: readonly string[] }>(
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'task-group'
    AND entity_id IN ${valuesOf('names')}`,
);

const propertyColumns = { key: property.key, value: property.value, changedAt: property.changedAt };

const propertyBy = query((db) =>
  db
    .select(propertyColumns)
    .from(property)
    .where(eq(property.key, value('key'))),
);
export const findProperty = propertyBy.reaching(oneEntity).first;
/** For a property that most requests need: it is kept until one changes. */
export const keptProperty = propertyBy.reaching(steadyRows).first;
export type PropertyRow = NonNullable<Awaited<ReturnType<typeof findProperty>>>;

export const listProperties = query((db) =>
  db.select(propertyColumns).from(property).orderBy(asc(property.key)).limit(value('limit')).offset(value('offset')),
);

export const propertyThere = rowExists(property, 'key');

export const roomForProperty = guard(sql`(SELECT count(*) FROM property) <= ${value('max')}`);

export const writeProperty = putInto(property, 'key');

export const deleteProperty = deleteBy(property, 'key');

export const propertySchema = (): readonly string[] => countsRevision('property');

const secretColumns = { alias: secret.alias, keys: sql<string>`keys` };
const keysOf = sql`(SELECT json_group_array(key) FROM (SELECT key FROM secret_value WHERE alias = secret.alias ORDER BY key))`;

/** Secrets with their keys as a JSON array, without values. */
export const listSecrets = query(
  sql`SELECT alias, ${keysOf} AS keys FROM secret ORDER BY alias LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  secretColumns,
);

export const findSecret = query(
  sql`SELECT alias, ${keysOf} AS keys FROM secret WHERE alias = ${value('alias')}`,
  secretColumns,
).first;

/** Whether the database has its tables. */
export const tablesThere = query(
  sql`SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table' AND name IN ('secret', 'secret_value')`,
  { tables: sql<number>`tables` },
).first;

/** A secret that is there already stays as it is. */
export const insertSecret = statement<{ alias: string; now: number }>(
  sql`INSERT INTO ${writes('secret')} (alias, created_at) VALUES (${value('alias')}, ${value('now')}) ON CONFLICT DO NOTHING`,
);

export const roomForSecret = guard<{ max: number }>(sql`(SELECT count(*) FROM secret) <= ${value('max')}`);
export const secretThere = rowExists(secret, 'alias');
export const deleteSecret = deleteBy(secret, 'alias');

export const findSealed = rowBy(secretValue, ['alias', 'key'], 'sealed');
export const writeValue = putInto(secretValue, ['alias', 'key']);
export const valueThere = rowExists(secretValue, 'alias', 'key');
export const deleteValue = deleteBy(secretValue, 'alias', 'key');
export const deleteValues = deleteBy(secretValue, 'alias');

export const taskGroupsName = 'task-group';

const findRevision = rowBy(configuration, 'name', 'revision');

/** Revision of the stored groups. 0: none was ever stored. */
export const taskGroupsRevision = async (reader: Reader): Promise<number> =>
  (await findRevision(reader, { name: taskGroupsName }))?.revision ?? 0;

export async function storedTaskGroups(
  reader: Reader,
): Promise<{ readonly revision: number; readonly groups: readonly StoredTaskGroup[] }> {
  const row = await findDocument(reader, { name: taskGroupsName });
  const document = JSON.parse(row?.document ?? '{}') as { readonly group?: readonly StoredTaskGroup[] };
  return { revision: row?.revision ?? 0, groups: document.group ?? [] };
}
