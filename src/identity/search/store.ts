import { type SQL, sql } from 'drizzle-orm';
import type { Page } from '../../http/parameter.ts';
import { prepareSqlQuery } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import type { KeyValueOwner } from '../key-values/store.ts';
import { matcherOf, rangeOf } from './pattern.ts';
import { type Condition, type Order, reachOf, type Search, sizeOf, tooWide } from './rules.ts';

/** One kind of entity that can be searched. */
export interface Searched {
  readonly type: KeyValueOwner;
  /** Fields of the entity itself, in lower case, the name first. Any other field is a key of its metadata. */
  readonly fields: ReadonlyMap<string, SQL>;
  /** A flag that the search may be told to look at. */
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
const counted = { reached: sql<number>`` };

type Name = ReturnType<typeof sql.identifier>;

/**
 * The ids of one page of what fits, and how much fits in all. Where every match begins with known characters only names
 * that do are looked at, through the index; else all of them. `work` bounds how many values are compared.
 */
export async function searchIn(
  store: Store,
  searched: Searched,
  { condition, order, ignoreCase }: Search,
  flag: boolean | undefined,
  work: number,
  { limit, offset }: Page,
): Promise<{ hits: number; ids: string[] }> {
  const table = sql.identifier(searched.type);
  const [nameField] = searched.fields.keys();
  const prefixes = reachOf(condition, ignoreCase, (field) => field.toLowerCase() === nameField);
  const from = prefixes ? inRanges(table, prefixes) : sql`FROM ${table} WHERE TRUE`;

  const most = Math.floor(work / Math.max(1, sizeOf(condition) + order.length));
  const reach = prepareSqlQuery(sql`SELECT COUNT(*) FROM (SELECT 1 ${from} LIMIT ${most + 1})`, counted);
  if (((await reach(store, {}))[0]?.reached ?? 0) > most) throw tooWide(most);

  const flagged = flag === undefined ? sql`TRUE` : sql`${searched.flag} = ${flag ? 1 : 0}`;
  const page = prepareSqlQuery(
    sql`WITH fitting AS MATERIALIZED (SELECT ${table}.* ${from} AND ${flagged} AND ${conditionOf(searched, condition, ignoreCase)})
      SELECT (SELECT COUNT(*) FROM fitting), page.id FROM (SELECT 1) LEFT JOIN (
        SELECT id FROM fitting ORDER BY ${orderOf(searched, order)} LIMIT ${limit} OFFSET ${offset}
      ) AS page ON TRUE`,
    selection,
  );
  const rows = await page(store, {});
  // Past the last one there is a row that has the number and nothing else.
  return { hits: rows[0]?.hits ?? 0, ids: rows.flatMap(({ id }) => (id === null ? [] : [id])) };
}

function inRanges(table: Name, prefixes: readonly string[]): SQL {
  const ranges = JSON.stringify(prefixes.map(rangeOf));
  // A text is less than any blob: that ends a range that has no other end.
  return sql`FROM (SELECT value AS span FROM json_each(${ranges})) CROSS JOIN ${table}
    WHERE name >= json_extract(span, '$[0]') AND name < COALESCE(json_extract(span, '$[1]'), x'')`;
}

function conditionOf(searched: Searched, condition: Condition, ignoreCase: boolean): SQL {
  if (condition.kind === 'field') return fieldFits(searched, condition.name, condition.value, ignoreCase);
  const parts = condition.parts.map((part) => conditionOf(searched, part, ignoreCase));
  if (parts.length === 0) return sql`TRUE`;
  if (condition.kind === 'AND') return sql`(${sql.join(parts, sql` AND `)})`;
  const any = sql`(${sql.join(parts, sql` OR `)})`;
  return condition.kind === 'OR' ? any : sql`NOT ${any}`;
}

function fieldFits({ type, fields }: Searched, name: string, value: string | undefined, ignoreCase: boolean): SQL {
  const matcher = matcherOf(value ?? '*', ignoreCase);
  const column = fields.get(name.toLowerCase());
  // A missing value fits nothing, so that it fits the negation.
  if (column) return sql`(${column} GLOB ${matcher}) IS TRUE`;
  return sql`EXISTS (SELECT 1 FROM key_value
    WHERE entity_type = ${type} AND entity_id = id AND key = ${name} AND value GLOB ${matcher})`;
}

function orderOf({ type, fields }: Searched, order: readonly Order[]): SQL {
  const terms = order.map(({ field, descending }) => {
    const term =
      fields.get(field.toLowerCase()) ??
      sql`(SELECT MIN(value) FROM key_value WHERE entity_type = ${type} AND entity_id = id AND key = ${field})`;
    return descending ? sql`${term} DESC` : term;
  });
  return sql.join([...terms, sql`name`], sql`, `);
}
