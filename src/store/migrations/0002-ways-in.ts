import type { Migration } from './migration.ts';

/** Tokens and access keys are found by what is left of them: a digest. Nothing here lets anybody in who reads it. */
export const waysIn: Migration = {
  number: 2,
  name: 'ways-in',
  statements: [
    `ALTER TABLE user ADD COLUMN run_as INTEGER NOT NULL DEFAULT 0`,
    `UPDATE user SET run_as = 1 WHERE name = 'admin'`,
    // Counted once, so that the total of groups can be kept from here on.
    `INSERT INTO counter (name, value) SELECT 'groups', count(*) FROM "group" WHERE role = 0`,
    `CREATE TABLE token (
       digest TEXT PRIMARY KEY NOT NULL,
       id TEXT NOT NULL UNIQUE,
       user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
       password_version INTEGER NOT NULL,
       key_id TEXT,
       actor_id TEXT,
       actor_version INTEGER,
       lifetime INTEGER NOT NULL,
       auto_refresh INTEGER NOT NULL,
       created_at INTEGER NOT NULL,
       refreshed_at INTEGER NOT NULL,
       expires_at INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX token_user ON token (user_id, id)`,
    `CREATE INDEX token_expiry ON token (expires_at)`,
    `CREATE INDEX token_key ON token (key_id) WHERE key_id IS NOT NULL`,
    `CREATE INDEX token_actor ON token (actor_id) WHERE actor_id IS NOT NULL`,
    // Here and not beside each change, so that nothing that changes a user can forget it, nor a program of another version.
    `CREATE TRIGGER user_ends_tokens AFTER UPDATE OF password_version, enabled ON user
       WHEN new.password_version <> old.password_version OR new.enabled < old.enabled
       BEGIN DELETE FROM token WHERE user_id = new.id OR actor_id = new.id; END`,
    `CREATE TABLE access_key (
       id TEXT PRIMARY KEY NOT NULL,
       user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
       name TEXT,
       secret TEXT NOT NULL,
       active INTEGER NOT NULL,
       created_at INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX access_key_user ON access_key (user_id, created_at, id)`,
    `CREATE TABLE property (
       key TEXT PRIMARY KEY NOT NULL,
       value TEXT NOT NULL,
       changed_at INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE configuration (
       name TEXT PRIMARY KEY NOT NULL,
       document TEXT,
       revision INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE audit (
       sequence INTEGER PRIMARY KEY AUTOINCREMENT,
       at INTEGER NOT NULL,
       user TEXT,
       run_as TEXT,
       method TEXT NOT NULL,
       path TEXT NOT NULL,
       query TEXT,
       content_type TEXT,
       content_length INTEGER,
       status INTEGER NOT NULL,
       reason TEXT,
       address TEXT,
       request_id TEXT,
       count INTEGER NOT NULL
     )`,
    `CREATE INDEX audit_at ON audit (at)`,
    `CREATE INDEX audit_user ON audit (user, at)`,
    `CREATE INDEX audit_path ON audit (path, at)`,
  ],
};
