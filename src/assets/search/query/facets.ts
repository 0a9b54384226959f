import {
  type FacetResult,
  mostFacets,
  mostFacetValues,
  usualFacetValues,
} from '../../../core/documents/shared-documents.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import type { ItemSearch, SearchFacet } from '../documents.ts';
import { comparableOf, type FieldForm, shownValue } from '../index/values.ts';
import { isIndexed, type Node } from './ast.ts';
import { dateOf } from './read.ts';
import { badSearch, refusingTooDeep } from './refusals.ts';
import { countOf, type Plan, valuesOf, withTimed } from './rows-sql.ts';
import type { Resolved, Search } from './search.ts';

const mostRanges = 100;

/** Facets of a search, in the order of its document. */
export async function facetsOf(
  reader: LimitedReader,
  search: Search,
  { facet = [], facetFilter = [] }: ItemSearch,
  resolved: () => Promise<Resolved>,
): Promise<readonly FacetResult[]> {
  if (facet.length > mostFacets) throw badSearch('facet', `Expected at most ${mostFacets} facets`);
  const one = (each: SearchFacet) => {
    const excluded = new Set(each.exclude ?? []);
    const isOwn = excluded.size > 0 || facetFilter.some(({ field }) => field === each.field);
    const uses = (name: string | undefined) => name === undefined || !excluded.has(name);
    const counted = async () => {
      const { plan, timed } = isOwn ? await search.resolve({ uses, facet: each.field }) : await resolved();
      return facetOf(reader, search, withTimed(plan, timed), each);
    };
    return refusingTooDeep(counted);
  };
  return Promise.all(facet.map(one));
}

async function facetOf(reader: LimitedReader, search: Search, plan: Plan, facet: SearchFacet): Promise<FacetResult> {
  const { field, name, range = [], minCount = 1, maxResults = usualFacetValues } = facet;
  const named = { field, ...(name !== undefined && { name }) };
  const form = isIndexed(plan.kind) ? search.names.field(field) : undefined;
  if (form === undefined) return named;
  if (range.length > mostRanges) throw badSearch('facet', `Expected at most ${mostRanges} ranges`, field);
  if (range.length > 0) {
    const plans = range.map(({ start, end }) => search.narrowed(plan, between(form, start, end)));
    const counts = await Promise.all(plans.map((each) => countOf(reader, each)));
    const counted = counts.map((value, at) => {
      const { start = '*', end = '*' } = range[at]!;
      return { value, count: value, start, end };
    });
    return { range: counted, ...named };
  }
  const values = await valuesOf(reader, plan, form, {
    minCount,
    most: Math.max(Math.min(maxResults, mostFacetValues), 0),
  });
  return {
    count: values.map(({ value, count }) => ({ fieldValue: shownValue(form.base, value), value: count, count })),
    ...named,
  };
}

/** Range of a facet: inclusive start, exclusive end, so that neighbours do not overlap. */
function between(field: FieldForm, start: string | undefined, end: string | undefined): Node {
  const read = (text: string | undefined) => {
    if (text === undefined || text === '' || text === '*') return undefined;
    const value = comparableOf(field.base, text) ?? dateOf(field, text);
    if (value === undefined) throw badSearch(`facet/${field.name}`, `Expected a value of the type ${field.base}`, text);
    return value;
  };
  const [from, to] = [read(start), read(end)];
  const test = {
    is: 'between',
    ...(from !== undefined && { from: { value: from, open: false } }),
    ...(to !== undefined && { to: { value: to, open: true } }),
  } as const;
  return { is: 'value', field, test };
}
