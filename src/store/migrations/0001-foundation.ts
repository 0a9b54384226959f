import type { Migration } from './migration.ts';

/** Once released, a migration is never edited: its hash is checked against the database that ran it. */
export const foundation: Migration = {
  number: 1,
  name: 'foundation',
  statements: [
    `CREATE TABLE guard (broken INTEGER NOT NULL CHECK (broken = 0))`,
    `CREATE TABLE serial (entity TEXT PRIMARY KEY NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE counter (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE applied (id TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX applied_at ON applied (at)`,
    `CREATE TABLE event (
       sequence INTEGER PRIMARY KEY AUTOINCREMENT,
       name TEXT NOT NULL,
       entity_type TEXT NOT NULL,
       entity_id TEXT NOT NULL,
       payload TEXT NOT NULL,
       user TEXT NOT NULL,
       run_as TEXT,
       request_id TEXT,
       at INTEGER NOT NULL
     )`,
    `CREATE TABLE user (
       id TEXT PRIMARY KEY NOT NULL,
       name TEXT NOT NULL UNIQUE,
       real_name TEXT,
       password TEXT,
       password_version INTEGER NOT NULL,
       enabled INTEGER NOT NULL,
       version INTEGER NOT NULL,
       created_at INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX user_enabled ON user (enabled, name)`,
    `CREATE TABLE login (
       name TEXT PRIMARY KEY NOT NULL,
       user_id TEXT NOT NULL REFERENCES user (id),
       alias INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX login_user ON login (user_id)`,
    `CREATE TABLE key_value (
       entity_type TEXT NOT NULL,
       entity_id TEXT NOT NULL,
       key TEXT NOT NULL,
       position INTEGER NOT NULL,
       value TEXT NOT NULL,
       PRIMARY KEY (entity_type, entity_id, key, position)
     ) WITHOUT ROWID`,
    `CREATE TABLE "group" (
       id TEXT PRIMARY KEY NOT NULL,
       name TEXT NOT NULL UNIQUE,
       description TEXT,
       role INTEGER NOT NULL,
       version INTEGER NOT NULL,
       created_at INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE group_user (
       group_id TEXT NOT NULL REFERENCES "group" (id),
       user_id TEXT NOT NULL REFERENCES user (id),
       PRIMARY KEY (user_id, group_id)
     ) WITHOUT ROWID`,
    `CREATE INDEX group_user_group ON group_user (group_id, user_id)`,
    `CREATE TABLE group_group (
       parent_id TEXT NOT NULL REFERENCES "group" (id),
       child_id TEXT NOT NULL REFERENCES "group" (id),
       PRIMARY KEY (child_id, parent_id)
     ) WITHOUT ROWID`,
    `CREATE INDEX group_group_parent ON group_group (parent_id, child_id)`,
    `CREATE TABLE metadata_field (name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, system INTEGER NOT NULL) WITHOUT ROWID`,
    `INSERT INTO counter (name, value) VALUES ('users', 0), ('users-disabled', 0), ('group-graph', 0)`,
  ],
};
