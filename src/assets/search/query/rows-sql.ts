import { once } from '../../../core/lib/cache.ts';
import type { Row } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import {
  type Condition,
  type RequiredLevel,
  readableSerial,
  readableWhere,
  type Viewer,
} from '../../access/public-reading.ts';
import { isText } from '../../definitions/public-reading.ts';
import { collectionsFrom, fieldNumber, rangeOf } from '../index/keys.ts';
import type { FieldForm } from '../index/values.ts';
import { seesAll } from './access.ts';
import { type Fact, isIndexed, type SearchKind } from './ast.ts';
import { always, around, fragment, joined, openAt } from './conditions.ts';
import type { Scope } from './conditions-sql.ts';
import { valuesOfFact } from './facts-sql.ts';
import type { Keyset, SortTerm, ValueCount, ValueLimits } from './page.ts';
import { type HitRow, noKeys } from './page.ts';
import type { SingleCondition } from './single.ts';

/** Query plan of a search: the text index first if it narrows, and further conditions. */
export interface Plan {
  readonly kind: SearchKind;
  readonly match: string | undefined;
  where(): Condition;
  /** Places in an order, of which each hit has one. Set if no text index narrows. */
  readonly places?: Condition | undefined;
  /** Set if a single word or range decides. */
  readonly single?: SingleCondition | undefined;
  /** Defined for word searches over items by a viewer with restricted rights. */
  readonly readableList?: (() => ReadableList | undefined) | undefined;
  /** Condition equal to that of `where`, for readers that bring single entities as `e`. */
  probe?(): Condition;
  /** True: the tables of the entities decide, without an index. */
  readonly isOfTables?: true;
}

/** Alternative plan, if the viewer may read fewer items than the words match. */
export interface ReadableList {
  /** Condition: the viewer may read at most so many items. `max`: SQL text. */
  areAtMost(max: string): Condition;
  /** Condition equal to `where`, based on that list. */
  readonly where: Condition;
}

/** Matching timespan of an entity. */
export type TimedEntry = readonly [number: number, start: string, end: string, place: number];

export const scopeOf = (kind: SearchKind): Scope =>
  isIndexed(kind) ? { level: kind, id: 'e.entity_id', number: 'e.id' } : { level: kind, id: 'e.id' };

/** Scope for hits of the text index, which have a number before anything else is read. */
export const matchedScopeOf = (kind: SearchKind): Scope => ({ ...scopeOf(kind), number: matched });

const matched = 'search_text.rowid';

/** Condition for entities that the viewer may find, or has a level on. Shapes are as readable as their items. */
export function readable(viewer: Viewer, kind: SearchKind, number = 'e.id', level: RequiredLevel = 'READ'): Condition {
  if (level === 'READ' && seesAll(viewer, kind)) return always;
  if (kind === 'shape') return readableWhere(viewer, 'item', 'e.item_id', level);
  // The role alone decides about files, as in lists.
  if (kind === 'file') return always;
  const [, below] = rangeOf('item');
  const serial = { item: number, collection: `${number} - ${below}` };
  if (kind !== 'both') return readableSerial(viewer, kind, serial[kind], level);
  const ofKind = (sign: string, kind: 'item' | 'collection') =>
    joined([fragment(`${number} ${sign} ${below}`), readableSerial(viewer, kind, serial[kind], level)], 'AND');
  return joined([ofKind('<', 'item'), ofKind('>=', 'collection')], 'OR');
}

/** Condition by a list of all items that the viewer may read. */
export const amongItems = (items: Condition): Condition => around(`+${matched} IN (SELECT serial FROM @)`, items);

/** Condition: member of a collection. */
export const inCollection = (id: string, scans: boolean): Condition =>
  scans
    ? fragment(
        `e.id IN (SELECT item.serial FROM collection_member CROSS JOIN item ON item.id = collection_member.member_id
          WHERE collection_id = ? AND member_type = 'item')`,
        id,
      )
    : fragment(
        `EXISTS (SELECT 1 FROM collection_member
          WHERE collection_id = ? AND member_type = 'item' AND member_id = e.entity_id)`,
        id,
      );

/** Condition: item of a library. */
export const inLibrary = (id: string, scans: boolean): Condition =>
  scans
    ? fragment('e.id IN (SELECT item_serial FROM library_item WHERE library_id = ?)', id)
    : fragment('EXISTS (SELECT 1 FROM library_item WHERE item_id = e.entity_id AND library_id = ?)', id);

/** Condition: one of the numbers, a JSON array. */
export const amongNumbers = (numbers: string): Condition =>
  fragment('+e.id IN (SELECT value FROM json_each(?))', numbers);

