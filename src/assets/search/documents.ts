import {
  alsoNamed,
  attribute,
  boolean,
  content,
  dateTime,
  decimal,
  document,
  element,
  integer,
  type Lazy,
  lazy,
  list,
  oneOf,
  string,
  structure,
  textIsName,
  type Value,
} from '../../core/documents/describe.ts';
import { type FacetRequest, facetFilter, facetRequest } from '../../core/documents/shared-documents.ts';
import { metadataFieldGroupType } from '../definitions/public-reading.ts';
import { collectionType } from '../items/public.ts';
import { autocompleteResponse, emptyLists, foundTimespan, itemType } from '../items/public-reading.ts';
import { metadataGroupValue } from '../metadata/public-reading.ts';

export const searchText = structure('ItemSearchTextValueType', {
  value: content(string),
  noescape: attribute(boolean).says('True: the text is a query with phrases, AND, OR, NOT, + and -, and ranges.'),
  boost: attribute(decimal),
});
export type SearchText = Value<typeof searchText>;

const fieldValue = structure('ItemSearchValueType', {
  value: content(string),
  minimum: attribute(boolean).says('True: no lower bound.'),
  maximum: attribute(boolean).says('True: no upper bound.'),
  noescape: attribute(boolean),
  boost: attribute(decimal),
});
export type SearchValue = Value<typeof fieldValue>;

const range = structure('SearchRangeType', {
  value: list(fieldValue).says('Lower bound, then upper bound.'),
  exclusiveMinimum: attribute(boolean),
  exclusiveMaximum: attribute(boolean),
});
export type SearchRange = Value<typeof range>;

const target = oneOf('item', 'shape', 'file', 'annotation', 'approval');

export const searchField = structure('SearchFieldType', {
  name: element(string).required,
  value: list(fieldValue).says('At least one of the values must match. Without values and ranges, any value matches.'),
  range: list(range),
  target: attribute(target).says('Owner of the field, if not the entity itself.'),
});
export type SearchField = Value<typeof searchField>;

type SearchOperation = 'AND' | 'OR' | 'NOT';
const operation = oneOf('AND', 'OR', 'NOT');

const acl = structure('SearchAclType', {
  username: element(string).says('Another user than the caller needs `_user_read` and `_accesscontrol_read`.'),
  groupname: element(string).says('Needs the same roles.'),
  permission: element(string).required.says('READ, WRITE, ALL or OWNER.'),
});
export type SearchAcl = Value<typeof acl>;

/** Criteria common to all parts of a search. */
export interface SearchContent {
  readonly text?: readonly SearchText[] | undefined;
  readonly field?: readonly SearchField[] | undefined;
  readonly group?: readonly SearchGroup[] | undefined;
  readonly operator?: readonly SearchOperator[] | undefined;
  readonly item?: SearchContent | undefined;
  readonly shape?: SearchContent | undefined;
  readonly file?: SearchContent | undefined;
  readonly collection?: SearchContent | undefined;
  readonly relation?: SearchContent | undefined;
  readonly annotation?: SearchContent | undefined;
  readonly approval?: SearchContent | undefined;
  readonly reference?: readonly string[] | undefined;
  readonly acl?: SearchAcl | undefined;
}

export interface SearchOperator extends SearchContent {
  readonly operation?: SearchOperation | undefined;
}

export interface SearchGroup extends SearchContent {
  readonly name?: string | undefined;
  /** Matches groups of any name. Not in documents: set for searches of groups. */
  readonly isAny?: true | undefined;
}

export interface SearchFilter extends SearchOperator {
  readonly name?: string | undefined;
}

const inner: Lazy<SearchContent> = lazy(() => criterion);
const innerOperator: Lazy<SearchOperator> = lazy(() => operator);
const innerGroup: Lazy<SearchGroup> = lazy(() => group);

const contents = {
  text: list(searchText),
  field: list(searchField),
  group: list(innerGroup).says('All criteria must match in one instance of the group.'),
  operator: list(innerOperator),
  item: element(inner).says('A single item of the entity must match all criteria.'),
  shape: element(inner),
  file: element(inner),
  collection: element(inner),
  relation: element(inner),
  annotation: element(inner).says('A single annotation of the item must match all criteria.'),
  approval: element(inner).says('The latest version of the item must have a state under review that matches.'),
  reference: list(string).says('The uuids of groups and fields that the metadata refers to.'),
  acl: element(acl).says('Only outside of all other criteria.'),
};

const criterion = structure('CriterionType', contents);
const operator = structure('SearchOperatorType', {
  ...contents,
  operation: attribute(operation).says('Default: AND.'),
});
const group = structure('SearchGroupType', { name: element(string), ...contents }, textIsName);
const filter = structure('SearchFilterType', {
  ...contents,
  operation: attribute(operation).says('Default: AND.'),
  name: attribute(string).says('Name for facets that exclude the filter.'),
});

