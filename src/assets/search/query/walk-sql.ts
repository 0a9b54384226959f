import { once } from '../../../core/lib/cache.ts';
import type { SqlValue } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Condition } from '../../access/public-reading.ts';
import { rangeOf } from '../index/keys.ts';
import type { SearchKind } from './ast.ts';
import { around, fragment, joined, openAt } from './conditions.ts';
import type { Counting, HitRow, SortTerm, Total } from './page.ts';
import { listsOf, type Plan, rowsInLists, rowsOf } from './rows-sql.ts';
import { totalFrom, totalText } from './total-sql.ts';

/** Walk over entities in the order of a field. */
export interface Walk {
  readonly plan: Plan & { readonly kind: SearchKind };
  readonly field: number;
  /** Sort terms: the field first, then those that decide among equal values. */
  readonly terms: readonly SortTerm[];
  /** True: so many entities match that words are checked per entity. */
  readonly isBroad: boolean;
}

/** Start of a walk: at a value, or after an entity with that value. */
export interface WalkFrom {
  readonly key: SqlValue;
  /** Number to continue after. Undefined: `behind` decides by other terms. */
  readonly number?: number;
  readonly behind?: Condition;
}

/** Number of the entity of a place, whose sign marks the end. The plus keeps SQLite from searching places by it. */
const entityOf = ({ terms }: Walk): string => (terms[0]!.descending ? '+place.tie' : '-place.tie');

function wordsOf(walk: Walk): readonly Condition[] {
  const {
    plan: { match },
    isBroad,
  } = walk;
  if (match === undefined) return [];
  const entity = entityOf(walk);
  return [
    isBroad
      ? fragment(
          `EXISTS (SELECT 1 FROM search_text WHERE search_text MATCH ? AND search_text.rowid = ${entity})`,
          match,
        )
      : fragment(`${entity} IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)`, match),
  ];
}

/** Condition for places of one direction, which differ by sign. */
function inOrder(descending: boolean, kind: SearchKind): string {
  const [first, below] = rangeOf(kind as 'item');
  return descending
    ? `place.tie >= ${first} AND place.tie < ${below}`
    : `place.tie <= -${first} AND place.tie > -${below}`;
}

function startOf(descending: boolean, from: WalkFrom | undefined): readonly Condition[] {
  if (from === undefined) return [];
  const sign = descending ? '<' : '>';
  if (from.number !== undefined) {
    return [fragment(`(place.key, place.tie) ${sign} (?, ?)`, from.key, descending ? from.number : -from.number)];
  }
  return [fragment(`place.key ${sign}= ?`, from.key), ...(from.behind ? [from.behind] : [])];
}

/** Places in order, joined with their entities. */
function sourceOf(walk: Walk, from: WalkFrom | undefined): Condition {
  const { text, values } = placesOf(walk, from);
  return {
    text: `search_order AS place CROSS JOIN search_entity AS e ON e.id = ${entityOf(walk)} WHERE ${text}`,
    values,
  };
}

function placesOf(walk: Walk, from: WalkFrom | undefined): Condition {
  const { plan, field, terms } = walk;
  const { descending } = terms[0]!;
  return joined(
    [
      fragment('place.field = ?', field),
      ...startOf(descending, from),
      fragment(inOrder(descending, plan.kind)),
      ...wordsOf(walk),
      ...openAt(terms[0]!.closed, entityOf(walk), plan.kind),
      plan.probe?.() ?? plan.where(),
    ],
    'AND',
  );
}

/** Number of places to skip without reading entities, if no condition needs them. */
const far = 1000;

function farPage(walk: Walk, from: WalkFrom | undefined, page: Page): Condition | undefined {
  const places = placesOf(walk, from);
  if (page.offset < far || walk.terms.length > 1 || /\be\./.test(places.text)) return undefined;
  const order = (table: string) =>
    [`${table}key`, `${table}tie`].map((column) => `${column}${walk.terms[0]!.descending ? ' DESC' : ''}`).join(', ');
  return {
    text: `SELECT e.id AS number, e.entity_id AS id, place.key FROM (
        SELECT key, tie FROM search_order AS place WHERE ${places.text} ORDER BY ${order('')} LIMIT ? OFFSET ?
      ) AS place CROSS JOIN search_entity AS e ON e.id = ${entityOf(walk)} ORDER BY ${order('place.')}`,
    values: [...places.values, page.limit, page.offset],
  };
}

interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Undefined: rows without sort keys. */
  readonly withKeys?: boolean;
}

/** Entities with a value, in order. */
export async function walked(
  reader: Reader,
  walk: Walk,
  from: WalkFrom | undefined,
  page: Page,
): Promise<readonly HitRow[]> {
  const farther = farPage(walk, from, page);
  if (farther) return rowsOf(reader, farther, page.withKeys ? 1 : undefined);
  return rowsOf(reader, nearPage(walk, from, page), page.withKeys ? walk.terms.length : undefined);
}

/**
 * Number of hits and, if there are many, the first entities with a value, in one read. Undefined: few hits, which are
 * better looked up.
 */
export async function countedAndWalked(
  reader: Reader,
  walk: Walk,
  page: Page,
  counts: Exclude<Counting, false>,
  few: number,
): Promise<{ readonly total: Total; readonly rows: readonly HitRow[] | undefined }> {
  const all = totalText(walk.plan, counts);
  const first = farPage(walk, undefined, page) ?? nearPage(walk, undefined, page);
  const [row] = await reader.read(
    `WITH counted (total) AS MATERIALIZED (${all.text})
      SELECT total, CASE WHEN total ->> 0 > ? THEN (${listsOf(first.text)}) END FROM counted`,
    [...all.values, few, ...first.values],
    'one',
  );
  const [total, lists] = row!;
  return {
    total: totalFrom(JSON.parse(String(total)), 0),
    rows: lists === null ? undefined : rowsInLists(String(lists)),
  };
}

function nearPage(walk: Walk, from: WalkFrom | undefined, { limit, offset }: Page): Condition {
  const [{ descending }, ...rest] = walk.terms as [SortTerm, ...SortTerm[]];
  const source = sourceOf(walk, from);
  const keys = rest.map(({ value }, index) => `, ${value.text} AS k${index + 1}`).join('');
  const way = descending ? ' DESC' : '';
  const order = [
    `k0${way}`,
    ...rest.flatMap((term, index) => [
      ...(term.nullable ? [`k${index + 1} IS NULL`] : []),
      `k${index + 1}${term.descending ? ' DESC' : ''}`,
    ]),
    `place.tie${way}`,
  ];
  const text = `SELECT e.id AS number, e.entity_id AS id, place.key AS k0${keys} FROM ${source.text}
    ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`;
  return { text, values: [...rest.flatMap(({ value }) => value.values), ...source.values, limit, offset] };
}

/** Value of the entity at an offset. Undefined: there are fewer. */
export async function keyAt(
  reader: Reader,
  walk: Walk,
  from: WalkFrom | undefined,
  offset: number,
): Promise<SqlValue | undefined> {
  const source = sourceOf(walk, from);
  const way = walk.terms[0]!.descending ? ' DESC' : '';
  const [row] = await reader.read(
    `SELECT place.key FROM ${source.text} ORDER BY place.key${way}, place.tie${way} LIMIT 1 OFFSET ?`,
    [...source.values, offset],
  );
  return row?.[0];
}

/** Number of entities with a value, up to a limit. */
export async function equalTo(reader: Reader, { field, terms }: Walk, key: SqlValue, max: number): Promise<number> {
  const sign = terms[0]!.descending ? '>' : '<';
  const [row] = await reader.read(
    `SELECT count(*) FROM (SELECT 1 FROM search_order WHERE field = ? AND key = ? AND tie ${sign} 0 LIMIT ${max})`,
    [field, key],
  );
  return Number(row?.[0] ?? 0);
}

/** Number of hits with a value. */
export async function countWalked(reader: Reader, walk: Walk): Promise<number> {
  const source = sourceOf(walk, undefined);
  const [row] = await reader.read(`SELECT count(*) FROM ${source.text}`, source.values);
  return Number(row?.[0] ?? 0);
}

/** Plan for hits without a value of the field. */
export function withoutValue({ plan, field, terms }: Walk): Plan {
  const valued = joined(
    [fragment('valued.field = ? AND valued.entity = e.id', field), ...openAt(terms[0]!.closed, 'e.id', plan.kind)],
    'AND',
  );
  const none = around('NOT EXISTS (SELECT 1 FROM search_value AS valued WHERE @)', valued);
  return { kind: plan.kind, match: plan.match, where: once(() => joined([plan.where(), none], 'AND')) };
}
