import { type SQL, sql } from 'drizzle-orm';
import { costOf, matcherOf } from '../../core/lib/search-pattern.ts';
import { type LimitedReader, query } from '../../core/store/statement.ts';
import type { Page } from '../../http/parameters/index.ts';
import type { SearchBounds } from '../../room/entities/search-sql.ts';
import { fromPrefixes } from '../../room/entities/search-sql.ts';
import {
  conditionSize,
  fieldsIn,
  searchReach,
  tooCostly,
  tooWide,
  type UserCondition,
  type UserOrder,
  type UserSearch,
} from './rules.ts';

/** Kind of entity that can be searched. */
export interface Searched {
  /** Type of the entity: its table, and the key of its metadata. */
  readonly type: string;
  /** Columns by field name in lower case, the name first. Other fields are keys of the metadata. */
  readonly fields: ReadonlyMap<string, SQL>;
  /** Flag that a search can filter by. */
  readonly flag: SQL;
}

export const searchedUsers: Searched = {
  type: 'user',
  fields: new Map([
    ['username', sql`name`],
    ['realname', sql`real_name`],
  ]),
  flag: sql`enabled`,
};

export const searchedGroups: Searched = {
  type: 'group',
  fields: new Map([
    ['groupname', sql`name`],
    ['description', sql`description`],
  ]),
  flag: sql`role`,
};

const selection = { hits: sql<number>``, id: sql<string | null>`` };
const probed = { source: sql<number>``, found: sql<number>``, bytes: sql<number>``, compared: sql<number>`` };
/** The row of the probe that counts entities. */
const entities = -1;
/** Bytes of one character in UTF-8. */
const maxCharacterLength = 4;

/**
 * The ids of one page of what fits, and how much fits in all. Where every match begins with known characters only names
 * that do are looked at, through the index; else all of them. A probe counts values and bytes first, so that what would
 * take longer than the bounds allow is refused before it starts.
 */
export async function searchIn(
  reader: LimitedReader,
  searched: Searched,
  search: UserSearch,
  flag: boolean | undefined,
  bounds: SearchBounds,
  { limit, offset }: Page,
): Promise<{ hits: number; ids: string[] }> {
  const { condition, order, ignoreCase } = search;
  const table = sql.identifier(searched.type);
  const prefixes = searchReach(condition, ignoreCase, (field) => field.toLowerCase() === nameOf(searched));
  const from = fromPrefixes(table, sql`name`, prefixes ?? []);
  await checkWork(reader, searched, search, from, bounds);

  const flagged = flag === undefined ? sql`TRUE` : sql`${searched.flag} = ${flag ? 1 : 0}`;
  const fits = conditionOf({ ...searched, ignoreCase, text: bounds.text }, condition);
  const terms = order.map(({ field }, index) => sql`, ${termOf(searched, field, bounds.text)} AS ${sortName(index)}`);
  const page = query(
    sql`WITH fitting AS MATERIALIZED (SELECT id, name${sql.join(terms)} ${from} AND ${flagged} AND ${fits})
      SELECT (SELECT COUNT(*) FROM fitting), page.id FROM (SELECT 1) LEFT JOIN (
        SELECT id FROM fitting ORDER BY ${orderOf(order)} LIMIT ${limit} OFFSET ${offset}
      ) AS page ON TRUE`,
    selection,
  );
  const rows = await page(reader, {});
  // Past the last one there is a row that has the number and nothing else.
  return { hits: rows[0]?.hits ?? 0, ids: rows.flatMap(({ id }) => (id === null ? [] : [id])) };
}

const nameOf = ({ fields }: Searched): string | undefined => fields.keys().next().value;

