import {
  alsoNamed,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

const namespace = structure('ExternalIdentifierNamespaceType', {
  name: element(string).says('The name in the path. In requests it is ignored.'),
  pattern: element(string).required.says('A regular expression that matches the whole external id.'),
  priority: element(integer).says('Priority: of several matching namespaces, the lowest number wins. Default: 0.'),
});

/** Clients may send a single namespace under the root of a list. */
export const namespaceDocument = alsoNamed(
  document('ExternalIdentifierNamespaceDocument', namespace),
  'ExternalIdentifierNamespaceListDocument',
);
export type Namespace = Value<typeof namespaceDocument>;

export const namespaceListDocument = document('ExternalIdentifierNamespaceListDocument', {
  namespace: list(namespace),
});
