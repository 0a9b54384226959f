import { blob, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { wideRows } from '../../core/store/tables-sql.ts';

/** Measured sound of a shape. */
export const sound = sqliteTable('sound', {
  shapeId: text('shape_id').primaryKey(),
  fileId: text('file_id').notNull(),
  measuredAt: integer('measured_at').notNull(),
  seconds: real('seconds').notNull(),
  /** Loudness in LUFS. NULL: silence. */
  loudness: real('loudness'),
  /** Loudness range in LU. */
  loudnessRange: real('loudness_range'),
  /** Channels that the loudness was measured on, a list as JSON. */
  mix: text('mix').notNull(),
});

/** Amplitudes of one channel. */
export const soundLevel = wideRows(
  sqliteTable(
    'sound_level',
    {
      shapeId: text('shape_id').notNull(),
      stream: integer('stream').notNull(),
      channel: integer('channel').notNull(),
      /** Seconds that one level stands for. */
      bucket: real('bucket').notNull(),
      /** Amplitudes from 0 to 65,535, as two bytes each, little endian. */
      levels: blob('levels', { mode: 'buffer' }).$type<Uint8Array<ArrayBuffer>>().notNull(),
      /** Energies of 100 ms each, packed. Empty: the sound has more than are kept. */
      energies: blob('energies', { mode: 'buffer' }).$type<Uint8Array<ArrayBuffer>>().notNull(),
    },
    (table) => [primaryKey({ columns: [table.shapeId, table.stream, table.channel] })],
  ),
);
