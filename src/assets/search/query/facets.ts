import {
  defaultFacetValues,
  type FacetResult,
  maxFacets,
  maxFacetValues,
} from '../../../core/documents/shared-documents.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import type { ItemSearch, SearchFacet } from '../documents.ts';
import { comparableOf, type FieldForm, shownValue } from '../index/values.ts';
import { type Fact, isIndexed, type Node, type SearchKind, type Test } from './ast.ts';
import { countedValues } from './counted-sql.ts';
import { expectBuilt, indexesOf } from './index-state.ts';
import { factOf, storedName } from './names.ts';
import type { ValueCount } from './page.ts';
import { dateOf, formOfFact } from './read.ts';
import { badSearch, refusingTooDeep } from './refusals.ts';
import { type Plan, valuesOf, withTimed } from './rows-sql.ts';
import type { Filters, Resolved, Search } from './search.ts';
import { countOf, factValuesOf } from './total-sql.ts';

const maxRanges = 100;

/** Filters of a facet: all but those that it leaves out, and but its own. Undefined: those of the search. */
export function filtersOfFacet({ facetFilter = [] }: ItemSearch, { field, exclude = [] }: SearchFacet) {
  if (exclude.length === 0 && facetFilter.every((each) => each.field !== field)) return undefined;
  return { uses: (name: string | undefined) => name === undefined || !exclude.includes(name), facet: field };
}

/** Whether a facet is counted in ranges. Refuses too many. */
export function rangesOfFacet({ field, range = [] }: SearchFacet): NonNullable<SearchFacet['range']> {
  if (range.length > maxRanges) throw badSearch('facet', `Expected at most ${maxRanges} ranges`, field);
  return range;
}

/** Value of a facet as a document shows it. */
export const facetValue = (form: FieldForm, value: string, count: number) => ({
  fieldValue: shownValue(form.base, value),
  value: count,
  count,
});

/** Number of hits in a range of a facet. */
export const facetRange = ({ start = '*', end = '*' }: NonNullable<SearchFacet['range']>[number], count: number) => ({
  value: count,
  count,
  start,
  end,
});

/** Limits of the values of a facet. */
export const valuesOfFacet = ({ minCount = 1, maxResults = defaultFacetValues }: SearchFacet) => ({
  minCount,
  max: Math.max(Math.min(maxResults, maxFacetValues), 0),
});

/** Facets that a document asks for. Refuses too many. */
export function facetsAsked({ facet = [] }: ItemSearch): readonly SearchFacet[] {
  if (facet.length > maxFacets) throw badSearch('facet', `Expected at most ${maxFacets} facets`);
  return facet;
}

/** Facets of a search, in the order of its document. */
export async function facetsOf(
  reader: LimitedReader,
  search: Search,
  document: ItemSearch,
  resolved: () => Promise<Resolved>,
): Promise<readonly FacetResult[]> {
  const facet = facetsAsked(document);
  const one = (each: SearchFacet) => {
    const own = filtersOfFacet(document, each);
    const ofRows = async () => {
      const { plan, timed } = own ? await search.resolve(own) : await resolved();
      return facetOf(reader, search, withTimed(plan, timed), each);
    };
    return refusingTooDeep(async () => (await facetOfCounts(reader, search, each, own)) ?? ofRows());
  };
  return Promise.all(facet.map(one));
}

/** Fact that a facet counts: numbers and times in ranges, and the values of items. */
export function factOfFacet(kind: SearchKind, { field, range = [] }: SearchFacet): Fact | undefined {
  const fact = factOf(kind, field);
  const isCounted = range.length > 0 ? fact?.type !== 'text' : kind === 'item' && fact?.type !== 'date';
  return isCounted ? fact : undefined;
}

async function facetOf(reader: LimitedReader, search: Search, plan: Plan, facet: SearchFacet): Promise<FacetResult> {
  const { field } = facet;
  const named = nameOf(facet);
  const indexed = isIndexed(plan.kind) ? search.names.field(field) : undefined;
  const fact = indexed ? undefined : factOfFacet(plan.kind, facet);
  const form = fact ? formOfFact(fact, field, search.names) : indexed;
  if (form === undefined) return named;
  const range = rangesOfFacet(facet);
  if (range.length > 0) {
    const within = (test: Test): Node => (fact ? { is: 'fact', fact, test } : { is: 'value', field: form, test });
    const plans = range.map(({ start, end }) => search.narrowed(plan, within(rangeOfFacet(form, start, end))));
    const counts = await Promise.all(plans.map((each) => countOf(reader, each)));
    return { range: counts.map((count, at) => facetRange(range[at]!, count)), ...named };
  }
  const limits = valuesOfFacet(facet);
  if (fact) {
    const counts = await factValuesOf(reader, plan, fact, search.given.viewer, limits);
    return { count: counts.map(({ value, count }) => ({ fieldValue: value, value: count, count })), ...named };
  }
  const values = await valuesOf(reader, plan, form, limits);
  return { count: valuesIn(form, values), ...named };
}

/** Facet over everything, from the counts of its field. Undefined: only rows tell it. */
async function facetOfCounts(
  reader: LimitedReader,
  search: Search,
  facet: SearchFacet,
  filters: Filters | undefined,
): Promise<FacetResult | undefined> {
  const { field, range = [] } = facet;
  const isCounted = isIndexed(search.given.kind) && search.names.index.counted.has(storedName(field));
  const form = isCounted ? search.names.field(field) : undefined;
  if (form === undefined || range.length > 0 || !isOfAll(search, filters)) return undefined;
  const { viewer, kind } = search.given;
  const values = await countedValues(reader, viewer, kind, form, valuesOfFacet(facet));
  return values && { count: valuesIn(form, values), ...nameOf(facet) };
}

/** Whether the filters leave all entities of the kind in the index. Refuses an index that is not built. */
function isOfAll(search: Search, filters: Filters | undefined): boolean {
  const { kind, collection, library, among, search: document } = search.given;
  const isScoped = [collection, library, among].some((scope) => scope !== undefined);
  if (isScoped || document.intervals === 'timed' || !search.isEverything(filters)) return false;
  expectBuilt(search.names.index, indexesOf(kind, search.nodeOf(filters)));
  return true;
}

const nameOf = ({ field, name }: SearchFacet) => ({ field, ...(name !== undefined && { name }) });

const valuesIn = (form: FieldForm, values: readonly ValueCount[]) =>
  values.map(({ value, count }) => facetValue(form, value, count));

/** Range of a facet: inclusive start, exclusive end, so that neighbours do not overlap. */
export function rangeOfFacet(
  field: FieldForm,
  start: string | undefined,
  end: string | undefined,
): Extract<Test, { is: 'between' }> {
  const read = (text: string | undefined) => {
    if (text === undefined || text === '' || text === '*') return undefined;
    const value = comparableOf(field.base, text) ?? dateOf(field, text);
    if (value === undefined) throw badSearch(`facet/${field.name}`, `Expected a value of the type ${field.base}`, text);
    return value;
  };
  const [from, to] = [read(start), read(end)];
  return {
    is: 'between',
    ...(from !== undefined && { from: { value: from, open: false } }),
    ...(to !== undefined && { to: { value: to, open: true } }),
  };
}