/** Plan as a condition on `e`, for entities that other rows refer to. */
function conditionOf({ match, where, probe = where }: Plan): Condition {
  if (match === undefined) return where();
  const words = fragment('+e.id IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)', match);
  return joined([words, probe()], 'AND');
}

/** Distinct entities of a plan, and those with matching timespans. */
export function withTimed(plan: Plan, timed: readonly TimedEntry[]): Plan {
  if (timed.length === 0) return plan;
  const numbers = JSON.stringify([...new Set(timed.map(([number]) => number))]);
  return {
    ...plan,
    single: undefined,
    places: undefined,
    readableList: undefined,
    match: undefined,
    where: once(() => joined([conditionOf(plan), amongNumbers(numbers)], 'OR')),
  };
}

/** Excludes files of deleted storages. */
const liveFiles = 'file AS e CROSS JOIN storage AS live ON live.id = e.storage_id AND live.deleted_at IS NULL';

const ofItems = 'SELECT serial AS id, id AS entity_id, created_at FROM item';
const ofCollections = `SELECT serial + ${collectionsFrom} AS id, id AS entity_id, created_at FROM collection`;

/** Entities with the columns of the index. */
const tables = {
  item: `(${ofItems})`,
  collection: `(${ofCollections})`,
  both: `(${ofItems} UNION ALL ${ofCollections})`,
} as const;

interface Source {
  readonly joins?: Condition;
  /** False: the text index alone decides, so that entities are not read. */
  readonly needsEntity?: boolean;
  readonly after?: Keyset | undefined;
}

export function sourceOf(plan: Plan, { joins = fragment(''), needsEntity = true, after }: Source = {}): Condition {
  const { kind, match, where } = plan;
  const range = rangeIn(plan, after);
  const conditions = joined([range, where()], 'AND');
  const values = [...joins.values, ...(match === undefined ? [] : [match]), ...conditions.values];
  if (!isIndexed(kind)) {
    const from = kind === 'shape' ? 'shape AS e' : liveFiles;
    return { text: `${from}${joins.text} WHERE ${conditions.text}`, values };
  }
  if (match === undefined) {
    const entities = plan.isOfTables ? tables[kind] : 'search_entity';
    return { text: `${entities} AS e${joins.text} WHERE ${conditions.text}`, values };
  }
  const entity = needsEntity ? ' CROSS JOIN search_entity AS e ON e.id = search_text.rowid' : '';
  return { text: `search_text${entity}${joins.text} WHERE search_text MATCH ? AND ${conditions.text}`, values };
}

/** Range of numbers of a kind after a position: the text index uses one bound per side. */
export function rangeIn(plan: Plan, after: Keyset | undefined): Condition {
  const number = numberIn(plan);
  const at = after?.at;
  if (at === undefined && !isIndexed(plan.kind)) return always;
  const [from, below] = isIndexed(plan.kind) ? rangeOf(plan.kind) : [0, Number.MAX_SAFE_INTEGER];
  if (at === undefined) return fragment(`${number} >= ${from} AND ${number} < ${below}`);
  return after?.ascending
    ? fragment(`${number} > ? AND ${number} < ${below}`, Math.max(at, from - 1))
    : fragment(`${number} >= ${from} AND ${number} < ?`, Math.min(at, below));
}

const numberIn = ({ kind, match }: Plan): string =>
  !isIndexed(kind) ? 'e.serial' : match === undefined ? 'e.id' : 'search_text.rowid';
export const needsEntity = ({ where }: Plan): boolean => /\be\./.test(where().text);
export const idIn = ({ kind }: Plan): string => (isIndexed(kind) ? 'e.entity_id' : 'e.id');

export interface Paged {
  readonly sort: readonly SortTerm[];
  readonly after: Keyset | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Matching timespans of entities that the plan does not find. */
  readonly timed: readonly TimedEntry[];
}

/** Reads a page of entries in order. `withKeys`: includes sort keys. */
export async function pageOf(reader: Reader, plan: Plan, paged: Paged, withKeys: boolean): Promise<readonly HitRow[]> {
  const isPlain = !withKeys && paged.timed.length === 0;
  return rowsOf(reader, pageText(plan, paged), isPlain ? undefined : paged.sort.length);
}

/**
 * Reads the rows of a page: number, id, keys and timespan. Without keys, two lists in one row cost less than a hundred
 * rows. Keys stay rows: JSON of SQLite writes doubles with 15 digits, and a cursor would miss its position.
 */
