/** Number, size and uses of the files of each storage. */
export const storageSchema = (): readonly string[] => [
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
];
