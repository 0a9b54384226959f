import { deleted, inserted, moved, triggers, updated } from '../core/store/triggers-sql.ts';

const counted = (row: string): string =>
  row === 'NEW'
    ? `INSERT INTO file_usage (storage_id, state, files, bytes)
         VALUES (NEW.storage_id, NEW.state, 1, COALESCE(NEW.size, 0))
         ON CONFLICT (storage_id, state) DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes`
    : `UPDATE file_usage SET files = files - 1, bytes = bytes - COALESCE(OLD.size, 0)
         WHERE storage_id = OLD.storage_id AND state = OLD.state`;

const usesMore = (query: string, uses: string): string => `INSERT INTO file_use_count (storage_id, uses) ${query}
  ON CONFLICT (storage_id) DO UPDATE SET uses = uses + ${uses}`;
const usesLess = (uses: string, storage: string): string =>
  `UPDATE file_use_count SET uses = uses - ${uses} WHERE storage_id = ${storage}`;

const isMoved = 'OLD.storage_id <> NEW.storage_id';
const isUsed = (row: string): string => `EXISTS (SELECT 1 FROM file_use WHERE file_id = ${row}.id)`;
const usesOf = (row: string): string => `(SELECT COUNT(*) FROM file_use WHERE file_id = ${row}.id)`;

/** Number, size and uses of the files of each storage. */
export const storageSchema = (): readonly string[] => {
  const isOther = `${isMoved} OR OLD.state <> NEW.state OR OLD.size IS NOT NEW.size`;
  const carried = [
    usesLess(usesOf('NEW'), 'OLD.storage_id'),
    usesMore('SELECT NEW.storage_id, COUNT(*) FROM file_use WHERE file_id = NEW.id', 'excluded.uses'),
  ];
  const gone = [usesLess(usesOf('OLD'), 'OLD.storage_id'), 'DELETE FROM file_use WHERE file_id = OLD.id'];
  return triggers({
    file_made: inserted('file', counted),
    file_gone: deleted('file', counted),
    file_moved: moved('file', 'storage_id, state, size', counted, isOther),
    file_used: inserted('file_use', usesMore('SELECT storage_id, 1 FROM file WHERE id = NEW.file_id', '1')),
    file_unused: deleted('file_use', usesLess('1', '(SELECT storage_id FROM file WHERE id = OLD.file_id)')),
    file_uses_gone: deleted('file', gone, isUsed),
    file_carried: updated('file', 'storage_id', carried, `${isMoved} AND ${isUsed('NEW')}`),
  });
};
