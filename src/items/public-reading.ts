export { type Item, itemDocument, itemListDocument, itemType } from './documents/item.ts';
export {
  type AutocompleteResult,
  autocompleteResponse,
  emptyLists,
  type FacetResult,
  type FoundTimespan,
  foundTimespan,
  noLists,
  type SuggestionResult,
} from './documents/search.ts';
