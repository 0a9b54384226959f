import type { SqlValue } from '../../core/store/contract.ts';
import { counting } from '../../core/store/revision.ts';
import { eachOf, nearReader, query, type Reader, sql, value, valuesOf } from '../../core/store/statement.ts';
import { deleted, inserted, moved, triggers } from '../../core/store/triggers-sql.ts';
import { type Condition, contextWhere, mayHaveAll, readableWhere, rowWhere } from './store.ts';
import type { Viewer } from './viewer.ts';

/** Page of ids, newest first, with the total. */
interface ListedIds {
  readonly hits: number | undefined;
  readonly ids: readonly string[];
}

export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  /** Upper bound of serials, exclusive. */
  readonly below: number;
  readonly counts: boolean;
}

type Listed = 'item' | 'collection';

/** Number of readable entities up to which they are sorted. With more, scanning the newest is faster. */
const few = 2000;

/** Newest entities among which the serving thread looks for a page, and characters of the contexts that it tries. */
const [light, maxLightLength] = [500, 10_000];

/** Number of entities that a viewer may read, from counters. */
async function countReadable(reader: Reader, viewer: Viewer, type: Listed): Promise<number> {
  const first = async (text: string, values: readonly SqlValue[]) =>
    Number((await reader.read(text, values, 'one'))[0]![0]);
  if (mayHaveAll(viewer, type)) return first('SELECT value FROM counter WHERE name = ?', [`${type}s`]);
  const ofContexts = `(SELECT COALESCE(sum(entities), 0) FROM access_context
    WHERE kind = ? AND id IN (SELECT value FROM json_each(?)))`;
  const unreadable = viewer.contexts?.unreadable(type);
  if (unreadable !== undefined) {
    const all = '(SELECT value FROM counter WHERE name = ?)';
    return first(`SELECT ${all} - ${ofContexts}`, [`${type}s`, type, unreadable]);
  }
  const contexts = viewer.contexts?.having('READ') ?? '[]';
  const alone = type === 'item' ? viewer.contexts?.alone('READ') : undefined;
  if (!alone) return first(`SELECT ${ofContexts}`, [type, contexts]);
  const those = '(SELECT count(*) FROM json_each(?) AS given CROSS JOIN item ON item.id = given.value';
  return first(`SELECT ${ofContexts} + ${those}) - ${those} AND item.context IN (SELECT value FROM json_each(?)))`, [
    type,
    contexts,
    alone.having,
    alone.all,
    contexts,
  ]);
}

/** Page of entities of a kind that a viewer may read. */
export async function listEntities(reader: Reader, viewer: Viewer, type: Listed, page: ListPage): Promise<ListedIds> {
  const { offset, limit, below, counts } = page;
  const scanned = rowWhere(viewer, type, type);
  const isLight = sizeOf(scanned.values) < maxLightLength;
  const near = nearReader(reader, isLight);
  const counted = counts || !mayHaveAll(viewer, type) ? countReadable(near, viewer, type) : undefined;
  const rowsOf = async (by: Reader, { text, values }: Condition, rows: string = type) => {
    const sql = `SELECT id FROM ${rows} WHERE serial < ?1 AND ${text} ORDER BY serial DESC LIMIT ? OFFSET ?`;
    return (await by.read(sql, [below, ...values, limit, offset])).map(([id]) => String(id));
  };
  if (mayHaveAll(viewer, type)) {
    const by = offset < few ? near : reader;
    const [hits, ids] = await Promise.all([counted, rowsOf(by, scanned)]);
    return { hits, ids };
  }
  const hits = (await counted)!;
  const shown = counts ? hits : undefined;
  if (hits < few) {
    const isNearlyAll = viewer.contexts?.unreadable(type) !== undefined;
    return { hits: shown, ids: await rowsOf(near, isNearlyAll ? scanned : contextWhere(viewer, type, type)) };
  }
  if (isLight && reader.lookups) {
    const newest = `(SELECT id, serial, context FROM ${type} WHERE serial < ?1 ORDER BY serial DESC LIMIT ${light})`;
    const ids = await rowsOf(near, scanned, `${newest} AS ${type}`);
    if (ids.length === limit) return { hits: shown, ids };
  }
  return { hits: shown, ids: await rowsOf(reader, scanned) };
}

interface Members {
  readonly items: number;
  readonly collections: number;
}

