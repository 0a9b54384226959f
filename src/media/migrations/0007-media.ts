import type { Migration } from '../../store/migrations/index.ts';

/** Storages, their methods and groups, files, uploads, scans and rules. Triggers keep the number, size and uses of files. */
export const mediaTables: Migration = {
  number: 7,
  name: 'media',
  statements: [
    `CREATE TABLE auto_import_rule (
       storage_id TEXT PRIMARY KEY NOT NULL,
       enabled INTEGER NOT NULL,
       document TEXT NOT NULL
     )`,
    `CREATE TABLE file (
       id TEXT PRIMARY KEY NOT NULL,
       serial INTEGER NOT NULL,
       storage_id TEXT NOT NULL,
       path TEXT NOT NULL,
       folder TEXT NOT NULL,
       name TEXT NOT NULL,
       extension TEXT NOT NULL,
       state TEXT NOT NULL,
       size INTEGER,
       modified INTEGER,
       content TEXT,
       identity TEXT,
       hash TEXT,
       hash_due INTEGER,
       changed_at INTEGER NOT NULL,
       timestamp INTEGER NOT NULL,
       version INTEGER NOT NULL,
       delete_due INTEGER
     )`,
    `CREATE UNIQUE INDEX file_path ON file (storage_id, path) WHERE state <> 'TO_BE_DELETED'`,
    `CREATE INDEX file_folder ON file (storage_id, folder, serial) WHERE state <> 'TO_BE_DELETED'`,
    `CREATE INDEX file_path_waiting ON file (storage_id, path) WHERE state = 'TO_BE_DELETED'`,
    `CREATE INDEX file_serial ON file (serial)`,
    `CREATE INDEX file_storage ON file (storage_id, serial)`,
    `CREATE INDEX file_state ON file (storage_id, state, serial)`,
    `CREATE INDEX file_size ON file (storage_id, size, serial)`,
    `CREATE INDEX file_timestamp ON file (storage_id, timestamp, serial)`,
    `CREATE INDEX file_name ON file (storage_id, name, serial)`,
    `CREATE INDEX file_extension ON file (storage_id, extension, serial)`,
    `CREATE INDEX file_hash ON file (hash) WHERE hash IS NOT NULL`,
    `CREATE INDEX file_hash_due ON file (hash_due) WHERE hash_due IS NOT NULL`,
    `CREATE INDEX file_delete_due ON file (delete_due) WHERE delete_due IS NOT NULL`,
    `CREATE TABLE file_usage (
       storage_id TEXT NOT NULL,
       state TEXT NOT NULL,
       files INTEGER NOT NULL,
       bytes INTEGER NOT NULL,
       PRIMARY KEY (storage_id, state)
     ) WITHOUT ROWID`,
    `CREATE TABLE file_use (
       file_id TEXT NOT NULL,
       item_id TEXT NOT NULL,
       shape_id TEXT NOT NULL,
       component_id TEXT NOT NULL,
       PRIMARY KEY (file_id, component_id)
     ) WITHOUT ROWID`,
    `CREATE INDEX file_use_item ON file_use (item_id, file_id)`,
    `CREATE INDEX file_use_component ON file_use (component_id, file_id)`,
    `CREATE TABLE file_use_count (
       storage_id TEXT PRIMARY KEY NOT NULL,
       uses INTEGER NOT NULL
     )`,
    `CREATE TABLE publication (
       id TEXT PRIMARY KEY NOT NULL,
       token TEXT NOT NULL,
       transfer_id TEXT,
       method_id TEXT NOT NULL,
       storage_id TEXT NOT NULL,
       path TEXT NOT NULL,
       file_id TEXT NOT NULL,
       mode TEXT NOT NULL,
       state TEXT NOT NULL,
       size INTEGER NOT NULL,
       hash TEXT,
       actor TEXT NOT NULL,
       at INTEGER NOT NULL,
       instance TEXT NOT NULL,
       lease_until INTEGER NOT NULL
     )`,
    `CREATE UNIQUE INDEX publication_path ON publication (storage_id, path)`,
    `CREATE INDEX publication_token ON publication (token)`,
    `CREATE INDEX publication_lease ON publication (lease_until)`,
    `CREATE TABLE storage (
       id TEXT PRIMARY KEY NOT NULL,
       serial INTEGER NOT NULL,
       type TEXT NOT NULL,
       state TEXT NOT NULL,
       capacity INTEGER NOT NULL,
       free_detected INTEGER,
       auto_detect INTEGER NOT NULL,
       low_watermark INTEGER NOT NULL,
       high_watermark INTEGER NOT NULL,
       scan_interval INTEGER NOT NULL,
       show_importables INTEGER NOT NULL,
       priority TEXT NOT NULL,
       rest TEXT NOT NULL,
       seen_at INTEGER,
       version INTEGER NOT NULL,
       created_at INTEGER NOT NULL,
       deleted_at INTEGER
     )`,
    `CREATE INDEX storage_live ON storage (serial) WHERE deleted_at IS NULL`,
    `CREATE INDEX storage_deleted ON storage (deleted_at) WHERE deleted_at IS NOT NULL`,
    `CREATE TABLE storage_group (
       name TEXT PRIMARY KEY NOT NULL,
       created_at INTEGER NOT NULL
     )`,
    `CREATE TABLE storage_group_member (
       group_name TEXT NOT NULL,
       storage_id TEXT NOT NULL,
       PRIMARY KEY (group_name, storage_id)
     ) WITHOUT ROWID`,
    `CREATE INDEX storage_group_member_storage ON storage_group_member (storage_id, group_name)`,
    `CREATE TABLE storage_method (
       id TEXT PRIMARY KEY NOT NULL,
       serial INTEGER NOT NULL,
       storage_id TEXT NOT NULL,
       uri TEXT NOT NULL,
       user_name TEXT,
       sealed TEXT,
       read INTEGER NOT NULL,
       write INTEGER NOT NULL,
       browse INTEGER NOT NULL,
       bandwidth INTEGER NOT NULL,
       type TEXT NOT NULL,
       last_success INTEGER,
       last_failure INTEGER,
       failure_message TEXT,
       identity TEXT,
       version INTEGER NOT NULL
     )`,
    `CREATE UNIQUE INDEX storage_method_uri ON storage_method (storage_id, uri)`,
    `CREATE INDEX storage_method_by_uri ON storage_method (uri)`,
    `CREATE TABLE storage_rule (
       entity_type TEXT NOT NULL,
       entity_id TEXT NOT NULL,
       tag TEXT NOT NULL,
       precedence INTEGER NOT NULL,
       document TEXT NOT NULL,
       PRIMARY KEY (entity_type, entity_id, tag)
     ) WITHOUT ROWID`,
    `CREATE INDEX storage_rule_tag ON storage_rule (tag, entity_type)`,
    `CREATE TABLE storage_scan (
       storage_id TEXT PRIMARY KEY NOT NULL,
       due INTEGER,
       instance TEXT NOT NULL,
       lease_until INTEGER NOT NULL,
       fence INTEGER NOT NULL,
       cursor TEXT,
       started_at INTEGER,
       ended_at INTEGER,
       found TEXT NOT NULL,
       problem TEXT
     )`,
    `CREATE INDEX storage_scan_due ON storage_scan (due)`,
    `CREATE TABLE transfer (
       id TEXT PRIMARY KEY NOT NULL,
       owner TEXT NOT NULL,
       target TEXT NOT NULL,
       name TEXT NOT NULL,
       storage_id TEXT NOT NULL,
       method_id TEXT NOT NULL,
       path TEXT NOT NULL,
       file_id TEXT,
       mode TEXT NOT NULL,
       size INTEGER NOT NULL,
       ranges TEXT NOT NULL,
       received INTEGER NOT NULL,
       token TEXT NOT NULL,
       state TEXT NOT NULL,
       priority INTEGER NOT NULL,
       rest TEXT NOT NULL,
       version INTEGER NOT NULL,
       created_at INTEGER NOT NULL,
       touched_at INTEGER NOT NULL
     )`,
    `CREATE UNIQUE INDEX transfer_name ON transfer (owner, target, name)`,
    `CREATE INDEX transfer_token ON transfer (token)`,
    `CREATE INDEX transfer_open ON transfer (owner, state, created_at, size)`,
    `CREATE INDEX transfer_state ON transfer (state, touched_at)`,
    `CREATE INDEX transfer_by_name ON transfer (name)`,
    `CREATE TRIGGER file_made AFTER INSERT ON file BEGIN
       INSERT INTO file_usage (storage_id, state, files, bytes)
         VALUES (NEW.storage_id, NEW.state, 1, COALESCE(NEW.size, 0))
         ON CONFLICT (storage_id, state) DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
     END`,
    `CREATE TRIGGER file_gone AFTER DELETE ON file BEGIN
       UPDATE file_usage SET files = files - 1, bytes = bytes - COALESCE(OLD.size, 0)
         WHERE storage_id = OLD.storage_id AND state = OLD.state;
     END`,
    `CREATE TRIGGER file_moved AFTER UPDATE OF storage_id, state, size ON file
       WHEN OLD.storage_id <> NEW.storage_id OR OLD.state <> NEW.state OR OLD.size IS NOT NEW.size BEGIN
       UPDATE file_usage SET files = files - 1, bytes = bytes - COALESCE(OLD.size, 0)
         WHERE storage_id = OLD.storage_id AND state = OLD.state;
       INSERT INTO file_usage (storage_id, state, files, bytes)
         VALUES (NEW.storage_id, NEW.state, 1, COALESCE(NEW.size, 0))
         ON CONFLICT (storage_id, state) DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
     END`,
    `CREATE TRIGGER file_used AFTER INSERT ON file_use BEGIN
       INSERT INTO file_use_count (storage_id, uses)
         SELECT storage_id, 1 FROM file WHERE id = NEW.file_id
         ON CONFLICT (storage_id) DO UPDATE SET uses = uses + 1;
     END`,
    `CREATE TRIGGER file_unused AFTER DELETE ON file_use BEGIN
       UPDATE file_use_count SET uses = uses - 1
         WHERE storage_id = (SELECT storage_id FROM file WHERE id = OLD.file_id);
     END`,
    `CREATE TRIGGER file_uses_gone AFTER DELETE ON file
       WHEN EXISTS (SELECT 1 FROM file_use WHERE file_id = OLD.id) BEGIN
       UPDATE file_use_count SET uses = uses - (SELECT COUNT(*) FROM file_use WHERE file_id = OLD.id)
         WHERE storage_id = OLD.storage_id;
       DELETE FROM file_use WHERE file_id = OLD.id;
     END`,
    `CREATE TRIGGER file_carried AFTER UPDATE OF storage_id ON file
       WHEN OLD.storage_id <> NEW.storage_id AND EXISTS (SELECT 1 FROM file_use WHERE file_id = NEW.id) BEGIN
       UPDATE file_use_count SET uses = uses - (SELECT COUNT(*) FROM file_use WHERE file_id = NEW.id)
         WHERE storage_id = OLD.storage_id;
       INSERT INTO file_use_count (storage_id, uses)
         SELECT NEW.storage_id, COUNT(*) FROM file_use WHERE file_id = NEW.id
         ON CONFLICT (storage_id) DO UPDATE SET uses = uses + excluded.uses;
     END`,
  ],
};
