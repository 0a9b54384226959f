import { sql } from 'drizzle-orm';
import { customType, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Bytes in the form of the database: the builder would make a Buffer, which only Node has. */
const bytes = customType<{ data: Uint8Array<ArrayBuffer> }>({ dataType: () => 'blob' });

/** Requests that are carried out later. No credential is among what is kept. */
export const scheduledRequest = sqliteTable(
  'scheduled_request',
  {
    id: integer('id').primaryKey(),
    /** Id of the user whose rights count. Not the name, which another user may get. */
    userId: text('user_id').notNull(),
    user: text('user').notNull(),
    /** Authenticated caller, as JSON. */
    caller: text('caller').notNull(),
    /** Id of the token or session by which the caller came. */
    login: text('login'),
    state: text('state').notNull(),
    date: integer('date').notNull(),
    createdAt: integer('created_at').notNull(),
    executedAt: integer('executed_at'),
    method: text('method').notNull(),
    uri: text('uri').notNull(),
    /** JSON: headers about the format of body and answer. */
    headers: text('headers').notNull(),
    /** Address of the caller, for filters that check it. */
    address: text('address'),
    secure: integer('secure').notNull(),
    /** Deliveries that led to it. */
    depth: integer('depth').notNull(),
    body: bytes('body'),
    status: integer('status'),
    contentType: text('content_type'),
    response: bytes('response'),
    /** End of the lease. 0: no lease. */
    leaseUntil: integer('lease_until').notNull(),
    /** Incremented with each new owner. */
    fence: integer('fence').notNull(),
  },
  (table) => [
    index('scheduled_request_due').on(table.leaseUntil, table.date).where(sql`state = 'WAITING'`),
    index('scheduled_request_login').on(table.login).where(sql`login IS NOT NULL`),
    index('scheduled_request_user').on(table.userId, table.state, table.id),
    index('scheduled_request_executed').on(table.executedAt).where(sql`executed_at IS NOT NULL`),
  ],
);
