import { asc, type SQL, sql } from 'drizzle-orm';
import { ServiceError } from '../../../core/lib/errors.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { guard } from '../../../core/store/guard.ts';
import { keyValue } from '../../../core/store/schema.ts';
import { eachOf, query, type Reader, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { bytesOfOne, tooHeavy } from '../page-weight.ts';

/** A pair with `add` leaves the values that its key has. */
export type KeyValue = readonly [key: string, value: string, mode?: 'add'];

/** Key-value metadata, which entities of many kinds have alike. An owner is a type of entities, `user`. */
export interface KeyValues {
  readonly pairs: readonly KeyValue[];
  /** Bytes of all keys and values that the owner has afterwards: one read of the owner writes all of them. */
  readonly mostBytes: number;
}

export const noKeyValues: KeyValues = { pairs: [], mostBytes: 0 };

const read = query((db) =>
  db
    .select({ entityId: keyValue.entityId, key: keyValue.key, value: keyValue.value })
    .from(keyValue)
    .where(
      sql`${keyValue.entityType} = ${value('owner')}
        AND ${keyValue.entityId} IN ${valuesOf('ids')}`,
    )
    .orderBy(asc(keyValue.position), asc(keyValue.key)),
);

const ofOwner = sql`entity_type = ${value('owner')} AND entity_id = ${value('id')}`;

/** Pairs keep the order in which they came. One with `first` takes the place that its key has. */
const write = statement<{ owner: string; id: string; pairs: readonly unknown[] }>(
  sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value)
    SELECT ${value('owner')}, ${value('id')}, pair.value ->> 0,
      COALESCE(
        (SELECT MIN(position) FROM key_value WHERE ${ofOwner} AND key = pair.value ->> 0 AND pair.value ->> 2 = 'first'),
        known.last + 1 + pair.key),
      pair.value ->> 1
    FROM (SELECT COALESCE(MAX(position), -1) AS last FROM key_value WHERE ${ofOwner}) AS known
      CROSS JOIN ${eachOf('pairs')} AS pair WHERE true
    ON CONFLICT (entity_type, entity_id, key, position) DO UPDATE SET value = excluded.value`,
);

const removeKey = statement(sql`DELETE FROM ${writes('key_value')} WHERE ${ofOwner} AND key = ${value('key')}`);

const removeFurther = statement(
  sql`DELETE FROM ${writes('key_value')} WHERE ${ofOwner} AND key = ${value('key')} AND position >
    (SELECT MIN(position) FROM key_value WHERE ${ofOwner} AND key = ${value('key')})`,
);

export const removeAllKeys = statement<{ owner: string; id: string }>(
  sql`DELETE FROM ${writes('key_value')} WHERE ${ofOwner}`,
);

/** Limit of pairs, since all pairs of an owner are read at once. */
const maxPairs = 1000;
const fits = guard(sql`(SELECT COUNT(*) FROM key_value WHERE ${ofOwner}) <= ${maxPairs}`);
const fitsInBytes = guard(
  sql`(SELECT TOTAL(octet_length(key) + octet_length(value)) FROM key_value WHERE ${ofOwner}) <= ${value('max')}`,
);

/** Key-values of a page of owners, in one query, by owner. */
export async function keyValuesOf(reader: Reader, owner: string, ids: readonly string[]) {
  const rows = await read(reader, { owner, ids });
  // Yields to other requests between reading and writing a large list.
  if (rows.length > light.rows) await yieldTurn();
  return groupBy(rows, (row) => row.entityId);
}

/** Ids of a page, as `given.value`, for queries of rooms beside the metadata. */
export const idsOfPage = sql`${eachOf('ids')} AS given`;

/** Limits below which the main thread reads a page itself: asking a reader thread costs more than the page. */
const light = { rows: 200, values: 500 };

/** Whether the rows of a page, and those that it skips, are few. */
export const isShort = ({ offset, limit }: { readonly offset: number; readonly limit: number }): boolean =>
  offset + limit <= light.rows;

/** The values of the entities of a page. `more`: a query that gives the id and the bytes of each further value. */
const shownOf = (owner: string, more?: SQL): SQL => sql`
  SELECT given.value AS id, octet_length(key_value.value) AS bytes FROM ${idsOfPage} CROSS JOIN key_value
    WHERE entity_type = ${owner} AND entity_id = given.value
  ${more ? sql`UNION ALL ${more}` : sql``}`;

/**
 * Prepares a check of the pages of one list. It refuses a page whose entries have more values than are written in one
 * turn.
 */
export function preparePageCheck(owner: string, more?: SQL) {
  const weigh = query(
    sql`SELECT TOTAL(1 + bytes / ${bytesOfOne}), COUNT(*) FROM (${shownOf(owner, more)} LIMIT ${value('limit')})`,
    { weight: sql<number>``, rows: sql<number>`` },
  ).reaching({ each: 'ids', upTo: 'limit', counts: ([page]) => page!.rows }).first;
  const weightOf = async (reader: Reader, ids: readonly string[], limit: number): Promise<number> =>
    ids.length === 0 ? 0 : (await weigh(reader, { ids, limit }))!.weight;

  async function check(reader: Reader, ids: readonly string[], max: number): Promise<void> {
    if ((await weightOf(reader, ids, max + 1)) <= max) return;
    throw tooHeavy(ids.length, max);
  }

  /** Whether the entries have so few values that the serving thread reads them. It looks at no more than those few. */
  check.isLight = async (reader: Reader, ids: readonly string[]): Promise<boolean> =>
    ids.length <= light.rows && (await weightOf(reader, ids, light.values + 1)) <= light.values;

  return check;
}

/** Prepares what each entity of a page weighs by its values, for pages that come in lots. */
export function prepareWeights(owner: string, more?: SQL) {
  const weigh = query(
    sql`SELECT id, TOTAL(1 + bytes / ${bytesOfOne}), COUNT(*) FROM (${shownOf(owner, more)} LIMIT ${value('max')})
      GROUP BY id`,
    { id: sql<string>``, weight: sql<number>``, values: sql<number>`` },
  ).reaching({ each: 'ids', upTo: 'max', counts: (rows) => rows.reduce((sum, { values }) => sum + values, 0) });
  return async (reader: Reader, ids: readonly string[]): Promise<(id: string) => number> => {
    const rows = await weigh(reader, { ids });
    const weights = new Map(rows.map(({ id, weight }) => [id, weight]));
    return (id) => weights.get(id) ?? 0;
  };
}

/** Sets the named keys and leaves the others, or with `clear` leaves no other. */
export function setKeyValues(owner: string, id: string, wanted: KeyValues, clear: boolean): Statement[] {
  const { pairs, mostBytes } = wanted;
  if (pairs.length === 0 && !clear) return [];
  const replaced = new Set(pairs.filter(([, , mode]) => mode !== 'add').map(([key]) => key));
  const cleared = clear
    ? [removeAllKeys({ owner, id })]
    : Array.from(replaced, (key) => removeFurther({ owner, id, key }));
  if (pairs.length === 0) return cleared;
  const placed = pairs.map(([key, text]) => (replaced.delete(key) ? [key, text, 'first'] : [key, text]));
  return [
    ...cleared,
    write({ owner, id, pairs: placed }),
    fits({ owner, id }, tooMany(id, `${maxPairs} key-value pairs`)),
    fitsInBytes({ owner, id, max: mostBytes }, tooMany(id, `${mostBytes} bytes of keys and values`)),
  ];
}

export const removeKeys = (owner: string, id: string, keys: Iterable<string>): Statement[] =>
  Array.from(keys, (key) => removeKey({ owner, id, key }));

function tooMany(id: string, max: string): ServiceError {
  const explanation = `Expected at most ${max}`;
  return new ServiceError('bad-value', { context: 'metadata', id, explanation });
}
