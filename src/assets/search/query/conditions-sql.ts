import type { SqlValue } from '../../../core/store/contract.ts';
import { type Condition, maySee, readableWhere, type Viewer } from '../../access/public-reading.ts';
import type { Comparable } from '../../definitions/public-reading.ts';
import { collectionsFrom, fieldNumber } from '../index/keys.ts';
import { jsonOf } from '../index/values.ts';
import { and, type Fact, type Level, type Linked, type Node, type Test } from './ast.ts';
import { always, around, closedAt, fragment, joined, never, openShape } from './conditions.ts';
import { belowCollection, columnOfFact, decidingTest, termedBy, termsColumn, valuesOfFact } from './facts-sql.ts';
import type { IndexState, Values } from './index-state.ts';
import { isJoined, type JoinedKind, type JoinedRows, type Joins, ofRow } from './joined.ts';
import { type Expansions, matchOf, opposite, type Spans } from './match.ts';
import { caselessGlob, globOf } from './terms.ts';

/** SQL expressions for the entity of a condition. Never input of a caller. */
export interface Scope {
  readonly level: Level;
  /** Number in the index. Undefined for shapes and files. */
  readonly number?: string;
  readonly id: string;
  /** True: a linked entity, not the one to be found. */
  readonly isLinked?: true;
  /** True: rows of an extension that are looked for by their own indexes. */
  readonly isNarrowed?: boolean | undefined;
}

export interface CompileContext {
  readonly viewer: Viewer;
  /** Contexts that close shapes to the viewer, as an SQL parameter. */
  readonly closedShapes: string | undefined;
  readonly expansions: Expansions;
  /** JSON arrays of matching entity numbers, for group criteria and words near each other. */
  readonly groups: ReadonlyMap<Node, string>;
  /** True: nothing else narrows the search, so ranges are read from the order instead of checked per entity. */
  readonly scans: boolean;
  /** Fields whose order contains all values. */
  readonly ranged: IndexState['ranged'];
  /** True: some indexed metadata is timed. */
  readonly isTimed: boolean;
  /** Rows of extensions that the search asks about. */
  readonly joins: Joins;
}

/** Compiler of conditions for one search. Gives each table a unique alias. */
export class Conditions {
  readonly #given: CompileContext;
  #aliases = 0;

  constructor(context: CompileContext) {
    this.#given = context;
  }

  of(node: Node, scope: Scope, spans: Spans): Condition {
    const isIndexed = scope.number !== undefined;
    const match = isIndexed ? matchOf(node, spans, this.#given.expansions) : undefined;
    if (node.is === 'all') return always;
    if (node.is === 'none') return never;
    if (match !== undefined) return matching(scope, match);
    switch (node.is) {
      case 'and':
      case 'or':
        return this.#several(node, scope, spans);
      case 'not':
        return around('NOT (@)', this.of(node.of, scope, opposite(spans)));
      case 'value':
        return isIndexed ? this.#value(node, scope.number, spans) : never;
      case 'group':
        return this.#group(node, scope, spans);
      case 'near':
        return this.#decided(node, scope);
      case 'linked':
        return this.#linked(node.to, node.of, scope);
      case 'fact':
        return this.#fact(node.fact, node.test, scope);
      case 'joinedWords':
        return this.#joinedWords(node.match, scope);
      case 'closed':
        return isIndexed ? closedAt(node.places, scope.number, scope.level) : never;
      default:
        return never;
    }
  }

  /** Combines all parts that the text index can decide into a single query. */
  #several({ is, of }: Extract<Node, { is: 'and' | 'or' }>, scope: Scope, spans: Spans): Condition {
    const { expansions } = this.#given;
    const isWords = (node: Node) => scope.number !== undefined && matchOf(node, spans, expansions) !== undefined;
    const words = of.filter(isWords);
    const rest = of.filter((node) => !words.includes(node));
    const match = words.length > 0 ? matchOf({ is, of: words }, spans, expansions) : undefined;
    return joined(
      [...(match === undefined ? [] : [matching(scope, match)]), ...rest.map((each) => this.of(each, scope, spans))],
      is === 'and' ? 'AND' : 'OR',
    );
  }

