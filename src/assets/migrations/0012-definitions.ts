import type { Migration } from '../../store/migrations/index.ts';

/** Definitions of metadata fields and of groups of them. Fields that are there have names of letters and digits only. */
export const definitionTables: Migration = {
  number: 12,
  name: 'definitions',
  statements: [
    `ALTER TABLE metadata_field ADD COLUMN sort_key TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE metadata_field ADD COLUMN rest TEXT NOT NULL DEFAULT '{}'`,
    `ALTER TABLE metadata_field ADD COLUMN version INTEGER NOT NULL DEFAULT 1`,
    `ALTER TABLE metadata_field ADD COLUMN used INTEGER NOT NULL DEFAULT 0`,
    `UPDATE metadata_field SET sort_key = lower(name)`,
    `CREATE INDEX metadata_field_order ON metadata_field (sort_key, name)`,
    `CREATE TABLE metadata_field_values (
       field TEXT PRIMARY KEY NOT NULL,
       pairs TEXT NOT NULL
     )`,
    `CREATE TABLE metadata_field_group (
       name TEXT PRIMARY KEY NOT NULL,
       sort_key TEXT NOT NULL,
       rest TEXT NOT NULL,
       version INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX metadata_field_group_order ON metadata_field_group (sort_key, name)`,
    `CREATE TABLE metadata_field_group_member (
       group_name TEXT NOT NULL,
       kind TEXT NOT NULL,
       member TEXT NOT NULL,
       position INTEGER NOT NULL,
       schema TEXT NOT NULL,
       PRIMARY KEY (group_name, kind, member)
     ) WITHOUT ROWID`,
    `CREATE INDEX metadata_field_group_member_of ON metadata_field_group_member (kind, member, group_name)`,
    `CREATE TABLE metadata_field_access (
       id TEXT PRIMARY KEY NOT NULL,
       serial INTEGER NOT NULL,
       kind TEXT NOT NULL,
       name TEXT NOT NULL,
       user_id TEXT,
       group_id TEXT,
       level INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX metadata_field_access_of ON metadata_field_access (kind, name, serial)`,
  ],
};
