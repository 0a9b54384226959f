export {
  type AutocompleteResult,
  autocompleteResponse,
  emptyLists,
  type FoundTimespan,
  foundTimespan,
  type Item,
  itemDocument,
  itemListDocument,
  itemType,
  noLists,
  type SuggestionResult,
} from './documents.ts';