  #value({ field, test }: Extract<Node, { is: 'value' }>, number: string, spans: Spans): Condition {
    if (spans === 'nothing') return never;
    const { scans, ranged, isTimed } = this.#given;
    const mask = spans === 'both' ? '' : ` AND spans & ${spans === 'timed' ? 2 : 1}`;
    const condition = tested('val', test);
    const key = fieldNumber(field.name);
    const holds = around(
      `EXISTS (SELECT 1 FROM search_value WHERE field = ? AND entity = ${number} AND @${mask})`,
      condition,
      key,
    );
    if (!scans) return holds;
    const values = ranged.get(field.name);
    if (test.is !== 'between' || values === undefined) {
      return around(`${number} IN (SELECT entity FROM search_value WHERE field = ? AND @${mask})`, condition, key);
    }
    const placed = around(`${number} IN (SELECT abs(tie) FROM @)`, placesIn(field.name, test, values));
    // Checks values as well, since an order does not tell which are timed.
    return isTimed && spans !== 'both' ? joined([placed, holds], 'AND') : placed;
  }

  #group(node: Extract<Node, { is: 'group' }>, scope: Scope, spans: Spans): Condition {
    if (spans === 'sure' || spans === 'nothing') return never;
    return spans === 'generic' ? this.#decided(node, scope) : this.of(node.of, scope, spans);
  }

  /** Entities selected by their metadata. */
  #decided(node: Node, scope: Scope): Condition {
    const numbers = this.#given.groups.get(node);
    return numbers === undefined ? never : fragment(`+${scope.number} IN (SELECT value FROM json_each(?))`, numbers);
  }

  #fact(fact: Fact, test: Test, scope: Scope): Condition {
    if (scope.level === 'both') {
      const isItem = fact.of === 'item';
      const inside = this.#fact(fact, test, { ...scope, level: fact.of as 'item' });
      return around(`(${scope.number} ${isItem ? '<' : '>='} ${collectionsFrom} AND @)`, inside);
    }
    if (fact.of !== scope.level) return never;
    if (isJoined(fact.of)) return this.#joinedFact(fact, test, scope);
    if (fact.name === '__ancestor_collection' && test.is === 'equals') {
      return belowCollection(fact.of as 'item', scope.id, String(test.value), this.#given.viewer);
    }
    const terms = termsColumn(fact);
    if (terms !== undefined && test.is !== 'like') return usable(fact.of as 'item', terms, test, scope.id);
    const column = columnOfFact(fact, scope.id);
    if (column !== undefined) return around(`(${column} IS NOT NULL AND @)`, tested(column, test));
    const { text, values } = valuesOfFact(fact, scope.id, this.#given.viewer);
    return around(`EXISTS (SELECT 1 FROM (${text}) AS fact WHERE @)`, tested('fact.value', test), ...values);
  }

  #joinedFact(fact: Fact, test: Test, { level, id, isNarrowed }: Scope): Condition {
    const { value, narrows } = this.#given.joins[level as JoinedKind]!.fields[fact.name]!;
    const alias = aliasIn(id);
    const exact = tested(ofRow(value, alias), test);
    if (!isNarrowed || narrows === undefined || test.is !== 'equals') return exact;
    const values = Array.from(narrows.matchAll(/\?/g), () => test.value as SqlValue);
    return joined([fragment(ofRow(narrows, alias), ...values), exact], 'AND');
  }

  /** The plus sign keeps SQLite from reading all rows with the words for each item. */
  #joinedWords(match: string, { level, id, isNarrowed }: Scope): Condition {
    const { textIndex } = this.#given.joins[level as JoinedKind]!;
    const serial = `${isNarrowed ? '' : '+'}${aliasIn(id)}.serial`;
    return fragment(`${serial} IN (SELECT rowid FROM ${textIndex} WHERE ${textIndex} MATCH ?)`, match);
  }

  #linkOf(level: Level, to: Linked): ((name: string) => Link) | undefined {
    const { joins } = this.#given;
    if (level === 'item' && isJoined(to)) return linkToRows(joins[to]!);
    return isJoined(level) && to === 'item' ? itemsBy(joins[level]!.table, 'item_id', 'id') : links[`${level} ${to}`];
  }

  /** Condition on linked entities that the caller may read. */
  #linked(to: Linked, node: Node, scope: Scope): Condition {
    const { level, id, number } = scope;
    if (level === 'both') {
      const asItem = this.#linked(to, node, { ...scope, level: 'item' });
      const asCollection = this.#linked(to, node, { ...scope, level: 'collection' });
      return joined(
        [
          around(`(${number} < ${collectionsFrom} AND @)`, asItem),
          around(`(${number} >= ${collectionsFrom} AND @)`, asCollection),
        ],
        'OR',
      );
    }
    if (level === to) return this.of(node, scope, 'generic');
    const link = this.#linkOf(level, to);
    if (link === undefined) return this.#linked('item', and([{ is: 'linked', to, of: node }]), scope);
    const name = `t${++this.#aliases}`;
    const { from, key, readableItem } = link(name);
    const { viewer, closedShapes, joins, scans } = this.#given;
    const rows = isJoined(to) ? joins[to] : undefined;
    // Where nothing else narrows the search, the rows lead to their items.
    const isNarrowed = rows !== undefined && level === 'item' && (scans || scope.isLinked) && isNarrow(node, rows);
    // Linked entities match nothing if the caller's roles do not allow reading them.
    if (to !== 'item' && !maySee(viewer, to)) return never;
    const seen = [
      ...(readableItem ? [readableWhere(viewer, 'item', readableItem)] : []),
      ...(to === 'shape' ? openShape(closedShapes, `${name}.id`, `${name}.item_id`) : []),
      ...(to === 'approval' ? openVersion(closedShapes, name) : []),
    ];
    const inside = {
      level: to,
      id: `${name}.id`,
      ...(to === 'item' && { number: `${name}.serial` }),
      isLinked: true as const,
      isNarrowed,
    };
    const inner = joined([...seen, this.of(node, inside, 'generic')], 'AND');
    if (isNarrowed) {
      const items = `${rows.table} AS ${name} CROSS JOIN item AS i${name} ON i${name}.id = ${key}`;
      return around(`${number} IN (SELECT i${name}.serial FROM ${items} WHERE @)`, inner);
    }
    // Nested links: collects the entities once, instead of checking them repeatedly.
    return scope.isLinked && !rows
      ? around(`${id} IN (SELECT ${key} FROM ${from} AND @)`, inner)
      : around(`EXISTS (SELECT 1 FROM ${from} AND ${key} = ${id} AND @)`, inner);
  }
}

