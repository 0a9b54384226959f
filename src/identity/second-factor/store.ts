import { asc, eq, sql } from 'drizzle-orm';
import { guard, rowExists } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { query, statement, value, writes } from '../../core/store/statement.ts';
import { recoveryCode, secondFactor, usedChallenge } from '../tables.ts';

export const factorsOf = query((db) =>
  db
    .select()
    .from(secondFactor)
    .where(eq(secondFactor.userId, value('userId')))
    .orderBy(asc(secondFactor.createdAt), asc(secondFactor.id))
    .limit(value('limit')),
);
export type FactorRow = Awaited<ReturnType<typeof factorsOf>>[number];

export const findFactor = rowBy(secondFactor, 'id');
export const findPasskey = rowBy(secondFactor, 'credential');

export const insertFactor = insertInto(secondFactor);
export const renameFactor = updateBy(secondFactor, 'id', 'name');
export const deleteFactor = deleteBy(secondFactor, 'id');
export const deleteFactorsOf = deleteBy(secondFactor, 'userId');
export const factorThere = rowExists(secondFactor, 'id');

const count = sql`(SELECT count(*) FROM second_factor WHERE user_id = ${value('userId')})`;
export const fewerFactors = guard(sql`${count} < ${value('max')}`);

/** The factor has not been used with this count, or a later one. A passkey that never counts stays at zero. */
export const isNewCount = guard(
  sql`EXISTS (SELECT 1 FROM second_factor WHERE id = ${value('id')}
    AND (counter < ${value('counter')} OR (counter = 0 AND ${value('counter')} = 0)))`,
);
export const useFactor = updateBy(secondFactor, 'id', 'counter', 'usedAt');

export const countCodes = query(sql`SELECT count(*) FROM recovery_code WHERE user_id = ${value('userId')}`, {
  count: sql<number>``,
}).first;
export const insertCode = insertInto(recoveryCode);
export const deleteCode = deleteBy(recoveryCode, 'userId', 'digest');
export const codeThere = rowExists(recoveryCode, 'userId', 'digest');
export const deleteCodesOf = deleteBy(recoveryCode, 'userId');

export const insertChallenge = insertInto(usedChallenge);
/** Each new one deletes some expired ones, so the table holds little more than those that could be sent again. */
export const sweepChallenges = statement(
  sql`DELETE FROM ${writes('used_challenge')} WHERE digest IN (SELECT digest FROM used_challenge
    WHERE expires < ${value('now')} LIMIT 8)`,
);
