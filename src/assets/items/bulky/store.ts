import { sql } from 'drizzle-orm';
import { guard } from '../../../core/store/guard.ts';
import { resultColumns } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { bulkyValue, type AttachmentOwner as Owner } from '../../metadata/public.ts';

const ofOwner = sql`owner_type = ${value('type')} AND owner_id = ${value('id')}`;
/** Overlap with an interval. Values without duration also match at both ends. */
const within = sql`${ofOwner} AND key = ${value('key')}
  AND ((start_seconds < ${value('until')} AND end_seconds > ${value('from')})
    OR (start_seconds = end_seconds AND start_seconds BETWEEN ${value('from')} AND ${value('until')}))`;

export const bulkyKeys = query(
  sql`SELECT DISTINCT key FROM bulky_value WHERE ${ofOwner} ORDER BY key LIMIT ${value('limit')}`,
  { key: bulkyValue.key },
);

const columns = {
  key: bulkyValue.key,
  start: bulkyValue.start,
  end: bulkyValue.end,
  stream: bulkyValue.stream,
  channel: bulkyValue.channel,
  track: bulkyValue.track,
  value: bulkyValue.value,
};

const selected = sql`SELECT ${resultColumns(columns)} FROM bulky_value`;

const inOrder = sql`ORDER BY start_seconds, end_seconds, stream, channel, track`;

/** Values of a key, sorted by interval. */
export const valuesIn = query(sql`${selected} WHERE ${within} ${inOrder}`, columns);

/** Row ids and lengths of the values, in the same order. */
export const sizesIn = query(sql`SELECT rowid, octet_length(value) FROM bulky_value WHERE ${within} ${inOrder}`, {
  row: sql<number>``,
  bytes: sql<number>``,
});

/** Values by their row ids. `rows`: JSON, a list. */
export const valuesAt = query(
  sql`${selected}
    WHERE rowid IN ${valuesOf('rows')} AND ${within} ${inOrder}`,
  columns,
);
export type BulkyRow = Awaited<ReturnType<typeof valuesIn>>[number];

/** Values of several keys, sorted by key and interval. `keys`: JSON array. */
export const valuesOfKeys = query(
  sql`${selected}
    WHERE ${ofOwner} AND key IN ${valuesOf('keys')}
    ORDER BY key, start_seconds, end_seconds, stream, channel, track LIMIT ${value('limit')}`,
  columns,
);

/** Inserts values. `values`: JSON array of arrays in the order of the columns. */
export const writeBulkyValues = statement<Owner & { values: readonly unknown[] }>(
  sql`INSERT INTO ${writes('bulky_value')} (owner_type, owner_id, key, start, end, stream, channel, track, start_seconds,
      end_seconds, value)
    SELECT ${value('type')}, ${value('id')}, given.value ->> 0, given.value ->> 1, given.value ->> 2,
      given.value ->> 3, given.value ->> 4, given.value ->> 5, given.value ->> 6, given.value ->> 7, given.value ->> 8
      FROM ${eachOf('values')} AS given WHERE TRUE
    ON CONFLICT (owner_type, owner_id, key, start, end, stream, channel, track) DO UPDATE SET value = excluded.value`,
);

export const removeValues = statement<Owner & { key: string; from: number; until: number }>(
  sql`DELETE FROM ${writes('bulky_value')} WHERE ${within}`,
);

export const removeAllValues = statement<Owner>(sql`DELETE FROM ${writes('bulky_value')} WHERE ${ofOwner}`);

export const valuesFit = guard<Owner & { max: number }>(
  sql`(SELECT count(*) FROM (SELECT 1 FROM bulky_value WHERE ${ofOwner} LIMIT ${value('max')} + 1)) <= ${value('max')}`,
);
