import { sql } from 'drizzle-orm';
import { event } from '../../store/schema.ts';
import { prepareQuery, prepareSqlQuery } from '../../store/statement.ts';

const value = sql.placeholder;

export const eventsAfter = prepareQuery((db) =>
  db
    .select({
      sequence: event.sequence,
      name: event.name,
      entityType: event.entityType,
      entityId: event.entityId,
      payload: event.payload,
      user: event.user,
      runAs: event.runAs,
      requestId: event.requestId,
      at: event.at,
    })
    .from(event)
    .where(sql`${event.sequence} > ${value('since')}`)
    .orderBy(event.sequence)
    .limit(value('limit')),
);
export type EventRow = Awaited<ReturnType<typeof eventsAfter>>[number];

export const eventEnds = prepareSqlQuery(
  sql`SELECT (SELECT min(sequence) FROM event), (SELECT max(sequence) FROM event)`,
  {
    oldest: sql<number | null>``,
    newest: sql<number | null>``,
  },
);
