import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../core/store/tables-sql.ts';

/** Partial index: few fields are inherited, and reads of items look them up each time. */
const isInherited = sql`rest ->> '$.inheritance' = 'true'`;

/** Fields whose values the index keeps in order. */
export const isSortable = sql`COALESCE(rest ->> '$.sortable', type GLOB '*-sortable')`;

/** Metadata fields, predefined and user-defined. */
export const metadataField = sqliteTable(
  'metadata_field',
  {
    name: text('name').primaryKey(),
    type: text('type').notNull(),
    system: integer('system').notNull(),
    /** Name for sorting: lower case, without punctuation. */
    sortKey: text('sort_key').notNull().default(''),
    /** JSON of the other properties. */
    rest: text('rest').notNull().default('{}'),
    version: integer('version').notNull().default(1),
    /** 1: metadata has had values of the field since it was defined. */
    used: integer('used').notNull().default(0),
  },
  (table) => [
    index('metadata_field_order').on(table.sortKey, table.name),
    index('metadata_field_inherited').on(table.name).where(isInherited),
    index('metadata_field_sortable').on(table.name).where(isSortable),
  ],
);

/** Enumerations of fields as JSON arrays of keys and values. Stored separately, since they are long and rarely read. */
export const metadataFieldValues = wideRows(
  sqliteTable('metadata_field_values', {
    field: text('field').primaryKey(),
    pairs: text('pairs').notNull(),
  }),
);

export const metadataFieldGroup = sqliteTable(
  'metadata_field_group',
  {
    name: text('name').primaryKey(),
    sortKey: text('sort_key').notNull(),
    rest: text('rest').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [
    index('metadata_field_group_order').on(table.sortKey, table.name),
    index('metadata_field_group_inherited').on(table.name).where(isInherited),
  ],
);

/** Members of groups, by name. `kind`: `field` or `group`. */
export const metadataFieldGroupMember = sqliteTable(
  'metadata_field_group_member',
  {
    groupName: text('group_name').notNull(),
    kind: text('kind').notNull(),
    member: text('member').notNull(),
    /** Order in which members were added. */
    position: integer('position').notNull(),
    /** Occurrence limits of the member, as JSON. */
    schema: text('schema').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupName, table.kind, table.member] }),
    index('metadata_field_group_member_of').on(table.kind, table.member, table.groupName),
  ],
);

/** Links from groups to groups nested in them. */
export const nestedGroups = {
  from: metadataFieldGroupMember.groupName,
  to: metadataFieldGroupMember.member,
  where: `kind = 'group'`,
};

/**
 * Access entries of fields and groups. Entries outlive users and groups: without its entry, a field would be open to
 * all.
 */
export const metadataFieldAccess = sqliteTable(
  'metadata_field_access',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    userId: text('user_id'),
    groupId: text('group_id'),
    /** 0 to 3: NONE, READ, WRITE, DELETE. */
    level: integer('level').notNull(),
  },
  (table) => [index('metadata_field_access_of').on(table.kind, table.name, table.serial)],
);

/** Deletions of fields with values, in order. A name may be defined and deleted again. */
export const metadataGone = sqliteTable(
  'metadata_gone',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
  },
  (table) => [index('metadata_gone_name').on(table.name)],
);
