import { and, eq } from 'drizzle-orm';
import { guard, rowExists } from '../../core/store/guard.ts';
import { insertInto, putInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { query, sql, value } from '../../core/store/statement.ts';
import { deleted, goesWith, triggers } from '../../core/store/triggers-sql.ts';
import { loginPerson, loginSession } from './tables.ts';

export const findPerson = rowBy(loginPerson, 'person');
export const putPerson = putInto(loginPerson, 'person');
export const personOfUser = rowBy(loginPerson, 'userId');

/** Guard: no other person has been the user. */
export const nobodyElse = guard<{ userId: string; person: string }>(
  sql`NOT EXISTS (SELECT 1 FROM login_person WHERE user_id = ${value('userId')} AND person <> ${value('person')})`,
);

export const insertSession = insertInto(loginSession);
export const findSession = rowBy(loginSession, 'id');
export type LoginSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** Some sessions of a session at the provider, or of a person there. */
const someBy = (key: 'providerSession' | 'person') =>
  query((db) =>
    db
      .select({ id: loginSession.id })
      .from(loginSession)
      .where(and(eq(loginSession[key], value('digest')), eq(loginSession.provider, value('provider'))))
      .limit(value('limit')),
  );
export const someOfSession = someBy('providerSession');
export const someOfPerson = someBy('person');

export const sessionsDue = sql`SELECT min(due) FROM login_session`;

export const dueSessions = query((db) =>
  db
    .select()
    .from(loginSession)
    .where(sql`${loginSession.due} <= ${value('now')}`)
    .orderBy(loginSession.due)
    .limit(value('limit')),
);

export const countDue = query(
  sql`SELECT count(*), min(due) FROM (SELECT due FROM login_session WHERE due <= ${value('now')} ORDER BY due LIMIT 10000)`,
  { waiting: sql<number>``, oldest: sql<number | null>`` },
).first;

/** Guard: no other instance took the session since. */
export const dueIsStill = rowExists(loginSession, 'id', 'due');

export const setDue = updateBy(loginSession, 'id', 'due');

export const keep = updateBy(loginSession, 'id', 'kept', 'due');

/** Rows of a session are deleted with it, and persons with their user. */
export const loginSchema = (): readonly string[] =>
  triggers({
    login_session_gone: deleted('token', goesWith({ login_session: 'id' })),
    login_person_gone: deleted('user', goesWith({ login_person: 'user_id' })),
  });
