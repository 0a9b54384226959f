import { getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { sql, statement, value, writes } from '../core/store/statement.ts';
import type { Directory, StoredCaller, Subject } from '../security/subject.ts';
import type { Forgetters } from './context.ts';

/**
 * Maker of a row that acts later: a scheduled request, an upload key, a share. A revocation of the maker's logins ends
 * the row: a new password, a disabled account, or the end of all tokens, of its access key or of its own token.
 */
interface KeptCaller {
  /** The caller with the revocations so far, as JSON. NULL: known only to a realm. */
  readonly caller: string | null;
  /** Id of the token or session by which the caller came. */
  readonly login: string | null;
}

export function keptCaller({ stored, proof }: Subject): KeptCaller {
  return { caller: stored ? JSON.stringify(stored) : null, login: proof?.login ?? null };
}

export const storedCaller = (caller: string): StoredCaller => JSON.parse(caller) as StoredCaller;

/** The maker with the rights of now, or why its logins have ended. */
export const resumeMaker = (directory: Directory, caller: string, address?: string) =>
  directory.open({ address }).resume(storedCaller(caller));

type KeepingTable = SQLiteTable & { readonly caller: SQLiteColumn; readonly login: SQLiteColumn };

/**
 * Ends the rows of a table with the login that made them: no account has such a number of revocations. A row that
 * `outlivesLogout` ends with a revocation alone: a person who merely logs out goes on to want it.
 */
export function endWithLogin(table: KeepingTable, { outlivesLogout = false } = {}): Forgetters['login'] {
  const end = statement<{ login: string }>(
    sql`UPDATE ${writes(getTableName(table))} SET caller = json_set(caller, '$.account.revocations', -1)
      WHERE login = ${value('login')}`,
  );
  return (login, by) => (outlivesLogout && by === 'logout' ? [] : [end({ login })]);
}
