import { attribute, document, element, list, string, structure, type Value } from '../describe.ts';

const accessControl = structure('AccessControlType', {
  id: attribute(string),
  loc: element(string),
  user: element(string),
  group: element(string),
  permission: element(string),
  grantor: element(string).says('The user who granted it.'),
});

export const accessControlListDocument = document('AccessControlListDocument', { access: list(accessControl) });
export type AccessControlList = Value<typeof accessControlListDocument>;
