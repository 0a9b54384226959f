import { sql } from 'drizzle-orm';
import { guard } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { importPasskey } from '../tables.ts';

const value = sql.placeholder;

/** The key of a job that waits for its bytes. */
export const passkeyOf = query((db) =>
  db
    .select()
    .from(importPasskey)
    .where(sql`${importPasskey.jobId} = ${value('jobId')}`),
).first;

export const findPasskey = query((db) =>
  db
    .select()
    .from(importPasskey)
    .where(sql`${importPasskey.hash} = ${value('hash')}`),
).first;

export type PasskeyRow = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

export const insertPasskey = statement<Omit<PasskeyRow, 'fileId'>>(
  sql`INSERT INTO ${writes('import_passkey')} (hash, job_id, user, expires, place)
    VALUES (${value('hash')}, ${value('jobId')}, ${value('user')}, ${value('expires')}, ${value('place')})`,
);

export const passkeyUnused = guard<{ hash: string }>(
  sql`EXISTS (SELECT 1 FROM import_passkey WHERE hash = ${value('hash')} AND file_id IS NULL)`,
);

export const usePasskey = statement<{ hash: string; fileId: string }>(
  sql`UPDATE ${writes('import_passkey')} SET file_id = ${value('fileId')} WHERE hash = ${value('hash')}`,
);

export const forgetPasskey = statement<{ jobId: string }>(
  sql`DELETE FROM ${writes('import_passkey')} WHERE job_id = ${value('jobId')}`,
);
