import { sql } from 'drizzle-orm';
import { query, statement, writes } from '../../store/statement.ts';
import { importSidecar } from '../tables.ts';

const value = sql.placeholder;

export const sidecarOf = query((db) =>
  db
    .select()
    .from(importSidecar)
    .where(sql`${importSidecar.jobId} = ${value('jobId')}`),
).first;

export const insertSidecar = statement<{ jobId: string; name: string; text: string }>(
  sql`INSERT INTO ${writes('import_sidecar')} (job_id, name, text) VALUES (${value('jobId')}, ${value('name')}, ${value('text')})`,
);

export const forgetSidecar = statement<{ jobId: string }>(
  sql`DELETE FROM ${writes('import_sidecar')} WHERE job_id = ${value('jobId')}`,
);
