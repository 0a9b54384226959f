import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../core/store/tables-sql.ts';

/** A storage. Callers do not see a deleted one; background work deletes the rows of its files. */
export const storage = wideRows(
  sqliteTable(
    'storage',
    {
      id: text('id').primaryKey(),
      serial: integer('serial').notNull(),
      type: text('type').notNull(),
      state: text('state').notNull(),
      capacity: integer('capacity').notNull(),
      /** Free bytes at the last check of the disk. NULL unless `auto_detect`. */
      freeDetected: integer('free_detected'),
      autoDetect: integer('auto_detect').notNull(),
      lowWatermark: integer('low_watermark').notNull(),
      highWatermark: integer('high_watermark').notNull(),
      scanInterval: integer('scan_interval').notNull(),
      showImportables: integer('show_importables').notNull(),
      priority: text('priority').notNull(),
      /** Other properties of the document, as JSON, returned unchanged. */
      rest: text('rest').notNull(),
      /** End of the last scan. */
      seenAt: integer('seen_at'),
      version: integer('version').notNull(),
      createdAt: integer('created_at').notNull(),
      deletedAt: integer('deleted_at'),
    },
    (table) => [
      index('storage_live').on(table.serial).where(sql`deleted_at IS NULL`),
      index('storage_evacuating').on(table.serial).where(sql`state = 'EVACUATING'`),
      index('storage_deleted').on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
    ],
  ),
);

/** A way to the files of a storage. All methods of one storage lead to the same place. */
export const storageMethod = wideRows(
  sqliteTable(
    'storage_method',
    {
      id: text('id').primaryKey(),
      serial: integer('serial').notNull(),
      storageId: text('storage_id').notNull(),
      /** Without name and password. */
      uri: text('uri').notNull(),
      /** User name of the address, or an access key. */
      userName: text('user_name'),
      /** Encrypted password or secret key. */
      sealed: text('sealed'),
      read: integer('read').notNull(),
      write: integer('write').notNull(),
      browse: integer('browse').notNull(),
      bandwidth: integer('bandwidth').notNull(),
      type: text('type').notNull(),
      lastSuccess: integer('last_success'),
      lastFailure: integer('last_failure'),
      failureMessage: text('failure_message'),
      /** Identity of the file system or bucket seen at the address. */
      identity: text('identity'),
      version: integer('version').notNull(),
    },
    (table) => [
      uniqueIndex('storage_method_uri').on(table.storageId, table.uri),
      index('storage_method_by_uri').on(table.uri),
    ],
  ),
);

export const storageGroup = sqliteTable('storage_group', {
  name: text('name').primaryKey(),
  createdAt: integer('created_at').notNull(),
});

export const storageGroupMember = sqliteTable(
  'storage_group_member',
  { groupName: text('group_name').notNull(), storageId: text('storage_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.groupName, table.storageId] }),
    index('storage_group_member_storage').on(table.storageId, table.groupName),
  ],
);

/** A file of a storage. A path that is free again, because its file waits for deletion, may have another row. */
export const file = wideRows(
  sqliteTable(
    'file',
    {
      id: text('id').primaryKey(),
      serial: integer('serial').notNull(),
      storageId: text('storage_id').notNull(),
      path: text('path').notNull(),
      /** The path up to its last part, with "/" at its end; empty at the top. */
      folder: text('folder').notNull(),
      /** The last part of the path, and what follows its last dot: lists sort by them. */
      name: text('name').notNull(),
      extension: text('extension').notNull(),
      state: text('state').notNull(),
      /** NULL: not known. */
      size: integer('size'),
      /** Microseconds since the epoch, as the storage reports it. */
      modified: integer('modified'),
      /** Version of the bytes, as the driver names it: see `StoredFile`. */
      content: text('content'),
      identity: text('identity'),
      /** SHA-1. Other algorithms are key-value metadata. */
      hash: text('hash'),
      /** SHA-1 and SHA-256 of the same bytes, with a colon between. It counts while its first one is `hash`. */
      digest: text('digest'),
      /** Set while the bytes wait to be hashed. */
      hashDue: integer('hash_due'),
      /** Time of the last observed change of size or modification time. */
      changedAt: integer('changed_at').notNull(),
      /** Time when the file was last seen or changed. */
      timestamp: integer('timestamp').notNull(),
      /** Changes with each update of the row. */
      version: integer('version').notNull(),
      /** Time at which the bytes of a TO_BE_DELETED file may be removed. */
      deleteDue: integer('delete_due'),
    },
    (table) => [
      uniqueIndex('file_path').on(table.storageId, table.path).where(sql`state <> 'TO_BE_DELETED'`),
      index('file_folder').on(table.storageId, table.folder, table.serial).where(sql`state <> 'TO_BE_DELETED'`),
      index('file_path_waiting').on(table.storageId, table.path).where(sql`state = 'TO_BE_DELETED'`),
      index('file_serial').on(table.serial),
      index('file_storage').on(table.storageId, table.serial),
      index('file_state').on(table.storageId, table.state, table.serial),
      index('file_size').on(table.storageId, table.size, table.serial),
      index('file_timestamp').on(table.storageId, table.timestamp, table.serial),
      index('file_name').on(table.storageId, table.name, table.serial),
      index('file_extension').on(table.storageId, table.extension, table.serial),
      index('file_hash').on(table.hash).where(sql`hash IS NOT NULL`),
      index('file_identity').on(table.identity).where(sql`identity IS NOT NULL`),
      index('file_hash_due').on(table.storageId, table.hashDue).where(sql`hash_due IS NOT NULL`),
      index('file_delete_due').on(table.deleteDue).where(sql`delete_due IS NOT NULL`),
    ],
  ),
);

/** Files and bytes by storage and state, kept by triggers: no request counts rows. */
export const fileUsage = sqliteTable(
  'file_usage',
  {
    storageId: text('storage_id').notNull(),
    state: text('state').notNull(),
    files: integer('files').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.storageId, table.state] })],
);

