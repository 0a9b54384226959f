import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { user } from '../../identity/public-reading.ts';

/** Notifications. A deleted one stays until its last matched row has been tried. */
export const notification = sqliteTable(
  'notification',
  {
    id: text('id').primaryKey(),
    /** Resource at which it is registered: `/group`, `/storage/file`, or `mail` for the messages to one user. */
    resource: text('resource').notNull(),
    /** Id of the entity. Empty for all entities. */
    entity: text('entity').notNull(),
    /** JSON as it is returned, with masked secrets. */
    document: text('document').notNull(),
    /** Encrypted values of the masks. */
    sealed: text('sealed'),
    synchronous: integer('synchronous').notNull(),
    version: integer('version').notNull(),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    changedAt: integer('changed_at').notNull(),
    deletedAt: integer('deleted_at'),
  },
  (table) => [
    index('notification_place')
      .on(table.resource, table.entity, table.createdAt, table.id)
      .where(sql`deleted_at IS NULL`),
  ],
);

/**
 * Subscriptions: a row for each event and selector. `exact`: a match is certain. Otherwise the filter, or the receiver,
 * is asked before the commit.
 */
export const subscription = sqliteTable(
  'subscription',
  {
    event: text('event').notNull(),
    /** Id of the entity. Empty for all entities. */
    entity: text('entity').notNull(),
    selector: text('selector').notNull(),
    notificationId: text('notification_id')
      .notNull()
      .references(() => notification.id, { onDelete: 'cascade' }),
    /** Version of the notification. */
    version: integer('version').notNull(),
    exact: integer('exact').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.event, table.entity, table.selector, table.notificationId] }),
    index('subscription_notification').on(table.notificationId),
  ],
);

/** Pending deliveries: a row for each event and each notification that it matched at its commit. */
export const outbox = sqliteTable(
  'outbox',
  {
    notificationId: text('notification_id').notNull(),
    /** Sequence number of the event. */
    sequence: integer('sequence').notNull(),
    at: integer('at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    failingSince: integer('failing_since'),
    /** Attempts before the last replay by a user. They stay in the count, and `retry` begins again. */
    earlier: integer('earlier').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.notificationId, table.sequence] })],
);

/**
 * Deliveries of a lane are made one after the other. `ready` is when it is to be looked at: the end of the lease while
 * it has an owner, and nothing while nothing waits. Each claim gets a higher fence than all claims before.
 */
export const lane = sqliteTable(
  'lane',
  {
    name: text('name').primaryKey(),
    ready: integer('ready'),
    owner: text('owner'),
    fence: integer('fence').notNull(),
  },
  (table) => [index('lane_ready').on(table.ready).where(sql`ready IS NOT NULL`)],
);

/** The rows of one notification in the outbox, and how its deliveries go. Triggers keep `head` and `parked`. */
export const queue = sqliteTable(
  'queue',
  {
    notificationId: text('notification_id')
      .primaryKey()
      .references(() => notification.id, { onDelete: 'cascade' }),
    lane: text('lane').notNull(),
    /** Milliseconds: rows wait for the end of theirs, and go out together. 0: each goes out at once. */
    every: integer('every').notNull().default(0),
    /** The first row in the outbox. */
    head: integer('head'),
    /** `active`, `paused` or `disabled`. */
    state: text('state').$type<QueueState>().notNull(),
    stateSince: integer('state_since').notNull(),
    reason: text('reason'),
    resumeAt: integer('resume_at'),
    /** In a row, without a success between. */
    pauses: integer('pauses').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    failingSince: integer('failing_since'),
    delivered: integer('delivered').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    parked: integer('parked').notNull().default(0),
    lost: integer('lost').notNull().default(0),
    deliveredAt: integer('delivered_at'),
    failedAt: integer('failed_at'),
  },
  (table) => [
    index('queue_lane').on(table.lane, table.state, table.head),
    index('queue_head').on(table.head).where(sql`head IS NOT NULL`),
    index('queue_resume').on(table.resumeAt).where(sql`resume_at IS NOT NULL`),
  ],
);
export type QueueState = 'active' | 'paused' | 'disabled';

/** Parked events, until a user replays or deletes them. */
export const parked = sqliteTable(
  'parked',
  {
    notificationId: text('notification_id')
      .notNull()
      .references(() => notification.id, { onDelete: 'cascade' }),
    sequence: integer('sequence').notNull(),
    at: integer('at').notNull(),
    reason: text('reason').notNull(),
    attempts: integer('attempts').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.notificationId, table.sequence] }),
    index('parked_sequence').on(table.sequence),
  ],
);

/** The log of deliveries: every attempt and what came of it. One that came before its commit has no sequence. */
export const attempt = sqliteTable(
  'attempt',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    notificationId: text('notification_id').notNull(),
    sequence: integer('sequence'),
    event: text('event').notNull(),
    entityId: text('entity_id').notNull(),
    number: integer('number').notNull(),
    started: integer('started').notNull(),
    ended: integer('ended').notNull(),
    state: text('state').notNull(),
    status: integer('status'),
    error: text('error'),
    address: text('address'),
    /** Beginning of the answer. */
    answer: text('answer'),
    /** The failure as a sentence. */
    says: text('says'),
  },
  (table) => [
    index('attempt_state').on(table.notificationId, table.state, table.started),
    index('attempt_entity').on(table.notificationId, table.entityId, table.started),
    index('attempt_sequence').on(table.notificationId, table.sequence),
  ],
);

/** The last request of each notification to send events again: from `next` up to, but not, `until`. */
export const replay = sqliteTable(
  'replay',
  {
    notificationId: text('notification_id')
      .primaryKey()
      .references(() => notification.id, { onDelete: 'cascade' }),
    since: integer('since').notNull(),
    onlyParked: integer('only_parked').notNull(),
    dryRun: integer('dry_run').notNull(),
    next: integer('next').notNull(),
    until: integer('until').notNull(),
    scanned: integer('scanned').notNull(),
    found: integer('found').notNull(),
    state: text('state').$type<'running' | 'done'>().notNull(),
    askedBy: text('asked_by').notNull(),
    askedAt: integer('asked_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [index('replay_state').on(table.state)],
);

/** Secrets that sign deliveries: the newest, and older ones until they expire. */
export const signingSecret = sqliteTable(
  'signing_secret',
  {
    notificationId: text('notification_id')
      .notNull()
      .references(() => notification.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    sealed: text('sealed').notNull(),
    publicKey: text('public_key').notNull(),
    createdAt: integer('created_at').notNull(),
    endsAt: integer('ends_at'),
  },
  (table) => [primaryKey({ columns: [table.notificationId, table.number] })],
);

/** Where and how users get mail. */
export const mailbox = sqliteTable(
  'mailbox',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** Notification that brings it. */
    notificationId: text('notification_id').notNull(),
    address: text('address').notNull(),
    /** Boolean: whether the user has read mail at the address, or an administrator wrote it. */
    confirmed: integer('confirmed').notNull(),
    /** When the address was written. */
    addressedAt: integer('addressed_at').notNull(),
    /** JSON: a list. */
    kinds: text('kinds').notNull(),
    /** Boolean: whether one message an hour has all. */
    digest: integer('digest').notNull(),
    /** NULL: that of the web page. */
    language: text('language'),
  },
  (table) => [uniqueIndex('mailbox_notification').on(table.notificationId)],
);