export async function rowsOf(
  reader: Reader,
  { text, values }: Condition,
  keys: number | undefined,
): Promise<readonly HitRow[]> {
  if (keys !== undefined) return (await reader.read(text, values)).map((row) => rowOf(row, keys));
  const [row] = await reader.read(listsOf(text), values, 'one');
  return rowsInLists(String(row![0]));
}

/** Numbers and ids of rows, as two JSON arrays. */
export const listsOf = (rows: string): string =>
  `SELECT json_array(json_group_array(number), json_group_array(id)) FROM (${rows})`;

export function rowsInLists(text: string): readonly HitRow[] {
  const [numbers, ids] = JSON.parse(text) as readonly [readonly number[], readonly string[]];
  return numbers.map((number, at) => ({
    ...{ number, id: ids[at]!, keys: noKeys },
    ...{ start: undefined, end: undefined, place: undefined },
  }));
}

/** SQL for number and id of each entry, its keys, and its timespan if there are any. */
export function pageText(plan: Plan, { sort, after, limit, offset, timed }: Paged): Condition {
  const arms = [
    armOf(plan, sort, timed.length > 0 ? ', NULL AS start, NULL AS until, -1 AS place' : '', sourceOf(plan, { after })),
  ];
  if (timed.length > 0) {
    const source = fragment(
      `json_each(?) AS given CROSS JOIN search_entity AS e ON e.id = given.value ->> 0 WHERE TRUE`,
      JSON.stringify(timed),
    );
    const plain = { ...plan, match: undefined };
    arms.push(armOf(plain, sort, ', given.value ->> 1, given.value ->> 2, given.value ->> 3', source));
  }
  const keyset = after?.condition;
  const order = [
    ...sort.flatMap(({ descending, nullable }, index) => [
      ...(nullable ? [`k${index} IS NULL`] : []),
      `k${index}${descending ? ' DESC' : ''}`,
    ]),
    `number${after?.ascending ? '' : ' DESC'}`,
    ...(timed.length > 0 ? ['place'] : []),
  ];
  const inner = arms.map(({ text }) => text).join(' UNION ALL ');
  const from =
    timed.length === 0 && keyset === undefined ? inner : `SELECT * FROM (${inner}) WHERE ${keyset?.text ?? '1'}`;
  return {
    text: `${from} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`,
    values: [...arms.flatMap(({ values }) => values), ...(keyset?.values ?? []), limit, offset],
  };
}

/** SQL for one part of a page. `span`: columns of the timespan, if there are any. */
function armOf(plan: Plan, sort: readonly SortTerm[], span: string, source: Condition): Condition {
  const terms = sort.map(({ value, unscored }) => (plan.match === undefined && unscored ? unscored : value));
  const keys = terms.map(({ text }, index) => `, ${text} AS k${index}`).join('');
  return {
    text: `SELECT ${numberIn(plan)} AS number, ${idIn(plan)} AS id${keys}${span} FROM ${source.text}`,
    values: [...terms.flatMap(({ values }) => values), ...source.values],
  };
}

const rowOf = (row: Row, keys: number): HitRow => {
  const [start, end, place] = [row[keys + 2], row[keys + 3], row[keys + 4]];
  return {
    number: Number(row[0]),
    id: String(row[1]),
    keys: keys === 0 ? noKeys : row.slice(2, keys + 2).map((key) => (key === null ? null : String(key))),
    start: start == null ? undefined : String(start),
    end: end == null ? undefined : String(end),
    place: start == null ? undefined : Number(place),
  };
};

/** The first hits in any order. */
export async function someOf(reader: Reader, plan: Plan, max: number) {
  const source = sourceOf(plan);
  const rows = await reader.read(
    `SELECT ${numberIn(plan)}, ${idIn(plan)} FROM ${source.text} LIMIT ${max}`,
    source.values,
  );
  return rows.map(([number, id]) => ({ number: Number(number), id: String(id) }));
}

/** Limits for counting values in memory, in a thread: number, and characters of each. */
const [maxTallied, maxTalliedLength] = [100_000, 100];

