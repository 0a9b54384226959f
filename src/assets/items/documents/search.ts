import { attribute, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';
import { facet } from '../../../core/documents/shared/facets.ts';

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
