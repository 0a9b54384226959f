import {
  attribute,
  boolean,
  content,
  document,
  element,
  exactlyOneOf,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../describe.ts';

const operation = structure(
  'AccessControlOperationType',
  {
    metadata: element(structure('AccessControlMetadataType', { field: element(string) })),
    shape: element(structure('AccessControlShapeType', { tag: element(string) })),
    uri: element(structure('AccessControlUriType', { type: element(string) })),
  },
  exactlyOneOf('metadata', 'shape', 'uri'),
);

export const accessControl = structure('AccessControlType', {
  id: attribute(string),
  loc: element(string).outputOnly,
  grantor: element(string).says('The user who granted it.').outputOnly,
  recursive: element(boolean).says('Replaces appliesTo. True: the entity and its descendants.'),
  appliesTo: list(
    structure('AccessControlAppliesToType', {
      value: content(oneOf('self', 'collection', 'item', 'library', 'all')).required,
      recursive: attribute(boolean).says('Default: direct members only.'),
    }),
  )
    .most(20)
    .says('Default: the entity and its descendants.'),
  permission: element(oneOf('NONE', 'READ', 'WRITE', 'ALL', 'OWNER')),
  priority: element(integer).says('The highest number decides. Default: 0.'),
  operation: element(operation).says('Default: all operations.'),
  group: element(string),
  user: element(string),
});
export type AccessControl = Value<typeof accessControl>;

export const accessControlDocument = document('AccessControlDocument', accessControl);

export const accessControlListDocument = document('AccessControlListDocument', { access: list(accessControl) });
export type AccessControlList = Value<typeof accessControlListDocument>;
