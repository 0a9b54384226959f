import {
  alsoNamed,
  attribute,
  document,
  element,
  lazy,
  list,
  oneOf,
  type Structure,
  string,
  structure,
} from '../../core/documents/describe.ts';

/** The search of users and groups. */

export interface UserSearchField {
  readonly name: string;
  readonly value?: string | undefined;
}

export interface UserSearchOperator {
  readonly operation: 'AND' | 'OR' | 'NOT';
  readonly field?: readonly UserSearchField[] | undefined;
  readonly operator?: readonly UserSearchOperator[] | undefined;
}

const field = list(
  structure('SimpleSearchFieldType', {
    name: element(string).required.says('Name of a field of the entity, or a key of its metadata.'),
    value: element(string).says('"*" matches any characters. Without a value: the field has any value.'),
  }),
);

const operator: Structure<UserSearchOperator> = structure('SimpleSearchOperatorType', {
  operation: attribute(oneOf('AND', 'OR', 'NOT')).required.says('"NOT": no criterion is true.'),
  field,
  operator: list(lazy((): Structure<UserSearchOperator> => operator)),
});

const sort = structure('SimpleSearchSortType', {
  field: element(string).required,
  order: element(oneOf('ascending', 'descending')),
});

/** Fields and operators beside each other must all hold. */
const simpleSearch = structure('SimpleSearchType', { field, operator: list(operator), sort: list(sort) });

export const simpleSearchDocument = alsoNamed(
  document('SimpleSearchDocument', simpleSearch),
  'UserSearchDocument',
  'GroupSearchDocument',
);