/** Relation between two kinds of entities. */
interface Link {
  /** Tables of the linked entities with an alias, ready for further conditions. */
  readonly from: string;
  /** Column with the id of the entity. */
  readonly key: string;
  /** Column of an item that the viewer must be able to read. Undefined: no further check is needed. */
  readonly readableItem?: string;
}

const filesOf =
  (column: string) =>
  (name: string): Link => ({
    from: `file_use AS u${name} CROSS JOIN file AS ${name} ON ${name}.id = u${name}.file_id
      CROSS JOIN storage AS s${name} ON s${name}.id = ${name}.storage_id WHERE s${name}.deleted_at IS NULL`,
    key: `u${name}.${column}`,
  });

const linkToRows =
  ({ table }: JoinedRows) =>
  (name: string): Link => ({ from: `${table} AS ${name} WHERE TRUE`, key: `${name}.item_id` });

/** A version is open to whom one of its shapes is. */
function openVersion(closedShapes: string | undefined, name: string): readonly Condition[] {
  const [open] = openShape(closedShapes, `s${name}.id`, `s${name}.item_id`);
  const of = `s${name}.item_id = ${name}.item_id AND s${name}.essence_version = ${name}.essence_version`;
  return open ? [around(`EXISTS (SELECT 1 FROM shape AS s${name} WHERE ${of} AND @)`, open)] : [];
}

