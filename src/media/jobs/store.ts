import { sql } from 'drizzle-orm';
import type { Statement } from '../../store/contract.ts';
import { prepareGuard } from '../../store/guard.ts';
import { prepareSqlStatement } from '../../store/statement.ts';

const value = sql.placeholder;

type Named = { readonly fileId: string; readonly jobId: string };

/** A job that has not ended names the file: until then nobody deletes its bytes. */
export const nameFile = prepareSqlStatement<Named>(
  sql`INSERT INTO file_job (file_id, job_id, reads) VALUES (${value('fileId')}, ${value('jobId')}, 0)
    ON CONFLICT (file_id, job_id) DO UPDATE SET rest_until = NULL`,
);

export const forgetJob = prepareSqlStatement<{ jobId: string }>(
  sql`DELETE FROM file_job WHERE job_id = ${value('jobId')}`,
);

/** The job has ended badly, and nothing moves the file again by itself before that time. */
export const letRest = prepareSqlStatement<Named & { until: number }>(
  sql`UPDATE file_job SET reads = 0, rest_until = ${value('until')}
    WHERE file_id = ${value('fileId')} AND job_id = ${value('jobId')}`,
);

/** All files of a job but those that rest. */
export const forgetUnended = prepareSqlStatement<{ jobId: string }>(
  sql`DELETE FROM file_job WHERE job_id = ${value('jobId')} AND rest_until IS NULL`,
);

export const forgetRests = prepareSqlStatement<{ fileId: string }>(
  sql`DELETE FROM file_job WHERE file_id = ${value('fileId')} AND rest_until IS NOT NULL`,
);

/** The same for all files of a storage. */
export const forgetRestsOf = prepareSqlStatement<{ storageId: string }>(
  sql`DELETE FROM file_job WHERE rest_until IS NOT NULL
    AND EXISTS (SELECT 1 FROM file WHERE file.id = file_id AND storage_id = ${value('storageId')})`,
);

export const forgetFileJobs = prepareSqlStatement<{ fileId: string }>(
  sql`DELETE FROM file_job WHERE file_id = ${value('fileId')}`,
);

const markReads = prepareSqlStatement<Named & { reads: number }>(
  sql`UPDATE file_job SET reads = ${value('reads')} WHERE file_id = ${value('fileId')} AND job_id = ${value('jobId')}`,
);

const markRead = prepareSqlStatement<{ fileId: string }>(
  sql`UPDATE file SET state = 'BEING_READ', version = version + 1 WHERE id = ${value('fileId')} AND state = 'CLOSED'`,
);

const unmarkRead = prepareSqlStatement<{ fileId: string }>(
  sql`UPDATE file SET state = 'CLOSED', version = version + 1 WHERE id = ${value('fileId')} AND state = 'BEING_READ'
    AND NOT EXISTS (SELECT 1 FROM file_job WHERE file_id = ${value('fileId')} AND reads = 1)`,
);

/** Nobody is told of the state BEING_READ: the file is as it was when the last job is done. */
export const beginReading = (named: Named): readonly Statement[] => [
  markReads({ ...named, reads: 1 }),
  markRead({ fileId: named.fileId }),
];
export const endReading = (named: Named): readonly Statement[] => [
  markReads({ ...named, reads: 0 }),
  unmarkRead({ fileId: named.fileId }),
];

/** No job that has not ended names the file, but for this one. */
export const notInJobs = prepareGuard<Named>(
  sql`NOT EXISTS (SELECT 1 FROM file_job WHERE file_id = ${value('fileId')} AND job_id <> ${value('jobId')}
    AND rest_until IS NULL)`,
);
