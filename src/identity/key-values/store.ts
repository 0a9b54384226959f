import { asc, sql } from 'drizzle-orm';
import { ServiceError } from '../../lib/errors.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Statement } from '../../store/contract.ts';
import { prepareGuard } from '../../store/guard.ts';
import { keyValue } from '../../store/schema.ts';
import { prepareQuery, prepareSqlStatement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

/** Key-value metadata, which users and groups have alike. A pair with `add` leaves the values that its key has. */
export type KeyValues = readonly (readonly [key: string, value: string, mode?: 'add'])[];

export type KeyValueOwner = 'user' | 'group';

const value = sql.placeholder;

const read = prepareQuery((db) =>
  db
    .select({ entityId: keyValue.entityId, key: keyValue.key, value: keyValue.value })
    .from(keyValue)
    .where(
      sql`${keyValue.entityType} = ${value('owner')}
        AND ${keyValue.entityId} IN (SELECT value FROM json_each(${value('ids')}))`,
    )
    .orderBy(asc(keyValue.key), asc(keyValue.position)),
);

const ofOwner = sql`entity_type = ${value('owner')} AND entity_id = ${value('id')}`;

const insert = prepareSqlStatement(
  sql`INSERT INTO key_value (entity_type, entity_id, key, position, value)
    SELECT ${value('owner')}, ${value('id')}, ${value('key')}, COALESCE(MAX(position) + 1, 0), ${value('value')}
    FROM key_value WHERE ${ofOwner} AND key = ${value('key')}`,
);

const removeKey = prepareSqlStatement(sql`DELETE FROM key_value WHERE ${ofOwner} AND key = ${value('key')}`);

const removeAll = prepareSqlStatement(sql`DELETE FROM key_value WHERE ${ofOwner}`);

/** All pairs of an owner are read at once, so there is an end to them. */
const mostPairs = 1000;
const fits = prepareGuard(sql`(SELECT COUNT(*) FROM key_value WHERE ${ofOwner}) <= ${mostPairs}`);

/** By owner, for a whole page in one read. */
export async function keyValuesOf(store: Store, owner: KeyValueOwner, ids: readonly string[]) {
  return groupBy(await read(store, { owner, ids: JSON.stringify(ids) }), (row) => row.entityId);
}

/** Sets the named keys and leaves the others, or with `clear` leaves no other. */
export function setKeyValues(owner: KeyValueOwner, id: string, pairs: KeyValues, clear: boolean): Statement[] {
  const replaced = new Set(pairs.filter(([, , mode]) => mode !== 'add').map(([key]) => key));
  const cleared = clear ? [removeAll({ owner, id })] : removeKeys(owner, id, replaced);
  if (pairs.length === 0) return cleared;
  return [
    ...cleared,
    ...pairs.map(([key, text]) => insert({ owner, id, key, value: text })),
    fits({ owner, id }, tooMany(id)),
  ];
}

export const removeKeys = (owner: KeyValueOwner, id: string, keys: Iterable<string>): Statement[] =>
  Array.from(keys, (key) => removeKey({ owner, id, key }));

function tooMany(id: string): ServiceError {
  const explanation = `Expected at most ${mostPairs} key-value pairs`;
  return new ServiceError('bad-value', { context: 'metadata', id, explanation });
}
