import { type SQL, sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Statement } from '../../core/store/contract.ts';
import { guard, mustNotExist } from '../../core/store/guard.ts';
import { statement, value, writes } from '../../core/store/statement.ts';
import { sortKeyOf } from './names.ts';
import { metadataField, metadataFieldGroup } from './tables.ts';

/** Statements that rename, move and delete definitions while metadata still has their names. */

type Kind = 'field' | 'group';

/** Guard: no running schema migration still removes the name from metadata. */
const notLeaving = guard<{ kind: Kind; name: string }>(
  sql`NOT EXISTS (SELECT 1 FROM schema_migration CROSS JOIN json_each(leaving) AS gone
    WHERE done = 0 AND gone.value ->> 0 = ${value('kind')} AND gone.value ->> 1 = ${value('name')})`,
);

export const nameIsFree: Readonly<Record<Kind, ReturnType<typeof mustNotExist>>> = {
  field: mustNotExist(metadataField.name),
  group: mustNotExist(metadataFieldGroup.name),
};

const ofKind = (kind: Kind) => sql.raw(`kind = '${kind}'`);
const statements = <V extends Readonly<Record<string, string>>>(list: readonly SQL[]) =>
  list.map((template) => statement<V>(template));

/** Hidden ids of entries, used while metadata still has the old name. */
const keptId = sql`'kept-' || ${value('kind')} || '-' || ${value('name')} || '-' || id`;
const isKept = sql`id GLOB 'kept-*'`;

/** Copies entries to the old name until no metadata uses it: without entries, the field would be open to all. */
const keep = statement<{ kind: Kind; name: string; from: string }>(
  sql`INSERT INTO ${writes('metadata_field_access')} (id, serial, kind, name, user_id, group_id, level)
    SELECT ${keptId}, serial, kind, ${value('name')}, user_id, group_id, level FROM metadata_field_access
      WHERE kind = ${value('kind')} AND name = ${value('from')} AND NOT (${isKept})`,
);

const keepOfDeleted = statement<{ kind: Kind; name: string }>(
  sql`UPDATE ${writes('metadata_field_access')} SET id = ${keptId}
    WHERE kind = ${value('kind')} AND name = ${value('name')} AND NOT (${isKept})`,
);

/** Deletes the hidden entries in the commit that ends the migration. */
export const forgetKept = statement<{ kind: string; name: string }>(
  sql`DELETE FROM ${writes('metadata_field_access')} WHERE kind = ${value('kind')} AND name = ${value('name')} AND ${isKept}`,
);

type Renamed = { readonly name: string; readonly to: string; readonly sortKey: string };

/** Table of each kind, and its entity type in the general tables. */
const kinds = {
  field: { table: writes('metadata_field'), type: sql.raw(`'metadata-field'`) },
  group: { table: writes('metadata_field_group'), type: sql.raw(`'field-group'`) },
} as const;

const renamesOf = (kind: Kind, own: readonly SQL[]) => {
  const { table, type } = kinds[kind];
  const ofEntity = ['key_value', 'external_id'].map(
    (rows) => sql`UPDATE ${writes(rows)} SET entity_id = ${value('to')}
      WHERE entity_type = ${type} AND entity_id = ${value('name')}`,
  );
  return statements<Renamed>([
    sql`UPDATE ${table} SET name = ${value('to')}, sort_key = ${value('sortKey')}, version = version + 1
      WHERE name = ${value('name')}`,
    sql`UPDATE ${writes('metadata_field_group_member')} SET member = ${value('to')}
      WHERE ${ofKind(kind)} AND member = ${value('name')}`,
    sql`UPDATE ${writes('metadata_field_access')} SET name = ${value('to')}
      WHERE ${ofKind(kind)} AND name = ${value('name')} AND NOT (${isKept})`,
    ...ofEntity,
    ...own,
  ]);
};

