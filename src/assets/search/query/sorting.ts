import { readBase64 } from '../../../core/lib/bytes.ts';
import { textOfBytes } from '../../../core/lib/random.ts';
import { isDescending } from '../../../core/lib/words.ts';
import type { SqlValue } from '../../../core/store/contract.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { Condition } from '../../access/public-reading.ts';
import { isText } from '../../definitions/public-reading.ts';
import { displayName } from '../../metadata/public-reading.ts';
import type { SearchSort } from '../documents.ts';
import { isIndexed, type SearchKind } from './ast.ts';
import { fragment, joined } from './conditions.ts';
import type { Names } from './names.ts';
import { factOf } from './names.ts';
import type { Keyset, Relevance, SortTerm } from './page.ts';
import { badSearch } from './refusals.ts';
import { keyOfFact, keyOfField, keyOfMember } from './rows-sql.ts';

export interface SortOrder {
  readonly terms: readonly SortTerm[];
  /** Order of numbers if all terms are equal. */
  readonly ascending: boolean;
  /** Signature of the order: cursors of other orders are refused. */
  readonly signature: string;
}

/** Default order of an endpoint, instead of the newest first: oldest first, or the order of members. */
export interface DefaultOrder {
  readonly signature: string;
  /** Collection whose member order is used. */
  readonly membersOf?: string;
}

/** Maximum sort terms per search. */
const maxTerms = 8;

const number: SortTerm = {
  by: 'id',
  value: fragment('e.id'),
  descending: false,
  nullable: false,
  numeric: true,
  cheap: true,
};
const created: SortTerm = { ...number, by: 'created', value: fragment('e.created_at') };

/** Names of ids, which sort by their number. */
const serialNames: ReadonlyMap<SearchKind, readonly string[]> = new Map([
  ['shape', ['shapeId', 'id']],
  ['file', ['fileId', 'id']],
]);

/** Undefined: all hits are equally relevant. */
type RelevanceOf = () => Relevance | undefined;

/** Order of a search document. Default: newest first. */
export function orderOf(
  sort: readonly SearchSort[],
  kind: SearchKind,
  names: Names,
  relevance: RelevanceOf,
): SortOrder {
  if (sort.length > maxTerms) throw badSearch('sort', `Expected at most ${maxTerms} fields to sort by`);
  const terms = sort.flatMap(({ field, order = 'ascending' }) => {
    const descending = isDescending(order);
    if (descending === undefined) throw badSearch('sort', 'Expected "ascending" or "descending"', order);
    const term = termOf(field, kind, names, descending, relevance);
    return term ? [{ ...term, descending: field === '_relevance' ? !descending : descending }] : [];
  });
  const signature = JSON.stringify(sort.map(({ field, order = '' }) => [field, order.toLowerCase().startsWith('d')]));
  if (terms.length === 0 && kind === 'both')
    return { terms: [{ ...created, descending: true }], ascending: false, signature };
  return { terms, ascending: false, signature };
}

/** Replaces the default order. */
export function defaultOrder({ terms }: SortOrder, { signature, membersOf }: DefaultOrder): SortOrder {
  const member = membersOf === undefined ? undefined : keyOfMember(membersOf);
  const place = member && {
    by: 'place' as const,
    value: member,
    descending: false,
    nullable: true,
    numeric: true,
    cheap: true,
    ...(membersOf !== undefined && { membersOf }),
  };
  return { terms: place ? [place] : terms, ascending: true, signature };
}

