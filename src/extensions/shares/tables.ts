import { sql } from 'drizzle-orm';
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
    /** The maker at the last change, as JSON: the share ends with its logins. */
    caller: text('caller').notNull(),
    /** Id of the token or session by which the maker came. */
    login: text('login'),
    targetType: text('target_type', { enum: targetTypes }).notNull(),
    targetId: text('target_id').notNull(),
    /** Digest of the secret in the address. */
    digest: text('digest').notNull(),
    /** The secret, sealed by the key of the service. NULL: it has none, or an earlier version made the share. */
    sealed: text('sealed'),
    /** Boolean: whether the library was made for its shares, and goes with the last one. */
    ownsTarget: integer('owns_target').notNull().default(0),
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
    /** Boolean: whether guests play, and whether they download. */
    plays: integer('plays').notNull().default(0),
    downloads: integer('downloads').notNull().default(0),
    /** Tags of the shapes that they get, as JSON. Empty: the service chooses for each item. */
    play: text('play').notNull(),
    download: text('download').notNull(),
    /** Sentence of the maker for guests. */
    note: text('note'),
    /** Boolean: whether guests comment on items. */
    comment: integer('comment').notNull().default(0),
    /** Mark of each viewer, as JSON. NULL: none. */
    mark: text('mark'),
    comments: integer('comments').notNull().default(0),
    /** Files that guests may upload together, and their bytes. NULL: none. Below: those that have become items. */
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
    index('share_login').on(table.login).where(sql`login IS NOT NULL`),
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
    /** Network of the address. The one with the most uses of a share loses its oldest first. */
    network: text('network').notNull().default(''),
  },
  (table) => [index('share_use_digest').on(table.digest), index('share_use_share').on(table.shareId, table.id)],
);

/** Files that guests send. Each has its place among the bounds of the share until it is an item. */
export const shareUpload = sqliteTable(
  'share_upload',
  {
    id: text('id').primaryKey(),
    shareId: text('share_id').notNull(),
    /** Guest who sends it. */
    useId: integer('use_id').notNull(),
    /** Name that the guest gave. */
    guest: text('guest'),
    /** Upload of the maker that takes the bytes. Empty: it has not begun, or comes in one request. */
    transferId: text('transfer_id').notNull(),
    /** Name of the file. Empty: it has none. */
    file: text('file').notNull().default(''),
    size: integer('size').notNull(),
    /** Item that it has become, and the title of the share then. Both outlive the share. */
    itemId: text('item_id'),
    title: text('title'),
    /** When it has become an item, or else when it gives its place back without further parts. */
    ends: integer('ends').notNull(),
  },
  (table) => [
    index('share_upload_share').on(table.shareId, table.ends),
    index('share_upload_use').on(table.useId),
    index('share_upload_item').on(table.itemId).where(sql`item_id IS NOT NULL`),
  ],
);