const renames: Readonly<Record<Kind, ReturnType<typeof renamesOf>>> = {
  field: renamesOf('field', [
    sql`UPDATE ${writes('metadata_field_values')} SET field = ${value('to')} WHERE field = ${value('name')}`,
  ]),
  group: renamesOf('group', [
    sql`UPDATE ${writes('metadata_field_group_member')} SET group_name = ${value('to')} WHERE group_name = ${value('name')}`,
  ]),
};

/** Renames a definition and all rows that refer to it. */
export const renameDefinition = (kind: Kind, name: string, to: string) => [
  ...renames[kind].map((statement) => statement({ name, to, sortKey: sortKeyOf(to) })),
  keep({ kind, name, from: to }),
];

const removalsOf = (kind: Kind, own: SQL) =>
  statements<{ name: string }>([
    own,
    sql`DELETE FROM ${writes('metadata_field_group_member')} WHERE ${ofKind(kind)} AND member = ${value('name')}`,
    sql`DELETE FROM ${kinds[kind].table} WHERE name = ${value('name')}`,
  ]);

const removals: Readonly<Record<Kind, ReturnType<typeof removalsOf>>> = {
  field: removalsOf('field', sql`DELETE FROM ${writes('metadata_field_values')} WHERE field = ${value('name')}`),
  group: removalsOf(
    'group',
    sql`DELETE FROM ${writes('metadata_field_group_member')} WHERE group_name = ${value('name')}`,
  ),
};

/** Deletes a definition. Its entries stay hidden while metadata has the name. */
export const removeDefinition = (kind: Kind, name: string) => [
  ...removals[kind].map((statement) => statement({ name })),
  keepOfDeleted({ kind, name }),
];

/** Copies a member with its occurrence limits. An existing member stays as it is. */
export const copyMember = statement<{ from: string; groupName: string; kind: Kind; member: string }>(
  sql`INSERT INTO ${writes('metadata_field_group_member')} (group_name, kind, member, position, schema)
    SELECT ${value('groupName')}, ${value('kind')}, ${value('member')},
        COALESCE((SELECT MAX(position) + 1 FROM metadata_field_group_member
          WHERE group_name = ${value('groupName')}), 0),
        COALESCE((SELECT schema FROM metadata_field_group_member WHERE group_name = ${value('from')}
          AND kind = ${value('kind')} AND member = ${value('member')}), '{}')
    WHERE TRUE ON CONFLICT DO NOTHING`,
);

/** Schema migrations and their progress. Definitions change at once, metadata in the background. */
export const schemaMigration = sqliteTable(
  'schema_migration',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** JSON of the request. */
    document: text('document').notNull(),
    /** JSON of the steps to apply to each state of metadata. */
    steps: text('steps').notNull(),
    /** Search words for states, as JSON. */
    words: text('words').notNull(),
    /** Kinds and names blocked for new definitions until the end, as JSON. */
    leaving: text('leaving').notNull(),
    user: text('user').notNull(),
    runAs: text('run_as'),
    requestId: text('request_id').notNull(),
    /** Cursor: the last entity processed. */
    positionType: text('position_type').notNull().default(''),
    positionId: text('position_id').notNull().default(''),
    /** Rounds over all entities repeat until one changes nothing. */
    round: integer('round').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    remaining: integer('remaining').notNull(),
    done: integer('done').notNull().default(0),
  },
  (table) => [
    index('schema_migration_open').on(table.id).where(sql`done = 0`),
    index('schema_migration_request').on(table.requestId),
  ],
);

/** Guard for the commit that defines a name: no running migration still removes it from metadata. */
export const nameIsNotLeaving = (kind: 'field' | 'group', name: string): Statement =>
  notLeaving(
    { kind, name },
    new ServiceError('already-exists', {
      type: 'namespace',
      id: name.slice(0, 80),
      explanation: 'Expected a name that no migration of the schema is taking out of metadata',
    }),
  );
