import { sql } from 'drizzle-orm';
import { prepareLookup, prepareStatement } from '../../store/statement.ts';
import { importSidecar } from '../tables.ts';

const value = sql.placeholder;

export const sidecarOf = prepareLookup((db) =>
  db
    .select()
    .from(importSidecar)
    .where(sql`${importSidecar.jobId} = ${value('jobId')}`),
);

export const insertSidecar = prepareStatement<{ jobId: string; name: string; text: string }>(
  sql`INSERT INTO import_sidecar (job_id, name, text) VALUES (${value('jobId')}, ${value('name')}, ${value('text')})`,
);

export const forgetSidecar = prepareStatement<{ jobId: string }>(
  sql`DELETE FROM import_sidecar WHERE job_id = ${value('jobId')}`,
);
