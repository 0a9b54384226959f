import {
  careful,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  type Value,
} from '../../core/documents/describe.ts';

export const accessKeyDocument = careful(
  document('AccessKeyDocument', {
    id: element(string).outputOnly.says('The user name of HTTP basic authentication.'),
    name: element(string),
    secret: element(string).outputOnly.says('Only in the answer that creates the key.'),
    status: element(oneOf('ACTIVE', 'INACTIVE')),
    created: element(dateTime).outputOnly,
  }),
);
export type AccessKey = Value<typeof accessKeyDocument>;

export const accessKeyListDocument = document('AccessKeyListDocument', {
  hits: element(integer),
  key: list(accessKeyDocument.structure),
});
export type AccessKeyList = Value<typeof accessKeyListDocument>;
