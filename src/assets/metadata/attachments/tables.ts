import { customType, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../../core/store/tables-sql.ts';

/** Bytes as the driver returns them: the built-in type would make a Buffer, which only Node has. */
const bytes = customType<{ data: Uint8Array<ArrayBuffer> }>({ dataType: () => 'blob' });

/** Content that clients attach to an entity: sequences, timelines, project definitions, datasets. */
export const attachment = wideRows(
  sqliteTable(
    'attachment',
    {
      ownerType: text('owner_type').notNull(),
      ownerId: text('owner_id').notNull(),
      kind: text('kind').notNull(),
      /** Unique per owner and kind: for a sequence, its format. */
      name: text('name').notNull(),
      mediaType: text('media_type').notNull(),
      content: bytes('content').notNull(),
      changedAt: integer('changed_at').notNull(),
    },
    (table) => [primaryKey({ columns: [table.ownerType, table.ownerId, table.kind, table.name] })],
  ),
);

/** Values of bulky metadata, which are neither indexed nor searchable. */
export const bulkyValue = wideRows(
  sqliteTable(
    'bulky_value',
    {
      ownerType: text('owner_type').notNull(),
      ownerId: text('owner_id').notNull(),
      key: text('key').notNull(),
      /** Interval in original notation. */
      start: text('start').notNull(),
      end: text('end').notNull(),
      /** -1: no stream, no channel. */
      stream: integer('stream').notNull(),
      channel: integer('channel').notNull(),
      /** Empty: no track. */
      track: text('track').notNull(),
      /** Interval in seconds. */
      startSeconds: real('start_seconds').notNull(),
      endSeconds: real('end_seconds').notNull(),
      /** JSON: a string, or lists of pairs. */
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
  ),
);
