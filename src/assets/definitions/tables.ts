import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Few are: reads of items look them up each time. */
const isInherited = sql`rest ->> '$.inheritance' = 'true'`;

/** Fields of metadata: those of the release, and those that callers define. */
export const metadataField = sqliteTable(
  'metadata_field',
  {
    name: text('name').primaryKey(),
    type: text('type').notNull(),
    system: integer('system').notNull(),
    /** The name as lists order it: without capitals and punctuation. */
    sortKey: text('sort_key').notNull().default(''),
    /** The rest of the definition, as JSON. */
    rest: text('rest').notNull().default('{}'),
    version: integer('version').notNull().default(1),
    /** 1: metadata has had values of the field since it was defined. */
    used: integer('used').notNull().default(0),
  },
  (table) => [
    index('metadata_field_order').on(table.sortKey, table.name),
    index('metadata_field_inherited').on(table.name).where(isInherited),
  ],
);

/** The enumerations of fields, as JSON: a list of keys and values. They are long, and few readers want them. */
export const metadataFieldValues = sqliteTable('metadata_field_values', {
  field: text('field').primaryKey(),
  pairs: text('pairs').notNull(),
});

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

/** The fields and groups that a group has, by name. `kind`: `field` or `group`. */
export const metadataFieldGroupMember = sqliteTable(
  'metadata_field_group_member',
  {
    groupName: text('group_name').notNull(),
    kind: text('kind').notNull(),
    member: text('member').notNull(),
    /** The order in which they were added. */
    position: integer('position').notNull(),
    /** How often the member may occur in the group, as JSON. */
    schema: text('schema').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupName, table.kind, table.member] }),
    index('metadata_field_group_member_of').on(table.kind, table.member, table.groupName),
  ],
);

/** Who may do what with a field or group. An entry outlives its user and its group: without it, the field would open. */
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
