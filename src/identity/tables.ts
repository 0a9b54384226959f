import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A user. `version` changes with whatever decides what the account may do; `password_version` with its password. */
export const user = sqliteTable(
  'user',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull().unique(),
    realName: text('real_name'),
    /** Writer of the real name. NULL: a caller of the API, a provider by SCIM, or a command. */
    realNameSource: text('real_name_source').$type<'login'>(),
    password: text('password'),
    passwordVersion: integer('password_version').notNull(),
    enabled: integer('enabled').notNull(),
    version: integer('version').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Time of the last event about the user. */
    modifiedAt: integer('modified_at').notNull().default(0),
    /** Whether the account may act for others, beside the role that it needs for that. */
    runAs: integer('run_as').notNull().default(0),
    /** Times that its logins were revoked: by a new password, by disabling it, or with all of its tokens. */
    revocations: integer('revocations').notNull().default(0),
    /** Second factors: a trigger counts them. */
    factors: integer('factors').notNull().default(0),
  },
  (table) => [
    index('user_enabled').on(table.enabled, table.name),
    index('user_modified').on(table.modifiedAt, table.id),
  ],
);

/** Login names: user names and aliases share one namespace, so neither can shadow the other. */
export const login = sqliteTable(
  'login',
  {
    name: text('name').primaryKey(),
    /** The name without upper and lower case: a provider makes no user beside one of the same name in another case. */
    folded: text('folded').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id),
    alias: integer('alias').notNull(),
  },
  (table) => [index('login_user').on(table.userId), index('login_folded').on(table.folded)],
);

/** A group, or a role: a group of the release that the API neither creates nor deletes. */
export const group = sqliteTable(
  'group',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull().unique(),
    description: text('description'),
    role: integer('role').notNull(),
    version: integer('version').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Time of the last event about the group. */
    modifiedAt: integer('modified_at').notNull().default(0),
  },
  (table) => [index('group_modified').on(table.modifiedAt, table.id).where(sql`role = 0`)],
);

export const groupUser = sqliteTable(
  'group_user',
  {
    groupId: text('group_id')
      .notNull()
      .references(() => group.id),
    userId: text('user_id')
      .notNull()
      .references(() => user.id),
    /** Writer of the membership. NULL: a caller of the API, or a command. */
    source: text('source').$type<'login' | 'scim'>(),
    /** Realm or provider of the login, and the claim that it went by. */
    realm: text('realm'),
    claim: text('claim'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.groupId] }),
    index('group_user_group').on(table.groupId, table.userId),
  ],
);

/** Groups inside groups: a child has what its parents have. */
export const groupGroup = sqliteTable(
  'group_group',
  {
    parentId: text('parent_id')
      .notNull()
      .references(() => group.id),
    childId: text('child_id')
      .notNull()
      .references(() => group.id),
  },
  (table) => [
    primaryKey({ columns: [table.childId, table.parentId] }),
    index('group_group_parent').on(table.parentId, table.childId),
  ],
);

/** Links from groups to those that they are in, and to those in them. */
export const groupLinks = {
  up: { from: groupGroup.childId, to: groupGroup.parentId },
  down: { from: groupGroup.parentId, to: groupGroup.childId },
};

/** Means of a login, of a person or a program. `filter`: a filter of security.ini accepted it without a realm. */
export const loginWays = [
  'password',
  'key',
  'token',
  'session',
  'bearer',
  'filter',
  'link',
  'command',
  'provider',
  'passkey',
] as const;
export type LoginWay = (typeof loginWays)[number];

/**
 * Tokens of this service by the digest of their text, which is kept nowhere. They end with the password that was valid
 * then, and with the account: a trigger deletes them when one of the two changes.
 */
