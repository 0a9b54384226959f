import { asc, eq, sql } from 'drizzle-orm';
import { groupBy } from '../../lib/group-by.ts';
import type { Statement } from '../../store/contract.ts';
import { keyValue } from '../../store/schema.ts';
import { prepareQuery, prepareStatement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

/** Key-value metadata, which users and groups have alike. */
export type KeyValues = readonly (readonly [key: string, value: string])[];

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

const insert = prepareStatement((db) =>
  db.insert(keyValue).values({
    entityType: value('owner'),
    entityId: value('id'),
    key: value('key'),
    position: value('position'),
    value: value('value'),
  }),
);

const removeKey = prepareStatement((db) =>
  db.delete(keyValue).where(
    sql`${keyValue.entityType} = ${value('owner')} AND ${eq(keyValue.entityId, value('id'))}
        AND ${eq(keyValue.key, value('key'))}`,
  ),
);

const removeAll = prepareStatement((db) =>
  db.delete(keyValue).where(sql`${keyValue.entityType} = ${value('owner')} AND ${eq(keyValue.entityId, value('id'))}`),
);

/** By owner, for a whole page in one read. */
export async function keyValuesOf(store: Store, owner: KeyValueOwner, ids: readonly string[]) {
  return groupBy(await read(store, { owner, ids: JSON.stringify(ids) }), (row) => row.entityId);
}

/** Sets the named keys and leaves the others, or with `clear` leaves no other. */
export function setKeyValues(owner: KeyValueOwner, id: string, pairs: KeyValues, clear: boolean): Statement[] {
  const keys = groupBy(pairs, ([key]) => key);
  const cleared = clear ? [removeAll({ owner, id })] : [...keys.keys()].map((key) => removeKey({ owner, id, key }));
  const inserted = [...keys.values()].flatMap((values) =>
    values.map(([key, text], position) => insert({ owner, id, key, position, value: text })),
  );
  return [...cleared, ...inserted];
}
