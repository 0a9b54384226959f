import { element, list, string, structure } from '../../documents/describe.ts';

/** Lists that the answer of a list without search criteria names, and leaves empty: clients read them. */
export const emptyLists = {
  facet: list(structure('FacetType', { field: element(string) })).outputOnly,
  suggestion: list(structure('SuggestionType', { term: element(string) })).outputOnly,
  autocomplete: list(structure('AutocompleteType', { text: element(string) })).outputOnly,
};

export const noLists = { facet: [], suggestion: [], autocomplete: [] } as const;
