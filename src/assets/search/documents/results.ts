import {
  attribute,
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { collectionType } from '../../items/public.ts';
import { emptyLists, foundTimespan, itemType } from '../../items/public-reading.ts';
import { itemSearch } from './search.ts';

const entry = structure('SearchResultEntryType', {
  item: element(itemType),
  collection: element(collectionType),
  timespan: list(foundTimespan),
  start: attribute(string),
  end: attribute(string),
  type: attribute(string).says('"Item", "Collection" or "Document".'),
  id: attribute(string),
});

export const searchResultDocument = document('SearchResultDocument', {
  hits: element(integer),
  suggestion: emptyLists.suggestion,
  autocomplete: emptyLists.autocomplete,
  entry: list(entry),
  facet: emptyLists.facet,
  nextCursor: element(string),
});
export type SearchResultEntry = Value<typeof entry>;

const history = structure('SearchHistoryEntryType', {
  timestamp: element(dateTime),
  user: element(string),
  query: element(itemSearch),
});
export const searchHistoryDocument = document('SearchHistoryDocument', { search: list(history) });

export const reindexRequestDocument = document('ReindexRequestDocument', {
  index: element(string),
  priority: element(integer),
  status: element(string),
  start: element(dateTime),
  finish: element(dateTime),
  indexesDone: element(integer),
  indexesTotal: element(integer),
});
export type ReindexRequest = Value<typeof reindexRequestDocument>;
