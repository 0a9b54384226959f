import {
  alsoNamed,
  attribute,
  boolean,
  content,
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
} from '../../../core/documents/describe.ts';
import { type FacetRequest, facetFilter, facetRequest } from '../../../core/documents/shared/facets.ts';
import { autocompleteResponse } from '../../items/public-reading.ts';

const textValue = structure('ItemSearchTextValueType', {
  value: content(string),
  noescape: attribute(boolean).says('True: the text is a query with phrases, AND, OR, NOT, + and -, and ranges.'),
  boost: attribute(decimal),
});
export type SearchText = Value<typeof textValue>;

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

const target = oneOf('item', 'shape', 'file');

const field = structure('SearchFieldType', {
  name: element(string).required,
  value: list(fieldValue).says('At least one of the values must match. Without values and ranges, any value matches.'),
  range: list(range),
  target: attribute(target).says('Owner of the field, if not the entity itself.'),
});
export type SearchField = Value<typeof field>;

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
  text: list(textValue),
  field: list(field),
  group: list(innerGroup).says('All criteria must match in one instance of the group.'),
  operator: list(innerOperator),
  item: element(inner).says('A single item of the entity must match all criteria.'),
  shape: element(inner),
  file: element(inner),
  collection: element(inner),
  relation: element(inner),
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
  text: list(textValue),
  field: list(field),
  group: list(innerGroup),
  intervals: element(oneOf('all', 'generic', 'timed')),
  cursor: element(string),
  reference: contents.reference,
};
const answered = {
  facetFilter: list(facetFilter),
  facet: list(facetRequest),
  sort: list(sort),
  highlight: element(highlight),
};

export const itemSearch = structure('ItemSearchType', {
  ...queryParts,
  operator: list(innerOperator),
  filter: list(filter).says('Restricts the result. Facets may exclude it.'),
  acl: element(acl).says('Only entities on which the user and the group have the permission. Default: the caller.'),
  item: contents.item,
  shape: contents.shape,
  file: contents.file,
  collection: contents.collection,
  relation: contents.relation,
  ...answered,
  suggestion: element(suggestion),
  autocomplete: list(autocompleteRequest),
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
