import { deleteBy, insertInto, putInto, rowBy } from '../../core/store/rows.ts';
import { query, sql, value } from '../../core/store/statement.ts';
import { deleted, goesWith, triggers } from '../../core/store/triggers-sql.ts';
import { sound, soundLevel } from './tables.ts';

/** Measured sound of a shape. */
export const findSound = rowBy(sound, 'shapeId');

export type SoundRow = NonNullable<Awaited<ReturnType<typeof findSound>>>;

export const putSound = putInto(sound, 'shapeId');

/** The channels of a shape, those of one stream and of one number alone where they are named: below zero, all. */
export const levelsOf = query(
  sql`SELECT stream, channel, bucket, levels FROM sound_level WHERE shape_id = ${value('shapeId')}
    AND (${value('stream')} < 0 OR stream = ${value('stream')})
    AND (${value('channel')} < 0 OR channel = ${value('channel')}) ORDER BY stream, channel`,
  {
    stream: soundLevel.stream,
    channel: soundLevel.channel,
    bucket: soundLevel.bucket,
    levels: sql<Uint8Array<ArrayBuffer>>``,
  },
);

export type LevelRow = Awaited<ReturnType<typeof levelsOf>>[number];

export const forgetLevels = deleteBy(soundLevel, 'shapeId');

export const putLevels = insertInto(soundLevel);

/** Energies of all channels of a shape. */
export const energiesOf = query(
  sql`SELECT stream, channel, energies FROM sound_level WHERE shape_id = ${value('shapeId')}
    ORDER BY stream, channel`,
  { stream: soundLevel.stream, channel: soundLevel.channel, energies: sql<Uint8Array<ArrayBuffer>>`` },
);

/** Measures are deleted with their shape. */
export const soundSchema = (): readonly string[] =>
  triggers({ sound_shape_gone: deleted('shape', goesWith({ sound: 'shape_id', sound_level: 'shape_id' })) });
