import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Every table, as the newest migration leaves it; `test/store/schema.test.ts` compares the two.
 * Times are milliseconds since the epoch, flags are 0 and 1, names compare byte by byte.
 */

/** Migrations that have run. The primary key is also the lock between instances that start together. */
export const migration = sqliteTable('migration', {
  number: integer('number').primaryKey(),
  name: text('name').notNull(),
  hash: text('hash').notNull(),
  appliedAt: integer('applied_at').notNull(),
});

/** Always empty: inserting into it breaks its check, and so refuses the whole commit. See `guard.ts`. */
export const guard = sqliteTable('guard', { broken: integer('broken').notNull() });

/** The next serial of each entity type. Instances take blocks of it. */
export const serial = sqliteTable('serial', {
  entity: text('entity').primaryKey(),
  next: integer('next').notNull(),
});

/** Totals and revisions that would otherwise be counted on a request path. */
export const counter = sqliteTable('counter', {
  name: text('name').primaryKey(),
  value: integer('value').notNull(),
});

/** Transactions sent to a remote database whose answer may have been lost. See `remote/`. */
export const applied = sqliteTable('applied', { id: text('id').primaryKey(), at: integer('at').notNull() }, (table) => [
  index('applied_at').on(table.at),
]);

/** Everything that happened, in commit order. */
export const event = sqliteTable('event', {
  sequence: integer('sequence').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  entityType: text('entity_type').notNull(),
  entityId: text('entity_id').notNull(),
  payload: text('payload').notNull(),
  user: text('user').notNull(),
  runAs: text('run_as'),
  requestId: text('request_id'),
  at: integer('at').notNull(),
  /** How many deliveries led to it, one from the other. */
  depth: integer('depth').notNull().default(0),
});

/** A user. `version` changes with whatever decides what the account may do; `password_version` with its password. */
export const user = sqliteTable(
  'user',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull().unique(),
    realName: text('real_name'),
    password: text('password'),
    passwordVersion: integer('password_version').notNull(),
    enabled: integer('enabled').notNull(),
    version: integer('version').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Whether the account may act for others, beside the role that it needs for that. */
    runAs: integer('run_as').notNull().default(0),
  },
  (table) => [index('user_enabled').on(table.enabled, table.name)],
);

/** Every name that logs somebody in: user names and aliases share one space, so neither can shadow the other. */
export const login = sqliteTable(
  'login',
  {
    name: text('name').primaryKey(),
    userId: text('user_id').notNull(),
    alias: integer('alias').notNull(),
  },
  (table) => [index('login_user').on(table.userId)],
);