/** Refuses what the bounds do not allow. It counts rows, and lengths without reading values. */
async function checkWork(
  reader: LimitedReader,
  { type, fields }: Searched,
  search: UserSearch,
  from: SQL,
  { values, steps, text }: SearchBounds,
): Promise<void> {
  const max = Math.floor(values / Math.max(1, conditionSize(search.condition) + search.order.length));
  const sources = [...sourcesOf(search, fields)];
  const own = [...fields].map(([name, column]) => sql`octet_length(${column}) AS ${sql.identifier(name)}`);
  const bytesOf = (source: string) =>
    fields.has(source)
      ? sql`SELECT ${sql.identifier(source)} AS bytes FROM reach`
      : sql`SELECT octet_length(value) AS bytes FROM reach CROSS JOIN key_value
          WHERE entity_type = ${type} AND entity_id = reach.id AND key = ${source.slice(1)} LIMIT ${max + 1}`;
  const sums = sources.map(
    ([source], index) => sql`UNION ALL
      SELECT ${index}, COUNT(*), TOTAL(bytes), TOTAL(MIN(bytes, ${text * maxCharacterLength})) FROM (${bytesOf(source)})`,
  );
  const probe = query(
    sql`WITH reach AS MATERIALIZED (SELECT id, ${sql.join(own, sql`, `)} ${from} LIMIT ${max + 1})
      SELECT ${entities}, COUNT(*), 0, 0 FROM reach ${sql.join(sums, sql` `)}`,
    probed,
  );
  let work = 0;
  for (const { source, found, bytes, compared } of await probe(reader, {})) {
    if (found > max) throw tooWide(max);
    const costs = sources[source]?.[1] ?? [];
    for (const cost of costs) work += bytes + compared * cost;
  }
  if (work > steps) throw tooCostly(steps);
}

/** Compared values with the costs of their patterns: fields of the entity, or metadata keys with a leading dot. */
function sourcesOf({ condition, order, ignoreCase }: UserSearch, fields: Searched['fields']): Map<string, number[]> {
  const uses = [
    ...fieldsIn(condition).map(({ name, value = '*' }) => ({ name, cost: costOf(matcherOf(value, ignoreCase)) })),
    ...order.map(({ field }) => ({ name: field, cost: 1 })),
  ];
  const sources = new Map<string, number[]>();
  for (const { name, cost } of uses) {
    const source = fields.has(name.toLowerCase()) ? name.toLowerCase() : `.${name}`;
    const costs = sources.get(source);
    if (costs) costs.push(cost);
    else sources.set(source, [cost]);
  }
  return sources;
}

interface Comparison extends Searched {
  readonly ignoreCase: boolean;
  /** Characters of a value that are compared. */
  readonly text: number;
}

function conditionOf(comparison: Comparison, condition: UserCondition): SQL {
  if (condition.kind === 'field') return fieldFits(comparison, condition.name, condition.value);
  const parts = condition.parts.map((part) => conditionOf(comparison, part));
  if (parts.length === 0) return sql`TRUE`;
  if (condition.kind === 'AND') return sql`(${sql.join(parts, sql` AND `)})`;
  const any = sql`(${sql.join(parts, sql` OR `)})`;
  return condition.kind === 'OR' ? any : sql`NOT ${any}`;
}

function fieldFits({ type, fields, ignoreCase, text }: Comparison, name: string, value: string | undefined): SQL {
  const matcher = matcherOf(value ?? '*', ignoreCase);
  const column = fields.get(name.toLowerCase());
  // A missing value fits nothing, so that it fits the negation.
  if (column) return sql`(substr(${column}, 1, ${text}) GLOB ${matcher}) IS TRUE`;
  return sql`EXISTS (SELECT 1 FROM key_value
    WHERE entity_type = ${type} AND entity_id = id AND key = ${name} AND substr(value, 1, ${text}) GLOB ${matcher})`;
}

function termOf({ type, fields }: Searched, field: string, text: number): SQL {
  const column = fields.get(field.toLowerCase());
  if (column) return sql`substr(${column}, 1, ${text})`;
  return sql`(SELECT MIN(substr(value, 1, ${text})) FROM key_value
    WHERE entity_type = ${type} AND entity_id = id AND key = ${field})`;
}

const sortName = (index: number) => sql.identifier(`sort_${index}`);

function orderOf(order: readonly UserOrder[]): SQL {
  const terms = order.map(({ descending }, index) => (descending ? sql`${sortName(index)} DESC` : sortName(index)));
  return sql.join([...terms, sql`name`], sql`, `);
}