/** Uses of files by components. The room of items and shapes writes the rows; files only read them. */
export const fileUse = sqliteTable(
  'file_use',
  {
    fileId: text('file_id').notNull(),
    itemId: text('item_id').notNull(),
    shapeId: text('shape_id').notNull(),
    componentId: text('component_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.componentId] }),
    index('file_use_item').on(table.itemId, table.fileId),
    index('file_use_component').on(table.componentId, table.fileId),
  ],
);

/** Number of uses of a storage's files, kept by triggers. */
export const fileUseCount = sqliteTable('file_use_count', {
  storageId: text('storage_id').primaryKey(),
  uses: integer('uses').notNull(),
});

/** An upload in parts. `name` is the client's word, so it counts only together with owner and target. */
export const transfer = wideRows(
  sqliteTable(
    'transfer',
    {
      id: text('id').primaryKey(),
      owner: text('owner').notNull(),
      /** Target of the bytes, such as a new path or a file. */
      target: text('target').notNull(),
      name: text('name').notNull(),
      storageId: text('storage_id').notNull(),
      methodId: text('method_id').notNull(),
      path: text('path').notNull(),
      fileId: text('file_id'),
      mode: text('mode').notNull(),
      size: integer('size').notNull(),
      /** Received bytes, as JSON: sorted pairs of start and end that do not touch. */
      ranges: text('ranges').notNull(),
      received: integer('received').notNull(),
      token: text('token').notNull(),
      state: text('state').notNull(),
      priority: integer('priority').notNull(),
      /** Values of the upload's protocol, as JSON. */
      rest: text('rest').notNull(),
      version: integer('version').notNull(),
      createdAt: integer('created_at').notNull(),
      touchedAt: integer('touched_at').notNull(),
    },
    (table) => [
      uniqueIndex('transfer_name').on(table.owner, table.target, table.name),
      index('transfer_token').on(table.token),
      index('transfer_open').on(table.owner, table.state, table.createdAt, table.size),
      index('transfer_state').on(table.state, table.touchedAt),
      index('transfer_by_name').on(table.name),
    ],
  ),
);

/**
 * Staged bytes that are about to get their path: written ahead, so that a start finishes or undoes what it finds. A path
 * has one at a time: a request that changes the bytes at a path first writes a row here.
 */
export const publication = wideRows(
  sqliteTable(
    'publication',
    {
      id: text('id').primaryKey(),
      token: text('token').notNull(),
      /** The upload in parts whose bytes they are. */
      transferId: text('transfer_id'),
      methodId: text('method_id').notNull(),
      storageId: text('storage_id').notNull(),
      path: text('path').notNull(),
      fileId: text('file_id').notNull(),
      mode: text('mode').notNull(),
      /** State of the file after the publication. */
      state: text('state').notNull(),
      size: integer('size').notNull(),
      hash: text('hash'),
      digest: text('digest'),
      /** Uploading user, as JSON. Events name this user. */
      actor: text('actor').notNull(),
      at: integer('at').notNull(),
      /** Instance that owns the publication, and the end of its lease. */
      instance: text('instance').notNull(),
      leaseUntil: integer('lease_until').notNull(),
    },
    (table) => [
      uniqueIndex('publication_path').on(table.storageId, table.path),
      index('publication_token').on(table.token),
      index('publication_lease').on(table.leaseUntil),
    ],
  ),
);

/** The scan of each storage: one at a time over all instances, resumed from its cursor. */
export const storageScan = sqliteTable(
  'storage_scan',
  {
    storageId: text('storage_id').primaryKey(),
    /** Start of the next scan. NULL: only on demand. */
    due: integer('due'),
    instance: text('instance').notNull(),
    leaseUntil: integer('lease_until').notNull(),
    fence: integer('fence').notNull(),
    /** Up to this path the running one is done. NULL: none runs. */
    cursor: text('cursor'),
    startedAt: integer('started_at'),
    endedAt: integer('ended_at'),
    /** Counters of the running scan, as JSON. */
    found: text('found').notNull(),
    /** Reason why the scan needs a decision of an administrator. */
    problem: text('problem'),
  },
  (table) => [index('storage_scan_due').on(table.due)],
);

/** Placement rules of files of an entity, by shape tag. An empty tag stands for all tags. */
export const storageRule = sqliteTable(
  'storage_rule',
  {
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    tag: text('tag').notNull(),
    precedence: integer('precedence').notNull(),
    document: text('document').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entityType, table.entityId, table.tag] }),
    index('storage_rule_tag').on(table.tag, table.entityType),
  ],
);

export const autoImportRule = wideRows(
  sqliteTable('auto_import_rule', {
    storageId: text('storage_id').primaryKey(),
    enabled: integer('enabled').notNull(),
    document: text('document').notNull(),
    /** Id of the user whose roles say how urgent its jobs may be. NULL: nobody. */
    author: text('author'),
  }),
);

/** Files that jobs name. The rows of a job go with its end. */
export const fileJob = sqliteTable(
  'file_job',
  {
    fileId: text('file_id').notNull(),
    jobId: text('job_id').notNull(),
    /** Set while the job needs the bytes as they are. */
    reads: integer('reads').notNull(),
    /** NULL: the job has not ended. Otherwise until when nothing moves the file again by itself. */
    restUntil: integer('rest_until'),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.jobId] }), index('file_job_job').on(table.jobId)],
);
