import { sql } from 'drizzle-orm';
import { forgetEntity } from '../../entities/forget.ts';
import type { Statement } from '../../store/contract.ts';
import { statement, writes } from '../../store/statement.ts';
import { oneDisabledLess, oneUserLess, type UserRow } from '../users/store.ts';

const id = sql.placeholder('id');

const removals = [
  sql`DELETE FROM ${writes('login')} WHERE user_id = ${id}`,
  sql`DELETE FROM ${writes('user')} WHERE id = ${id}`,
].map((template) => statement(template));

/** A user who is in no group any more, and all that hangs on it. The row tells which counters it is in. */
export const removeUser = (row: UserRow): Statement[] => [
  ...forgetEntity('user', row.id),
  ...removals.map((removal) => removal({ id: row.id })),
  oneUserLess({}),
  ...(row.enabled === 1 ? [] : [oneDisabledLess({})]),
];
