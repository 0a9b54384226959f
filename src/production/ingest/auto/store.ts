import { sql } from 'drizzle-orm';
import { deleteBy, updateBy } from '../../../core/store/rows.ts';
import { query, value } from '../../../core/store/statement.ts';
import { autoImportDue } from '../tables.ts';

/** Files without a decision yet, the longest waiting first. */
export const filesToImport = query((db) =>
  db
    .select()
    .from(autoImportDue)
    .where(sql`${autoImportDue.due} <= ${value('now')}`)
    .orderBy(autoImportDue.due)
    .limit(value('limit')),
);

export const filesDue = sql`SELECT min(due) FROM auto_import_due`;

export const countDueFiles = query(sql`SELECT count(*) FROM auto_import_due`, { count: sql<number>`` });

export const forgetDueFile = deleteBy(autoImportDue, 'fileId');

export const putOffFile = updateBy(autoImportDue, 'fileId', 'due');

/** Jobs that have not ended and name the file, and the import that has claimed it. */
export const jobsWithFile = query(
  sql`SELECT job_id FROM file_job WHERE file_id = ${value('fileId')} AND rest_until IS NULL
    UNION SELECT job_id FROM import_claim WHERE type = 'file' AND id = ${value('fileId')}`,
  { jobId: sql<string>`` },
);

/** A file of a storage with a rule that is switched on, where no component has it. */
const importable = `NEW.state = 'CLOSED' AND EXISTS (SELECT 1 FROM auto_import_rule
    WHERE storage_id = NEW.storage_id AND enabled = 1)
  AND NOT EXISTS (SELECT 1 FROM file_use WHERE file_id = NEW.id)`;

const becomesDue = `INSERT INTO auto_import_due (file_id, due) VALUES (NEW.id, 0) ON CONFLICT (file_id) DO NOTHING;`;

export const ingestSchema: readonly string[] = [
  `CREATE TRIGGER "file_closed_import" AFTER UPDATE OF "state" ON "file" WHEN OLD.state <> NEW.state
       AND OLD.state <> 'BEING_READ' AND ${importable} BEGIN ${becomesDue} END`,
  `CREATE TRIGGER "file_made_import" AFTER INSERT ON "file" WHEN ${importable} BEGIN ${becomesDue} END`,
  `CREATE TRIGGER "file_gone_import" AFTER DELETE ON "file" BEGIN
       DELETE FROM auto_import_due WHERE file_id = OLD.id;
       DELETE FROM import_upload WHERE file_id = OLD.id;
     END`,
];