const aliasIn = (id: string): string => id.slice(0, id.lastIndexOf('.'));

/** Whether an index of the rows finds those that meet the criteria. */
function isNarrow(node: Node, rows: JoinedRows): boolean {
  if (node.is === 'and') return node.of.some((each) => isNarrow(each, rows));
  if (node.is === 'or') return node.of.every((each) => isNarrow(each, rows));
  if (node.is === 'joinedWords') return true;
  return node.is === 'fact' && node.test.is === 'equals' && rows.fields[node.fact.name]?.narrows !== undefined;
}

/** Items through the rows that refer to them. */
const itemsBy =
  (table: string, item: string, key: string, where = 'TRUE') =>
  (name: string): Link => ({
    from: `${table} AS u${name} CROSS JOIN item AS ${name} ON ${name}.id = u${name}.${item} WHERE ${where}`,
    key: `u${name}.${key}`,
    readableItem: `${name}.id`,
  });

/** Links by the kinds of both entities. */
const links: Readonly<Record<string, (name: string) => Link>> = {
  'item shape': (name) => ({ from: `shape AS ${name} WHERE TRUE`, key: `${name}.item_id` }),
  'item file': filesOf('item_id'),
  'shape file': filesOf('shape_id'),
  'shape item': itemsBy('shape', 'item_id', 'id'),
  'file item': itemsBy('file_use', 'item_id', 'file_id'),
  // Files match through shapes of items that the caller may read.
  'file shape': (name) => ({
    from: `file_use AS u${name} CROSS JOIN shape AS ${name} ON ${name}.id = u${name}.shape_id WHERE TRUE`,
    key: `u${name}.file_id`,
    readableItem: `${name}.item_id`,
  }),
  'collection item': itemsBy('collection_member', 'member_id', 'collection_id', "member_type = 'item'"),
};

/** Entities with terms of use that meet a test, without those of which other terms decide. */
function usable(of: 'item' | 'collection', column: 'usable_from' | 'usable_until', test: Test, id: string): Condition {
  const among = (each: Test) => termedBy(of, id, tested(column, each));
  const beyond = decidingTest(column, test);
  return beyond === undefined ? among(test) : joined([among(test), around('NOT @', among(beyond))], 'AND');
}

/** Places of a range in the order of its field. `values`: maximum per entity. */
export function placesIn(field: string, test: Test, values: Values): Condition {
  const [number, inner] = [fieldNumber(field), tested('key', test)];
  // A single value has one place with a negative tie. Several also have positive ones, and places between.
  return values === 'one'
    ? around('search_order WHERE field = ? AND tie < 0 AND @', inner, number)
    : around('search_order WHERE field IN (?, ?) AND @', inner, number, -number);
}

/** The plus sign keeps SQLite from querying the text index for each entity. */
const matching = ({ number }: Scope, match: string): Condition =>
  fragment(`+${number} IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)`, match);

function tested(column: string, test: Test): Condition {
  switch (test.is) {
    case 'some':
      return fragment(`${column} IS NOT NULL`);
    case 'equals':
      return compared(column, '=', test.value);
    case 'among':
      return fragment(`${column} IN (SELECT value FROM json_each(?))`, `[${test.values.map(jsonOf).join()}]`);
    case 'like':
      return fragment(`${column} GLOB ?`, test.ignoresCase ? caselessGlob(test.pattern) : globOf(test.pattern));
    case 'between':
      return joined(
        [
          ...(test.from ? [compared(column, test.from.open ? '>' : '>=', test.from.value)] : []),
          ...(test.to ? [compared(column, test.to.open ? '<' : '<=', test.to.value)] : []),
        ],
        'AND',
      );
  }
}

function compared(column: string, sign: string, value: Comparable): Condition {
  // Passed as text, since 64-bit integers would lose digits.
  if (typeof value === 'bigint') return fragment(`${column} ${sign} CAST(? AS INTEGER)`, String(value));
  return fragment(`${column} ${sign} ?`, value as SqlValue);
}
