import { createMatching } from '../../src/administration/notifications/matching/participant.ts';
import { createNotification, listIds } from '../../src/administration/notifications/registration/store.ts';
import type { CommitPlan, Database, Participant } from '../../src/core/store/contract.ts';
import { counter } from '../../src/core/store/schema.ts';
import { sql, statement } from '../../src/core/store/statement.ts';
import type { Store } from '../../src/core/store/store.ts';
import { login, user } from '../../src/identity/tables.ts';
import { triggers } from '../support/declared.ts';

/** Callers that commit at the same time, so that a kill meets groups. */
export const writers = 24;

const insertUser = statement((builder) =>
  builder.insert(user).values({
    id: sql.placeholder('id'),
    name: sql.placeholder('key'),
    passwordVersion: 1,
    enabled: 1,
    version: 1,
    createdAt: 0,
  }),
);
const insertLogin = statement((builder) =>
  builder
    .insert(login)
    .values({ name: sql.placeholder('key'), folded: sql.placeholder('key'), userId: sql.placeholder('id'), alias: 0 }),
);
const count = statement((builder) =>
  builder
    .insert(counter)
    .values({ name: 'load', value: 1 })
    .onConflictDoUpdate({ target: counter.name, set: { value: sql`${counter.value} + 1` } }),
);

/**
 * Plan of a change in five places: two tables, a counter, an event, the outbox of the notifications that are told of
 * it.
 */
export function workOf(id: string, key: string): CommitPlan {
  return {
    changes: [insertUser({ id, key }), count({}), insertLogin({ id, key })],
    events: [{ name: 'group/create', entityType: 'group', entityId: id, payload: { key } }],
  };
}

export function participantOf(reader: Database): Participant {
  const log = { write: () => undefined, writes: () => false };
  const settings = { maxParked: 10, maxNotificationDepth: 8 };
  return createMatching({ reader, log, triggers, settings, committed: () => undefined });
}

/** The one who is told, from the first life on. */
export async function register(store: Store): Promise<void> {
  const place = { resource: '/group', entity: '' };
  if ((await listIds(store, { ...place, offset: 0, limit: 1 })).length > 0) return;
  const given = {
    ...place,
    id: 'told',
    lane: 'lane',
    document: '{}',
    sealed: null,
    synchronous: 0,
    now: 1,
    user: 'load',
  };
  await store.commit({ changes: createNotification(given, [['group/create', '', 1]]), events: [] }, { user: 'load' });
}
