import { sql } from 'drizzle-orm';
import { expectVersion, guard, mustExist } from '../../../core/store/guard.ts';
import { putInto, rowBy, rowsAmong } from '../../../core/store/rows.ts';
import { query, type Reader, statement, value, writes } from '../../../core/store/statement.ts';
import { idsOfPage, preparePageCheck } from '../../../room/entities/key-values/store.ts';
import { sortKeyOf } from '../names.ts';
import { metadataField, metadataFieldValues } from '../tables.ts';

export const findField = rowBy(metadataField, 'name');

export type FieldRow = NonNullable<Awaited<ReturnType<typeof findField>>>;

export const fieldsNamed = rowsAmong(metadataField, 'name', 'names');

export const listFields = query((db) =>
  db
    .select()
    .from(metadataField)
    .orderBy(metadataField.sortKey, metadataField.name)
    .limit(value('limit'))
    .offset(value('offset')),
).reaching({ upTo: 'limit' });

export const fieldMustExist = mustExist(metadataField.name);
export const fieldUnchanged = expectVersion(metadataField.name, metadataField.version);

const insert = statement(
  sql`INSERT INTO ${writes('metadata_field')} (name, type, system, sort_key, rest)
    VALUES (${value('name')}, ${value('type')}, 0, ${value('sortKey')}, ${value('rest')})`,
);

type Written = { readonly name: string; readonly type: string; readonly rest: string };

export const insertField = (written: Written, refusal: Parameters<typeof insert>[1]) =>
  insert({ ...written, sortKey: sortKeyOf(written.name) }, refusal);

/** Inserts fields at initialisation. Two instances may do so at the same time. */
const insertRelease = statement(
  sql`INSERT INTO ${writes('metadata_field')} (name, type, system, sort_key)
    VALUES (${value('name')}, ${value('type')}, ${value('system')}, ${value('sortKey')})
    ON CONFLICT (name) DO NOTHING`,
);

export const insertReleaseField = (name: string, type: string, system: boolean) =>
  insertRelease({ name, type, system: system ? 1 : 0, sortKey: sortKeyOf(name) });

export const updateField = statement<Written>(
  sql`UPDATE ${writes('metadata_field')} SET type = ${value('type')}, rest = ${value('rest')}, version = version + 1
    WHERE name = ${value('name')}`,
);

/** Marks a field as used without a new version, so that two requests may do it at once. */
export const markUsed = statement<{ name: string }>(
  sql`UPDATE ${writes('metadata_field')} SET used = 1 WHERE name = ${value('name')}`,
);

export const fieldUnused = guard<{ name: string }>(
  sql`EXISTS (SELECT 1 FROM metadata_field WHERE name = ${value('name')} AND used = 0)`,
);

export const touchField = statement<{ name: string }>(
  sql`UPDATE ${writes('metadata_field')} SET version = version + 1 WHERE name = ${value('name')}`,
);

/**
 * Deletes a field and all rows that refer to it. Reindexing reacts to a change of the index setting, and not to a
 * deletion.
 */
export const removeField = [
  sql`UPDATE ${writes('metadata_field')} SET rest = json_set(rest, '$.index', 'noindex') WHERE name = ${value('name')} AND used = 1`,
  sql`DELETE FROM ${writes('metadata_field_values')} WHERE field = ${value('name')}`,
  sql`DELETE FROM ${writes('metadata_field_group_member')} WHERE kind = 'field' AND member = ${value('name')}`,
  sql`DELETE FROM ${writes('metadata_field_access')} WHERE kind = 'field' AND name = ${value('name')}`,
  sql`DELETE FROM ${writes('metadata_field')} WHERE name = ${value('name')}`,
].map((template) => statement<{ name: string }>(template));

const readValues = rowsAmong(metadataFieldValues, 'field', 'names');

/** Entry of an enumeration. */
export interface Choice {
  readonly key: string;
  readonly value: string;
}

/** Enumerations by field name. */
export async function valuesOf(
  reader: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly Choice[]>> {
  const rows = await readValues(reader, { names });
  return new Map(
    rows.map(({ field, pairs }) => {
      const parsed = JSON.parse(pairs) as readonly (readonly [string, string])[];
      return [field, parsed.map(([key, text]) => ({ key, value: text }))];
    }),
  );
}

const write = putInto(metadataFieldValues, 'field');

export const writeValues = (field: string, choices: readonly Choice[]) =>
  write({ field, pairs: JSON.stringify(choices.map((each) => [each.key, each.value])) });

/** Page check for key-value metadata. */
export const checkDataPage = preparePageCheck('metadata-field');

/** Page check for key-value metadata and enumerations. */
export const checkValuesPage = preparePageCheck(
  'metadata-field',
  sql`SELECT given.value, octet_length(pair.value) FROM ${idsOfPage} CROSS JOIN metadata_field_values
    CROSS JOIN json_each(pairs) AS pair WHERE field = given.value`,
);

/** The next fields in list order after a cursor. */
export const fieldsBehind = query((db) =>
  db
    .select({ name: metadataField.name, type: metadataField.type, sortKey: metadataField.sortKey })
    .from(metadataField)
    .where(sql`(${metadataField.sortKey}, ${metadataField.name}) > (${value('sortKey')}, ${value('name')})`)
    .orderBy(metadataField.sortKey, metadataField.name)
    .limit(value('limit')),
);

/**
 * Records the deletion of a field, before its definition is deleted. Unused fields have no values to hide. Includes
 * names that a running migration is still renaming to it.
 */
export const tellDeletion = statement<{ name: string }>(
  sql`INSERT INTO ${writes('metadata_gone')} (name)
    WITH RECURSIVE named (name) AS (
      SELECT name FROM metadata_field WHERE name = ${value('name')} AND used = 1
      UNION
      SELECT step.value ->> 'name' FROM named CROSS JOIN schema_migration CROSS JOIN json_each(steps) AS step
        WHERE done = 0 AND step.value ->> 'do' = 'rename' AND step.value ->> 'of' = 'field'
          AND step.value ->> 'to' = named.name
    )
    SELECT name FROM named`,
);