export type SearchFacet = FacetRequest;

const sort = structure('SearchSortType', {
  field: element(string).required,
  order: element(string).says('"ascending" or "descending". Default: ascending.'),
});
export type SearchSort = Value<typeof sort>;

const highlight = structure('SearchHighlightType', {
  field: list(string),
  matchingOnly: element(boolean),
  prefix: element(string),
  suffix: element(string),
});
export type SearchHighlight = Value<typeof highlight>;

const suggestion = structure('SuggestionSearchType', {
  maximumSuggestions: element(integer),
  accuracy: element(decimal),
});

const autocompleteRequest = structure('AutocompleteRequestType', {
  text: element(string).required,
  field: element(string),
  maximumSuggestions: element(integer),
});
export type AutocompleteRequest = Value<typeof autocompleteRequest>;

const queryParts = {
  text: list(searchText),
  field: list(searchField),
  group: list(innerGroup),
  intervals: element(oneOf('all', 'generic', 'timed')),
  cursor: element(string),
  reference: contents.reference,
};
/** Elements that ask for more in the answer than its hits. */
const answered = {
  facetFilter: list(facetFilter),
  facet: list(facetRequest),
  sort: list(sort),
  highlight: element(highlight),
};

export const answeredParts = {
  ...answered,
  suggestion: element(suggestion),
  autocomplete: list(autocompleteRequest),
};

const itemSearch = structure('ItemSearchType', {
  ...queryParts,
  operator: list(innerOperator),
  filter: list(filter).says('Restricts the result. Facets may exclude it.'),
  acl: element(acl).says('Only entities on which the user and the group have the permission. Default: the caller.'),
  item: contents.item,
  shape: contents.shape,
  file: contents.file,
  collection: contents.collection,
  relation: contents.relation,
  annotation: contents.annotation,
  approval: contents.approval,
  ...answeredParts,
  version: attribute(integer).says('Accepted, without effect.'),
});

export const itemSearchDocument = alsoNamed(
  document('ItemSearchDocument', itemSearch),
  'CollectionSearchDocument',
  'ShapeSearchDocument',
  'FileSearchDocument',
  'SearchDocument',
);
export type ItemSearch = Value<typeof itemSearchDocument>;

/** Search for entities with one group that meets all criteria. */
export const metadataGroupSearchDocument = document(
  'MetadataGroupSearchDocument',
  structure('MetadataGroupSearchType', {
    ...queryParts,
    operator: list(innerOperator),
    filter: list(filter).says('More criteria of the same group.'),
    item: contents.item,
    ...answered,
  }),
);

export const autocompleteRequestDocument = document('AutocompleteRequestDocument', autocompleteRequest);
export const autocompleteResponseDocument = document('AutocompleteResponseDocument', autocompleteResponse);

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
  moreHits: element(boolean).says('There may be more hits than that, which count=bounded leaves uncounted.'),
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

const candidate = structure('SearchCandidateType', {
  name: element(string).required,
  cost: element(integer).says('In look-ups of one entity. The planner takes the lowest.'),
  refusal: element(string).says('Condition of the strategy that the search does not meet.'),
});

/** How a search was run, for administrators. */
export const searchPlanDocument = document('SearchPlanDocument', {
  strategy: element(string).required.says('Strategy that found the page.'),
  reason: element(string).required,
  estimatedHits: element(integer).says(
    'Hits that the planner expected: those of an earlier search, or all entities of the kind.',
  ),
  hits: element(integer),
  milliseconds: element(integer).says('Time of the whole search, in whole milliseconds.'),
  thread: element(oneOf('serving', 'reader')).says('Thread that ran the search.'),
  servingReads: element(integer).says('Reads on the serving thread.'),
  readerReads: element(integer).says('Reads on reader threads.'),
  cached: element(boolean).says('Whether fields and the state of the index came from the cache.'),
  warning: element(string).says('What the answer may lack, as its header Warning says.'),
  candidate: list(candidate),
});
export type SearchPlan = Value<typeof searchPlanDocument>;

const result = structure('MetadataFieldResultGroupType', {
  value: element(metadataGroupValue),
  definition: element(metadataFieldGroupType),
  source: element(
    structure('MetadataFieldResultSourceType', {
      id: element(string),
      type: element(string).says('item, collection or global.'),
      loc: element(string),
    }),
  ),
  name: attribute(string),
  uuid: attribute(string),
  start: attribute(string),
  end: attribute(string),
});
export type UsedGroup = Value<typeof result>;

/** Metadata groups with their locations. */
export const metadataFieldResultDocument = document('MetadataFieldResultDocument', {
  hits: element(integer),
  group: list(result),
});
