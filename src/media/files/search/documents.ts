import {
  alsoNamed,
  attribute,
  bareInJson,
  content,
  document,
  element,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../documents/describe.ts';

const value = structure('FileSearchValueType', { value: content(string).required }, bareInJson);

const field = structure('FileSearchFieldType', {
  name: element(string).required.says('fileId, storage, path, filename, extension, state or hash.'),
  value: list(value).says('One of them fits. "*" stands for any characters.'),
});

const sort = structure('FileSearchSortType', {
  field: element(string).required,
  order: element(oneOf('ascending', 'descending')),
});

/** All fields and texts must fit. Operators come with the search of items. */
export const fileSearchDocument = alsoNamed(
  document('FileSearchDocument', {
    text: list(value).says('Stands somewhere in the path, in capitals or small letters.'),
    field: list(field),
    operator: list(structure('FileSearchOperatorType', { operation: attribute(string) })).says('Refused.'),
    sort: list(sort),
  }),
  'ItemSearchDocument',
);
export type FileSearch = Value<typeof fileSearchDocument>;