/** By collection and kind: members that inherit access, those in readable contexts, and the number of contexts. */
const membersByContext = query(
  sql`SELECT collection, kind, sum(entities),
      sum(CASE WHEN id IN ${valuesOf('contexts')} THEN entities ELSE 0 END), count(*)
    FROM (SELECT given.value AS collection, context.kind, context.entities, context.id
      FROM ${eachOf('ids')} AS given
        CROSS JOIN access_context_parent AS parent ON parent.collection_id = given.value
        CROSS JOIN access_context AS context ON context.id = parent.context
      LIMIT ${value('max')})
    GROUP BY collection, kind`,
  {
    id: sql<string>``,
    kind: sql<string>``,
    members: sql<number>``,
    readable: sql<number>``,
    contexts: sql<number>``,
  },
).reaching({ each: 'ids', upTo: 'max', counts: (rows) => rows.reduce((sum, row) => sum + row.contexts, 0) });

/**
 * Numbers of members that a viewer may read, of collections with the numbers of all members. All entities of a context
 * are in the same collections, except for members that inherit no access: where there are such, rows are counted.
 */
export async function readableMembers(
  reader: Reader,
  viewer: Viewer,
  collections: readonly (readonly [id: string, items: number, collections: number, ...more: unknown[]])[],
): Promise<ReadonlyMap<string, Members>> {
  if (mayHaveAll(viewer, 'item') && mayHaveAll(viewer, 'collection'))
    return new Map(collections.map(([id, items, inner]) => [id, { items, collections: inner }]));
  const ids = collections.map(([id]) => id);
  const contexts = viewer.contexts?.having('READ') ?? '[]';
  const rows = await membersByContext(reader, { ids, contexts });
  const byKind = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  const counts = new Map<string, Members>();
  for (const [id, items, inner] of collections) {
    const [ofItems, ofInner] = [byKind.get(`item ${id}`), byKind.get(`collection ${id}`)];
    const isWhole = (ofItems?.members ?? 0) === items && (ofInner?.members ?? 0) === inner;
    const hasOthers = items > 0 && viewer.contexts?.alone('READ') !== undefined;
    if (isWhole && !hasOthers) counts.set(id, { items: ofItems?.readable ?? 0, collections: ofInner?.readable ?? 0 });
  }
  const left = ids.filter((id) => !counts.has(id));
  if (left.length > 0) for (const [id, members] of await countMembers(reader, viewer, left)) counts.set(id, members);
  return counts;
}

async function countMembers(
  reader: Reader,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (readonly [string, Members])[]> {
  const counted = (kind: Listed) => {
    const { text, values } = readableWhere(viewer, kind, 'member.member_id');
    const sql = `(SELECT count(*) FROM collection_member AS member
      WHERE member.collection_id = given.value AND member.member_type = '${kind}' AND ${text})`;
    return { sql, values };
  };
  const [items, collections] = [counted('item'), counted('collection')];
  const rows = await reader.read(`SELECT given.value, ${items.sql}, ${collections.sql} FROM json_each(?) AS given`, [
    ...items.values,
    ...collections.values,
    JSON.stringify(ids),
  ]);
  return rows.map(([id, ...counts]) => [String(id), { items: Number(counts[0]), collections: Number(counts[1]) }]);
}

const sizeOf = (values: readonly SqlValue[]): number =>
  values.reduce<number>((size, value) => size + (typeof value === 'string' ? value.length : 8), 0);

const kinds = [
  ['item', 'items'],
  ['collection', 'collections'],
] as const;

const inContext = (row: string, sign: string): string =>
  `UPDATE access_context SET entities = entities ${sign} 1 WHERE id = ${row}.context`;

/** Counters of items and collections, in total and per context, so that lists need not count rows. */
export const countedSchema = (): readonly string[] =>
  kinds.flatMap(([kind, name]) => {
    const counted = (row: string, sign: '+' | '-') => [counting(`'${name}'`, sign), inContext(row, sign)];
    return [
      `INSERT INTO "counter" ("name", "value") VALUES ('${name}', 0)`,
      ...triggers({
        [`counted_${kind}_made`]: inserted(kind, counted),
        [`counted_${kind}_gone`]: deleted(kind, counted),
        [`counted_${kind}_moved`]: moved(kind, 'context', inContext, 'OLD.context IS NOT NEW.context'),
      }),
    ];
  });