function termOf(
  name: string,
  kind: SearchKind,
  names: Names,
  descending: boolean,
  relevanceOf: RelevanceOf,
): Omit<SortTerm, 'descending'> | undefined {
  if (name === '_relevance') {
    const relevance = relevanceOf();
    return (
      relevance && { ...number, by: 'relevance', value: relevance.scored, unscored: relevance.unscored, cheap: false }
    );
  }
  if (name === 'created' && isIndexed(kind)) return created;
  if ((name === 'itemId' && kind === 'item') || (name === 'collectionId' && kind === 'collection')) return number;
  if (serialNames.get(kind)?.includes(name)) return { ...number, value: fragment('e.serial') };
  const field = isIndexed(kind) ? (name === displayName ? names.displayName : names.field(name)) : undefined;
  if (field) {
    return {
      by: field,
      value: keyOfField(field, kind, descending),
      nullable: true,
      numeric: !isText(field.base),
      cheap: false,
      field: name,
      ...(field.closed && { closed: field.closed }),
    };
  }
  const fact = factOf(kind, name);
  if (fact === undefined || fact.key !== undefined) return undefined;
  return {
    by: 'fact',
    fact,
    value: keyOfFact(fact, kind, descending, names.viewer),
    nullable: true,
    numeric: fact.type !== 'text',
    cheap: false,
  };
}

export interface SortPosition {
  readonly signature: string;
  readonly keys: readonly (string | null)[];
  readonly number: number;
  /** Place among the timespans of the entity. Undefined: no timespan. */
  readonly place: number | undefined;
}

export const cursorText = (order: SortOrder, { keys, number: at, place }: Omit<SortPosition, 'signature'>): string =>
  textOfBytes(
    new TextEncoder().encode(JSON.stringify([order.signature, keys, at, ...(place === undefined ? [] : [place])])),
  );

/** Position of a cursor. Undefined: the beginning. */
export function positionIn(order: SortOrder, cursor: string | undefined): SortPosition | undefined {
  if (cursor === undefined || cursor === '*') return undefined;
  const position = positionOf(cursor);
  if (position === undefined || position.signature !== order.signature || position.keys.length !== order.terms.length) {
    throw badParameter('cursor', 'Expected "*", or the "nextCursor" of an answer to the same search', cursor);
  }
  return position;
}

/** Condition for entries after a position. `hasTimed`: whether some entries are timespans. */
export const keysetOf = (
  order: Pick<SortOrder, 'terms' | 'ascending'>,
  position: SortPosition | undefined,
  hasTimed = false,
): Keyset => ({
  ascending: order.ascending,
  ...(position && order.terms.length === 0 && { at: position.number }),
  ...(position && (hasTimed || order.terms.length > 0) && { condition: behind(order, position, hasTimed) }),
});

function positionOf(cursor: string): SortPosition | undefined {
  try {
    const [signature, keys, at, place] = JSON.parse(new TextDecoder().decode(readBase64(cursor))) as unknown[];
    const isKey = (key: unknown): key is string | null => key === null || typeof key === 'string';
    if (typeof signature !== 'string' || !Array.isArray(keys) || !keys.every(isKey)) return undefined;
    const hasPlace = Number.isSafeInteger(place) && (place as number) >= 0;
    if (!Number.isSafeInteger(at) || (place !== undefined && !hasPlace)) return undefined;
    return { signature, keys, number: at as number, place: hasPlace ? (place as number) : undefined };
  } catch {
    return undefined;
  }
}

function behind(
  { terms, ascending }: Pick<SortOrder, 'terms' | 'ascending'>,
  { keys, number: at, place }: SortPosition,
  hasTimed: boolean,
): Condition {
  const equal = (index: number): Condition => fragment(`k${index} IS ?`, textOrNumber(terms[index]!, keys[index]!));
  const further = terms.flatMap((term, index) => {
    const key = keys[index]!;
    if (key === null) return [];
    const beyond = `k${index} ${term.descending ? '<' : '>'} ?${term.nullable ? ` OR k${index} IS NULL` : ''}`;
    const before = Array.from({ length: index }, (_, each) => equal(each));
    return [joined([...before, fragment(`(${beyond})`, textOrNumber(term, key))], 'AND')];
  });
  const next = fragment(`number ${ascending ? '>' : '<'} ?`, at);
  const sameEntity = place === undefined || !hasTimed ? [] : [fragment('(number = ? AND place > ?)', at, place)];
  const last = joined([...terms.map((_, index) => equal(index)), joined([next, ...sameEntity], 'OR')], 'AND');
  return joined([...further, last], 'OR');
}

export const textOrNumber = ({ numeric }: SortTerm, key: string | null): SqlValue =>
  key === null || !numeric ? key : Number(key);