/** Key-value metadata of users and groups. A key can have several values. */
export const keyValue = sqliteTable(
  'key_value',
  {
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    key: text('key').notNull(),
    position: integer('position').notNull(),
    value: text('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.entityType, table.entityId, table.key, table.position] })],
);

/** A group, or a role: a group of the release that the API neither creates nor deletes. */
export const group = sqliteTable('group', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  description: text('description'),
  role: integer('role').notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const groupUser = sqliteTable(
  'group_user',
  { groupId: text('group_id').notNull(), userId: text('user_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.groupId] }),
    index('group_user_group').on(table.groupId, table.userId),
  ],
);

/** Groups inside groups: a child has what its parents have. */
export const groupGroup = sqliteTable(
  'group_group',
  { parentId: text('parent_id').notNull(), childId: text('child_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.childId, table.parentId] }),
    index('group_group_parent').on(table.parentId, table.childId),
  ],
);

/** Metadata fields that the release defines. */
export const metadataField = sqliteTable('metadata_field', {
  name: text('name').primaryKey(),
  type: text('type').notNull(),
  system: integer('system').notNull(),
});

/**
 * Tokens of this service by the digest of their text, which is kept nowhere. They end with the password that was valid
 * then, and with the account: a trigger deletes them when one of the two changes.
 */
export const token = sqliteTable(
  'token',
  {
    digest: text('digest').primaryKey(),
    /** What administrators call it by. */
    id: text('id').notNull().unique(),
    userId: text('user_id').notNull(),
    passwordVersion: integer('password_version').notNull(),
    /** The access key with which it was asked for: it ends with that, too. */
    keyId: text('key_id'),
    /** Who acts for the user by it, and the version of their password then. */
    actorId: text('actor_id'),
    actorVersion: integer('actor_version'),
    lifetime: integer('lifetime').notNull(),
    autoRefresh: integer('auto_refresh').notNull(),
    createdAt: integer('created_at').notNull(),
    refreshedAt: integer('refreshed_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('token_user').on(table.userId, table.id),
    index('token_expiry').on(table.expiresAt),
    index('token_key').on(table.keyId).where(sql`key_id IS NOT NULL`),
    index('token_actor').on(table.actorId).where(sql`actor_id IS NOT NULL`),
  ],
);

/** Access keys. The secret is long and random, so a plain digest of it is as good as a slow one. */
export const accessKey = sqliteTable(
  'access_key',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name'),
    secret: text('secret').notNull(),
    active: integer('active').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('access_key_user').on(table.userId, table.createdAt, table.id)],
);

/** Configuration properties that were set; the others have their defaults. */
export const property = sqliteTable('property', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  changedAt: integer('changed_at').notNull(),
});

/** Configuration documents as JSON. One that was deleted keeps its row, so that revisions never come twice. */
export const configuration = sqliteTable('configuration', {
  name: text('name').primaryKey(),
  document: text('document'),
  revision: integer('revision').notNull(),
});

/** Who did what, as whom, from where, and what came of it. */
export const audit = sqliteTable(
  'audit',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    user: text('user'),
    runAs: text('run_as'),
    method: text('method').notNull(),
    path: text('path').notNull(),
    query: text('query'),
    contentType: text('content_type'),
    contentLength: integer('content_length'),
    status: integer('status').notNull(),
    reason: text('reason'),
    address: text('address'),
    requestId: text('request_id'),
    /** How many equal requests came within a minute. */
    count: integer('count').notNull(),
    /** When the last of them came, where there are several. */
    lastAt: integer('last_at'),
    /** A digest of what equal requests have in common: they add to one row. NULL: a row of its own. */
    fold: text('fold'),
  },
  (table) => [
    uniqueIndex('audit_fold').on(table.fold).where(sql`fold IS NOT NULL`),
    index('audit_at').on(table.at),
    index('audit_user').on(table.user, table.at),
    index('audit_path').on(table.path, table.at),
  ],
);

/** Which account logged in from which network lately, as digests. */
export const familiarNetwork = sqliteTable(
  'familiar_network',
  { pair: text('pair').primaryKey(), account: text('account').notNull(), at: integer('at').notNull() },
  (table) => [index('familiar_network_account').on(table.account, table.at), index('familiar_network_at').on(table.at)],
);

/** Who is to be told of what. One that was deleted stays until the last row that it matched has been tried. */
export const notification = sqliteTable(
  'notification',
  {
    id: text('id').primaryKey(),
    /** Where it is registered: `group`, `storage/file`, or `` for the placeholders below /notification. */
    resource: text('resource').notNull(),
    /** The one entity that it is about; empty for all. */
    entity: text('entity').notNull(),
    /** JSON as it is read back: where a secret was, there is a mask. */
    document: text('document').notNull(),
    /** What the masks stand for, encrypted. */
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
 * What each notification waits for: a row for each event and selector. `exact` says that whoever is found here is
 * meant; otherwise its filter, or its receiver, has to be asked before the commit.
 */
export const subscription = sqliteTable(
  'subscription',
  {
    event: text('event').notNull(),
    /** Empty: of every entity. */
    entity: text('entity').notNull(),
    selector: text('selector').notNull(),
    notificationId: text('notification_id').notNull(),
    /** That of the notification. */
    version: integer('version').notNull(),
    exact: integer('exact').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.event, table.entity, table.selector, table.notificationId] }),
    index('subscription_notification').on(table.notificationId),
  ],
);

/** What is still to be delivered: a row for each event and each notification that it matched when it was committed. */
export const outbox = sqliteTable(
  'outbox',
  {
    notificationId: text('notification_id').notNull(),
    /** That of the event. */
    sequence: integer('sequence').notNull(),
    at: integer('at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    failingSince: integer('failing_since'),
    /** Attempts before somebody asked for it to be sent again: they count on, the patience begins anew. */
    earlier: integer('earlier').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.notificationId, table.sequence] })],
);

/**
 * Deliveries of a lane are made one after the other. `ready` is when it is to be looked at: the end of the lease while
 * it has an owner, and nothing while nothing waits. Whoever claims it gets a higher fence than anybody before.
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
    notificationId: text('notification_id').primaryKey(),
    lane: text('lane').notNull(),
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

/** What was given up, until somebody sends it again or deletes it. */
export const parked = sqliteTable(
  'parked',
  {
    notificationId: text('notification_id').notNull(),
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
    /** How the answer began. */
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

/** The last wish of each notification to have events sent again: from `next` up to, but not, `until`. */
export const replay = sqliteTable(
  'replay',
  {
    notificationId: text('notification_id').primaryKey(),
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

/** What deliveries are signed with: the newest, and older ones until their end. */
export const signingSecret = sqliteTable(
  'signing_secret',
  {
    notificationId: text('notification_id').notNull(),
    number: integer('number').notNull(),
    sealed: text('sealed').notNull(),
    publicKey: text('public_key').notNull(),
    createdAt: integer('created_at').notNull(),
    endsAt: integer('ends_at'),
  },
  (table) => [primaryKey({ columns: [table.notificationId, table.number] })],
);

/** Names that others have for entities, one space for each type. */
export const externalId = sqliteTable(
  'external_id',
  {
    entityType: text('entity_type').notNull(),
    externalId: text('external_id').notNull(),
    entityId: text('entity_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.externalId] }),
    index('external_id_entity').on(table.entityType, table.entityId, table.externalId),
  ],
);
