import { customType, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** As the database has them: the builder would make a Buffer of them, which only one platform has. */
const bytes = customType<{ data: Uint8Array<ArrayBuffer> }>({ dataType: () => 'blob' });

/** What clients keep beside an entity as a whole: sequences, timelines, project definitions, datasets. */
export const attachment = sqliteTable(
  'attachment',
  {
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    kind: text('kind').notNull(),
    /** Among those of its kind: the format of a sequence. */
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    content: bytes('content').notNull(),
    changedAt: integer('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerType, table.ownerId, table.kind, table.name] })],
);

/** Values of bulky metadata, which no index and no search knows. */
export const bulkyValue = sqliteTable(
  'bulky_value',
  {
    ownerType: text('owner_type').notNull(),
    ownerId: text('owner_id').notNull(),
    key: text('key').notNull(),
    /** The interval as it was written. */
    start: text('start').notNull(),
    end: text('end').notNull(),
    /** -1: of no stream, of no channel. */
    stream: integer('stream').notNull(),
    channel: integer('channel').notNull(),
    /** Empty: of no track. */
    track: text('track').notNull(),
    /** The interval in seconds. */
    startSeconds: real('start_seconds').notNull(),
    endSeconds: real('end_seconds').notNull(),
    /** As JSON: a text, or lists of pairs. */
    value: text('value').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.ownerType,
        table.ownerId,
        table.key,
        table.start,
        table.end,
        table.stream,
        table.channel,
        table.track,
      ],
    }),
    index('bulky_value_time').on(table.ownerType, table.ownerId, table.key, table.startSeconds),
  ],
);
