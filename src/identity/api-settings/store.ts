import { type SQL, sql } from 'drizzle-orm';
import { guard } from '../../core/store/guard.ts';
import { rowBy } from '../../core/store/rows.ts';
import { statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { configuration } from './tables.ts';

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
