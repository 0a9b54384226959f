export { type Item, itemDocument, itemListDocument, itemType } from './documents/item.ts';
export {
  type AutocompleteResult,
  autocompleteResponse,
  emptyLists,
  type FoundTimespan,
  foundTimespan,
  noLists,
  type SuggestionResult,
} from './documents/search.ts';
