import { sql } from 'drizzle-orm';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareStatement } from '../../store/statement.ts';
import { importPasskey } from '../tables.ts';

const value = sql.placeholder;

/** The key of a job that waits for its bytes. */
export const passkeyOf = prepareLookup((db) =>
  db
    .select()
    .from(importPasskey)
    .where(sql`${importPasskey.jobId} = ${value('jobId')}`),
);

export const findPasskey = prepareLookup((db) =>
  db
    .select()
    .from(importPasskey)
    .where(sql`${importPasskey.hash} = ${value('hash')}`),
);

export type PasskeyRow = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

export const insertPasskey = prepareStatement<Omit<PasskeyRow, 'fileId'>>(
  sql`INSERT INTO import_passkey (hash, job_id, user, expires, place)
    VALUES (${value('hash')}, ${value('jobId')}, ${value('user')}, ${value('expires')}, ${value('place')})`,
);

export const passkeyUnused = prepareGuard<{ hash: string }>(
  sql`EXISTS (SELECT 1 FROM import_passkey WHERE hash = ${value('hash')} AND file_id IS NULL)`,
);

export const usePasskey = prepareStatement<{ hash: string; fileId: string }>(
  sql`UPDATE import_passkey SET file_id = ${value('fileId')} WHERE hash = ${value('hash')}`,
);

export const forgetPasskey = prepareStatement<{ jobId: string }>(
  sql`DELETE FROM import_passkey WHERE job_id = ${value('jobId')}`,
);
