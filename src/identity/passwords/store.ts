import { eq, sql } from 'drizzle-orm';
import { user } from '../../store/schema.ts';
import { prepareLookup } from '../../store/statement.ts';

/** The stored hash, where nobody is being logged in. */
export const passwordOf = prepareLookup((db) =>
  db
    .select({ password: user.password })
    .from(user)
    .where(eq(user.id, sql.placeholder('id'))),
);
