import { sql } from 'drizzle-orm';
import { guard } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../../core/store/rows.ts';
import { statement, value, writes } from '../../../core/store/statement.ts';
import { importPasskey } from '../tables.ts';

/** The key of a job that waits for its bytes. */
export const passkeyOf = rowBy(importPasskey, 'jobId');

export const findPasskey = rowBy(importPasskey, 'hash');

export type PasskeyRow = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

export const insertPasskey = insertInto(importPasskey, 'hash', 'jobId', 'user', 'caller', 'login', 'expires', 'place');

export const passkeyUnused = guard<{ hash: string }>(
  sql`EXISTS (SELECT 1 FROM import_passkey WHERE hash = ${value('hash')} AND file_id IS NULL)`,
);

export const usePasskey = updateBy(importPasskey, 'hash', 'fileId');

export const forgetPasskey = deleteBy(importPasskey, 'jobId');

/** Ends keys that no file came by. Jobs go on that have their file. */
export const endPasskeysOf = statement<{ login: string }>(
  sql`UPDATE ${writes('import_passkey')} SET expires = 0 WHERE login = ${value('login')} AND file_id IS NULL`,
);
