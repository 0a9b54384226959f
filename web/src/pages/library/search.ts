import type { ItemSearchTextValueType, ItemSearchType, SearchFieldType, SearchFilterType } from 'portico/types';
import { approvalField, type Facet, facetRequest, usageField } from './facets.ts';
import { leaving } from './leaving.ts';

/** Characters of private use: the API puts them around hits, and no text of a person has them. */
export const markBegin = '\ue000';
export const markEnd = '\ue001';

/** Criterion that finds items by their ids. */
export const oneOf = (ids: Iterable<string>) => ({ name: 'itemId', value: Array.from(ids, (value) => ({ value })) });

interface Part {
  readonly text: string;
  readonly hit: boolean;
}

/** The parts of a text with marks. Marks without their counterpart are dropped. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let hit = false;
  let part = '';
  const close = () => {
    if (part !== '') parts.push({ text: part, hit });
    part = '';
  };
  for (const character of text) {
    if (character === markBegin || character === markEnd) {
      close();
      hit = character === markBegin;
    } else part += character;
  }
  // Without its end, a mark would colour the rest of the text.
  if (hit) hit = false;
  close();
  return parts;
}

/** A lower and an upper bound, as a person typed them. Dates are days of the calendar: 2026-11-25. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** Criteria of a search. They are kept in the address, so that it can be sent as a link. */
export interface Search {
  readonly text: string;
  /** Chosen values by field: an item needs one of them. */
  readonly picks: Readonly<Record<string, readonly string[]>>;
  readonly ranges: Readonly<Record<string, Range>>;
  /** A field, with "-" before it in falling order. "" is the newest first. */
  readonly sort: string;
}

/** By names that an address may have: "constructor" is a field like others. */
const byField = <T>(values: Readonly<Record<string, T>> = {}): Record<string, T> =>
  Object.assign(Object.create(null), values);

export const emptySearch: Search = { text: '', picks: byField(), ranges: byField(), sort: '' };

export function isEmptySearch({ text, picks, ranges }: Search): boolean {
  return text.trim() === '' && Object.keys(picks).length === 0 && Object.keys(ranges).length === 0;
}

function halves(text: string, separator: string): readonly [string, string] | undefined {
  const at = text.indexOf(separator);
  return at <= 0 && separator === ':'
    ? undefined
    : at < 0
      ? undefined
      : [text.slice(0, at), text.slice(at + separator.length)];
}

export function readSearch(query: URLSearchParams): Search {
  const picks = byField<string[]>();
  const ranges = byField<Range>();
  for (const entry of query.getAll('f')) {
    const pick = halves(entry, ':');
    if (!pick) continue;
    picks[pick[0]] ??= [];
    if (!picks[pick[0]]?.includes(pick[1])) picks[pick[0]]?.push(pick[1]);
  }
  for (const entry of query.getAll('r')) {
    const named = halves(entry, ':');
    const bounds = named && halves(named[1], '..');
    if (named && bounds && (bounds[0] !== '' || bounds[1] !== ''))
      ranges[named[0]] = { from: bounds[0], to: bounds[1] };
  }
  return { text: query.get('q') ?? '', picks, ranges, sort: query.get('sort') ?? '' };
}

/** The search as a query of an address, with the same order for the same search. */
export function writeSearch({ text, picks, ranges, sort }: Search): URLSearchParams {
  const query = new URLSearchParams();
  if (text.trim() !== '') query.set('q', text);
  for (const field of Object.keys(picks).sort())
    for (const value of picks[field] ?? []) query.append('f', `${field}:${value}`);
  for (const field of Object.keys(ranges).sort()) {
    const range = ranges[field];
    if (range) query.append('r', `${field}:${range.from}..${range.to}`);
  }
  if (sort !== '') query.set('sort', sort);
  return query;
}

export function withPick(search: Search, field: string, value: string, on: boolean): Search {
  const values = (search.picks[field] ?? []).filter((each) => each !== value);
  if (on) values.push(value);
  const { [field]: _old, ...others } = search.picks;
  return { ...search, picks: byField(values.length > 0 ? { ...others, [field]: values } : others) };
}

export function withRange(search: Search, field: string, range: Range | undefined): Search {
  const { [field]: _old, ...others } = search.ranges;
  return {
    ...search,
    ranges: byField(range && (range.from !== '' || range.to !== '') ? { ...others, [field]: range } : others),
  };
}

