import type { Work } from '../../src/store/contract.ts';
import { counter, login, user } from '../../src/store/schema.ts';
import { prepareStatement, sql } from '../../src/store/statement.ts';

/** Callers that commit at the same time, so that a kill meets groups. */
export const writers = 24;

const insertUser = prepareStatement((builder) =>
  builder.insert(user).values({
    id: sql.placeholder('id'),
    name: sql.placeholder('key'),
    passwordVersion: 1,
    enabled: 1,
    version: 1,
    createdAt: 0,
  }),
);
const insertLogin = prepareStatement((builder) =>
  builder.insert(login).values({ name: sql.placeholder('key'), userId: sql.placeholder('id'), alias: 0 }),
);
const count = prepareStatement((builder) =>
  builder
    .insert(counter)
    .values({ name: 'load', value: 1 })
    .onConflictDoUpdate({ target: counter.name, set: { value: sql`${counter.value} + 1` } }),
);

/** One change in four places: two tables, a counter, an event. */
export function workOf(id: string, key: string): Work {
  return {
    changes: [insertUser({ id, key }), count({}), insertLogin({ id, key })],
    events: [{ name: 'user.created', entityType: 'User', entityId: id, payload: { key } }],
  };
}