export const token = sqliteTable(
  'token',
  {
    digest: text('digest').primaryKey(),
    /** Public id, for administrators. */
    id: text('id').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    passwordVersion: integer('password_version').notNull(),
    /** Access key that requested the token. Deleting the key ends the token. */
    keyId: text('key_id'),
    /** User who acts by the token, and the version of that user's password. */
    actorId: text('actor_id'),
    actorVersion: integer('actor_version'),
    /** User whose token or session asked for it, if not its own user. A revocation of that user's logins ends it. */
    makerId: text('maker_id'),
    /** Id of the token or session by which it was asked for. */
    login: text('login'),
    /** `step`: a login that waits for its second factor. */
    kind: text('kind').$type<'token' | 'session' | 'link' | 'step'>().notNull(),
    lifetime: integer('lifetime').notNull(),
    /** 1: each use moves the expiry. */
    autoRefresh: integer('auto_refresh').notNull(),
    createdAt: integer('created_at').notNull(),
    /** The last use that was noted: uses soon after it are not. */
    usedAt: integer('used_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** When it ends however much it is used: with the login that made it, or with the longest session. */
    endsAt: integer('ends_at'),
    way: text('way').$type<LoginWay>().notNull(),
    /** Realm, filter or provider that accepted the login. */
    realm: text('realm'),
    /** Browser and system, and the address at the beginning. They go with the row. */
    device: text('device'),
    address: text('address'),
    /** When the person logged in, for sessions and the tokens that they asked for. */
    loginAt: integer('login_at'),
    /** 1: a session whose login had a second factor. */
    second: integer('second').notNull().default(0),
  },
  (table) => [
    index('token_user').on(table.userId, table.id),
    index('token_expiry').on(table.expiresAt),
    index('token_key').on(table.keyId).where(sql`key_id IS NOT NULL`),
    index('token_actor').on(table.actorId).where(sql`actor_id IS NOT NULL`),
    index('token_maker').on(table.makerId).where(sql`maker_id IS NOT NULL`),
    index('token_login').on(table.login).where(sql`login IS NOT NULL`),
  ],
);

/** Access keys. The secret is long and random, so a plain digest of it is as good as a slow one. */
export const accessKey = sqliteTable(
  'access_key',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text('name'),
    secret: text('secret').notNull(),
    active: integer('active').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('access_key_user').on(table.userId, table.createdAt, table.id)],
);

/** Recent logins of accounts by network, as digests. */
export const familiarNetwork = sqliteTable(
  'familiar_network',
  { pair: text('pair').primaryKey(), account: text('account').notNull(), at: integer('at').notNull() },
  (table) => [index('familiar_network_account').on(table.account, table.at), index('familiar_network_at').on(table.at)],
);

/** Where a user logged in from: digests of device and address block. */
export const loginPlace = sqliteTable(
  'login_place',
  {
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    digest: text('digest').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.digest] })],
);

/** Failed logins of an account or a network, by a digest of which. Forgotten when they expire. */
export const loginFailure = sqliteTable(
  'login_failure',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    /** No attempt is looked at before. */
    until: integer('until').notNull(),
    expires: integer('expires').notNull(),
  },
  (table) => [index('login_failure_expires').on(table.expires)],
);

/** Passkeys and apps that make codes. */
export const secondFactor = sqliteTable(
  'second_factor',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<'TOTP' | 'PASSKEY'>().notNull(),
    name: text('name').notNull(),
    /** The sealed secret of codes, or the public key of a passkey. */
    key: text('key').notNull(),
    /** Algorithm of the public key, as COSE numbers it. */
    algorithm: integer('algorithm'),
    /** Id that the authenticator gave to the passkey, and the host name that it is for. */
    credential: text('credential').unique(),
    host: text('host'),
    /** The last time step of a code, or the last count of an authenticator: nothing up to it is accepted again. */
    counter: integer('counter').notNull(),
    createdAt: integer('created_at').notNull(),
    usedAt: integer('used_at'),
  },
  (table) => [index('second_factor_user').on(table.userId, table.createdAt, table.id)],
);

/** Recovery codes by their digests. Each works once. */
export const recoveryCode = sqliteTable(
  'recovery_code',
  {
    digest: text('digest').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
  },
  (table) => [index('recovery_code_user').on(table.userId)],
);

/** Challenges that a passkey has answered, until they would expire anyway. */
export const usedChallenge = sqliteTable(
  'used_challenge',
  { digest: text('digest').primaryKey(), expires: integer('expires').notNull() },
  (table) => [index('used_challenge_expires').on(table.expires)],
);

/** Tables whose changes may end a login, or take a role away. */
export const callerTables = ['user', 'token', 'access_key', 'group', 'group_user', 'group_group'] as const;
