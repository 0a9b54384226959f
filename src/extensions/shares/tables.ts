import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Kinds of entities that are shared. */
export const targetTypes = ['item', 'collection', 'library'] as const;
export type TargetType = (typeof targetTypes)[number];

/** Links to one entity for people without an account. */
export const share = sqliteTable(
  'share',
  {
    id: text('id').primaryKey(),
    serial: integer('serial').notNull(),
    /** Id of the user whose rights count. */
    userId: text('user_id').notNull(),
    targetType: text('target_type', { enum: targetTypes }).notNull(),
    targetId: text('target_id').notNull(),
    /** Digest of the secret in the address. */
    digest: text('digest').notNull(),
    title: text('title'),
    /** Hash, as those of users. NULL: none is needed. */
    password: text('password'),
    begins: integer('begins'),
    ends: integer('ends'),
    /** NULL: any number. */
    maxUses: integer('max_uses'),
    used: integer('used').notNull().default(0),
    /** Boolean: whether guests give a name. */
    asksName: integer('asks_name').notNull(),
    /** Boolean: whether guests see items. */
    look: integer('look').notNull(),
    /** Tags of shapes, as JSON. */
    play: text('play').notNull(),
    download: text('download').notNull(),
    /** Boolean: whether guests comment on items. */
    comment: integer('comment').notNull().default(0),
    comments: integer('comments').notNull().default(0),
    /** Files that guests may upload together, and their bytes. NULL: none. */
    uploadFiles: integer('upload_files'),
    uploadBytes: integer('upload_bytes'),
    files: integer('files').notNull().default(0),
    bytes: integer('bytes').notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('share_digest').on(table.digest),
    index('share_target').on(table.targetType, table.targetId, table.serial),
    index('share_user').on(table.userId, table.serial),
  ],
);

/** Uses of shares. Each is the session of a guest. */
export const shareUse = sqliteTable(
  'share_use',
  {
    id: integer('id').primaryKey(),
    shareId: text('share_id').notNull(),
    /** Digest of the secret in the cookie. */
    digest: text('digest').notNull(),
    at: integer('at').notNull(),
    /** When the session ends. */
    until: integer('until').notNull(),
    /** Name that the guest gave. */
    name: text('name'),
    device: text('device'),
    address: text('address'),
  },
  (table) => [index('share_use_digest').on(table.digest), index('share_use_share').on(table.shareId, table.id)],
);
