import { sql } from 'drizzle-orm';
import { customType, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** As the database has them: the builder would make a Buffer of them, which only one platform has. */
const bytes = customType<{ data: Uint8Array<ArrayBuffer> }>({ dataType: () => 'blob' });

/** Requests that are carried out later. No credential is among what is kept. */
export const scheduledRequest = sqliteTable(
  'scheduled_request',
  {
    id: integer('id').primaryKey(),
    /** Whose it is: that of the rights that count. The id, because another user may get the name. */
    userId: text('user_id').notNull(),
    user: text('user').notNull(),
    /** Who came in, as JSON. */
    caller: text('caller').notNull(),
    state: text('state').notNull(),
    date: integer('date').notNull(),
    createdAt: integer('created_at').notNull(),
    executedAt: integer('executed_at'),
    method: text('method').notNull(),
    uri: text('uri').notNull(),
    /** As JSON: those that say what the body is and what answer is wanted. */
    headers: text('headers').notNull(),
    /** Where it came from, for filters that look at that. */
    address: text('address'),
    secure: integer('secure').notNull(),
    /** Deliveries that led to it. */
    depth: integer('depth').notNull(),
    body: bytes('body'),
    status: integer('status'),
    contentType: text('content_type'),
    response: bytes('response'),
    /** Until when an instance has it. 0: nobody has it. */
    leaseUntil: integer('lease_until').notNull(),
    /** Another number with each hand that takes it. */
    fence: integer('fence').notNull(),
  },
  (table) => [
    index('scheduled_request_due').on(table.leaseUntil, table.date).where(sql`state = 'WAITING'`),
    index('scheduled_request_user').on(table.userId, table.state, table.id),
    index('scheduled_request_executed').on(table.executedAt).where(sql`executed_at IS NOT NULL`),
  ],
);