/** Whether quotes and brackets are closed, and no operator waits for its next word: while it is typed, a query is not. */
function isWhole(query: string): boolean {
  let depth = 0;
  for (const character of query.replace(/"[^"]*"/g, '')) {
    if (character === '"') return false;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0 && !/(^|\s)(AND|OR|NOT|[+-])$/.test(query);
}

/**
 * The text as a criterion. Words are found while the last one is typed; signs of the query language make a query; all
 * other text, such as a name with a colon in it, is searched as it is.
 */
export function textCriterion(text: string): ItemSearchTextValueType | undefined {
  const value = text.trim();
  if (value === '') return undefined;
  if (isWhole(value) && /["*?()]|(^|\s)[+-]\S|(^|\s)(AND|OR|NOT)(\s|$)/.test(value)) return { value, noescape: true };
  if (isWhole(value) && /^[\p{L}\p{N}\s]+$/u.test(value) && !/\s$/.test(text))
    return { value: `${value}*`, noescape: true };
  return { value, noescape: false };
}

function dayBegin(day: string, after: number): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}

function rangeField(field: string, { from, to }: Range, isDate: boolean): SearchFieldType {
  const lower = from === '' ? { minimum: true } : { value: isDate ? dayBegin(from, 0) : from };
  const upper = to === '' ? { maximum: true } : { value: isDate ? dayBegin(to, 1) : to };
  return {
    name: field,
    range: [{ value: [lower, upper], ...(isDate && to !== '' ? { exclusiveMaximum: true } : {}) }],
  };
}

export const reviewStates = ['in-review', 'approved', 'rejected'] as const;

/** Stands for no state. */
export const unreviewed = '';

/** Items in one of the states. */
export function stateIs(values: readonly string[]): SearchFilterType {
  const having = (states: readonly string[]): SearchFilterType => ({
    approval: { field: [{ name: 'state', value: states.map((value) => ({ value })) }] },
  });
  if (!values.includes(unreviewed)) return having(values);
  const states = values.filter((value) => value !== unreviewed);
  const without: SearchFilterType = { operation: 'NOT', ...having(reviewStates) };
  return { operation: 'OR', operator: states.length > 0 ? [having(states), without] : [without] };
}

/** Items that may not be used any more or not yet, and those whose rights end soon, by bounds of their times. */
const usageBounds = {
  ended: ['__usable_until', { minimum: true }, { value: 'NOW' }],
  later: ['__usable_from', { value: 'NOW' }, { maximum: true }],
  soon: ['__usable_until', { value: 'NOW' }, { value: 'NOW+30DAYS' }],
} as const;
export const usageFilters = Object.keys(usageBounds) as readonly (keyof typeof usageBounds)[];

/** Items whose rights are any of these. */
export function usageIs(values: readonly string[]): SearchFilterType {
  const operator = usageFilters
    .filter((each) => values.includes(each))
    .map((each) => {
      const [name, lower, upper] = usageBounds[each];
      return { field: [{ name, range: [{ value: [lower, upper] }] }] };
    });
  return { operation: 'OR', operator };
}

function filtersOf({ picks, ranges }: Search, facets: readonly Facet[]): SearchFilterType[] {
  const isDate = (field: string) => facets.some((facet) => facet.field === field && facet.kind === 'date');
  return [
    ...Object.entries(picks).map(([name, values]) => ({
      name,
      ...(name === approvalField
        ? stateIs(values)
        : name === usageField
          ? usageIs(values)
          : { field: [{ name, value: values.map((value) => ({ value })) }] }),
    })),
    ...Object.entries(ranges).map(([name, range]) => ({
      name: `${name} range`,
      field: [rangeField(name, range, isDate(name) || /^\d{4}-\d\d-\d\d$/.test(range.from || range.to))],
    })),
  ];
}

interface SearchOptions {
  readonly facets: readonly Facet[];
  /** Whether the counts of facets are asked for. Items are asked for without them. */
  readonly counts: boolean;
  /** Fields whose hits are marked. */
  readonly marked: readonly string[];
  /** Criterion of the place that is searched. */
  readonly within?: SearchFilterType | undefined;
}

/** Items that are not about to be deleted. */
const staying = (): SearchFilterType[] => (leaving.size === 0 ? [] : [{ operation: 'NOT', field: [oneOf(leaving)] }]);

export function documentOf(search: Search, { facets, counts, marked, within }: SearchOptions): ItemSearchType {
  const criterion = textCriterion(search.text);
  const filter = [...filtersOf(search, facets), ...(within ? [within] : []), ...staying()];
  const facet = counts ? facets.flatMap((each) => facetRequest(each)) : [];
  return {
    ...(criterion ? { text: [criterion] } : {}),
    ...(filter.length > 0 ? { filter } : {}),
    ...(facet.length > 0 ? { facet } : {}),
    ...(search.sort === '' ? {} : { sort: [sortOf(search.sort)] }),
    ...(criterion && marked.length > 0
      ? { highlight: { field: [...marked], prefix: markBegin, suffix: markEnd, matchingOnly: true } }
      : {}),
  };
}

function sortOf(sort: string): { field: string; order: string } {
  return sort.startsWith('-') ? { field: sort.slice(1), order: 'descending' } : { field: sort, order: 'ascending' };
}
