import { attribute, boolean, content, element, integer, list, string, structure, type Value } from '../describe.ts';

const counted = structure('FacetCountType', {
  value: content(integer).required.says('How many hits have the value.'),
  fieldValue: attribute(string),
  count: attribute(integer).says('Number of hits, equal to the text of the element.'),
});
const countedRange = structure('FacetRangeType', {
  value: content(integer).required,
  start: attribute(string),
  end: attribute(string),
  count: attribute(integer),
});

/** Facet of an answer. */
export const facet = structure('FacetType', {
  field: element(string),
  count: list(counted),
  range: list(countedRange),
  name: attribute(string),
});
export type FacetResult = Value<typeof facet>;

const range = structure('FacetRangeRequestType', { start: attribute(string), end: attribute(string) });

/** Facet that a search asks for. */
export const facetRequest = structure('FacetRequestType', {
  field: element(string).required,
  range: list(range),
  exclude: list(string).says('Names of filters that the facet ignores.'),
  count: attribute(boolean).says('No effect: a facet always counts.'),
  minCount: attribute(integer),
  maxCount: attribute(integer).says('Only of searches of jobs.'),
  maxResults: attribute(integer),
  name: attribute(string),
});
export type FacetRequest = Value<typeof facetRequest>;

/** Criterion that the facet of the same field ignores. */
export const facetFilter = structure('FacetFilterType', {
  field: element(string).required,
  range: element(range),
  value: element(string),
});

/** Limits of the facets of a search: of their number, and of values for each. */
export const mostFacets = 20;
export const [usualFacetValues, mostFacetValues] = [100, 1000];
