import { attribute, content, element, integer, list, string, structure, type Value } from '../../documents/describe.ts';

const facetCount = structure('FacetCountType', {
  value: content(integer).required.says('How many hits have the value.'),
  fieldValue: attribute(string),
  count: attribute(integer).says('Number of hits, equal to the text of the element.'),
});
const facetRange = structure('FacetRangeType', {
  value: content(integer).required,
  start: attribute(string),
  end: attribute(string),
  count: attribute(integer),
});
const facet = structure('FacetType', {
  field: element(string),
  count: list(facetCount),
  range: list(facetRange),
  name: attribute(string),
});
const suggestion = structure('SuggestionResultType', { term: element(string), suggestion: list(string) });
export const autocompleteResponse = structure('AutocompleteResponseType', {
  field: element(string),
  suggestion: list(string),
});

/** Lists in answers of lists and searches. Clients expect them, even empty. */
export const emptyLists = {
  facet: list(facet).outputOnly,
  suggestion: list(suggestion).outputOnly,
  autocomplete: list(autocompleteResponse).outputOnly,
};
export type FacetResult = Value<typeof facet>;
export type SuggestionResult = Value<typeof suggestion>;
export type AutocompleteResult = Value<typeof autocompleteResponse>;

export const noLists = { facet: [], suggestion: [], autocomplete: [] } as const;

/** Timespan of a hit, with the highlighted fields. */
export const foundTimespan = structure('SearchResultEntryTimespanType', {
  field: list(structure('SearchResultEntryFieldType', { name: element(string), value: list(string) })),
  start: attribute(string),
  end: attribute(string),
});
export type FoundTimespan = Value<typeof foundTimespan>;