/** Values of a field among the hits, the most frequent first. */
export async function valuesOf(
  reader: Reader,
  plan: Plan,
  { name, base, closed }: FieldForm,
  { minCount, max }: ValueLimits,
): Promise<readonly ValueCount[]> {
  const ofField = fragment(`v.field = ? AND v.entity = ${numberIn(plan)}`, fieldNumber(name));
  const shown = joined([ofField, ...openAt(closed, numberIn(plan), plan.kind)], 'AND');
  const joins = around(' CROSS JOIN search_value AS v ON @', shown);
  const { text, values } = sourceOf(plan, { joins, needsEntity: needsEntity(plan) });
  // Numbers are distinguished and sorted by value, not by text.
  const few = isText(base)
    ? await reader.tally?.(
        `SELECT json_group_array(CASE WHEN length(val) <= ${maxTalliedLength} THEN val END)
          FROM (SELECT v.val AS val FROM ${text} LIMIT ?)`,
        [...values, maxTallied + 1],
        { least: minCount, max, atMost: maxTallied },
      )
    : undefined;
  const rows =
    few && few.length > 0
      ? few
      : await reader.read(
          `SELECT CAST(v.val AS TEXT), count(*) AS n FROM ${text}
            GROUP BY v.val HAVING n >= ? ORDER BY n DESC, v.val LIMIT ?`,
          [...values, minCount, max],
        );
  return rows.map(([value, count]) => ({ value: String(value), count: Number(count) }));
}

/** Number of entities per query of the text index, up to a limit. `matches`: texts with their queries. */
export async function countsOf(
  reader: Reader,
  viewer: Viewer,
  kind: SearchKind,
  matches: readonly (readonly [text: string, match: string])[],
  max: number,
): Promise<readonly { readonly text: string; readonly count: number }[]> {
  const [from, below] = rangeOf(kind as 'item');
  const where = readable(viewer, kind, matched);
  const [row] = await reader.read(
    `SELECT json_group_array(json_array(text, n)) FROM (
      SELECT given.value ->> 0 AS text, (SELECT count(*) FROM (
          SELECT 1 FROM search_text WHERE search_text MATCH (given.value ->> 1) AND search_text.rowid >= ${from}
            AND search_text.rowid < ${below} AND ${where.text} LIMIT ${max})) AS n
        FROM json_each(?) AS given ORDER BY n DESC, text)`,
    [...where.values, JSON.stringify(matches)],
    'one',
  );
  const counted = JSON.parse(String(row![0])) as readonly (readonly [string, number])[];
  // Filtered here, since a condition in SQL would count each twice.
  return counted.map(([text, count]) => ({ text, count })).filter(({ count }) => count > 0);
}

/** Minimum or maximum of a field. */
export const keyOfField = ({ name, closed }: FieldForm, kind: SearchKind, descending: boolean): Condition => {
  const own = fragment('field = ? AND entity = e.id', fieldNumber(name));
  return around(
    `(SELECT ${descending ? 'max' : 'min'}(COALESCE(folded, val)) FROM search_value WHERE @)`,
    joined([own, ...openAt(closed, 'e.id', kind)], 'AND'),
  );
};

export function keyOfFact(fact: Fact, level: SearchKind, descending: boolean, viewer: Viewer): Condition {
  const { text, values } = valuesOfFact(fact, level === 'shape' || level === 'file' ? 'e.id' : 'e.entity_id', viewer);
  return { text: `(SELECT ${descending ? 'max' : 'min'}(value) FROM (${text}))`, values };
}

export const keyOfMember = (collectionId: string): Condition =>
  fragment(
    `(SELECT position FROM collection_member
      WHERE collection_id = ? AND member_type = 'item' AND member_id = e.entity_id)`,
    collectionId,
  );

/** Entities with numbers of a JSON array as `e`, without the index. */
const entitiesOf = `WITH given AS MATERIALIZED (SELECT value FROM json_each(?)), e AS (
  ${ofItems} WHERE serial IN (SELECT value FROM given)
  UNION ALL ${ofCollections} WHERE serial IN (SELECT value - ${collectionsFrom} FROM given))`;

/** Numbers of those entities that also meet a condition. */
export async function numbersWhere(
  reader: Reader,
  numbers: readonly number[],
  condition: Condition,
): Promise<ReadonlySet<number>> {
  const rows = await reader.read(`${entitiesOf} SELECT e.id FROM e WHERE ${condition.text}`, [
    JSON.stringify(numbers),
    ...condition.values,
  ]);
  return new Set(rows.map(([number]) => Number(number)));
}

/** Sort keys of entities, by their numbers. `keys`: expressions with the entity as `e`. */
export async function keysAmong(
  reader: Reader,
  numbers: readonly number[],
  keys: readonly Condition[],
): Promise<ReadonlyMap<number, readonly (string | number | null)[]>> {
  const rows = await reader.read(`${entitiesOf} SELECT e.id, ${keys.map(({ text }) => text).join()} FROM e`, [
    JSON.stringify(numbers),
    ...keys.flatMap(({ values }) => values),
  ]);
  return new Map(rows.map(([number, ...values]) => [Number(number), values as (string | number | null)[]]));
}
