import { document, element, list, string, structure, type Value } from '../describe.ts';

export const externalIdentifier = structure('ExternalIdentifierType', {
  entityId: element(string),
  entityType: element(string),
  namespace: element(string),
  externalId: element(string),
});

export const externalIdentifierListDocument = document('ExternalIdentifierListDocument', {
  id: list(externalIdentifier),
});
export type ExternalIdentifierList = Value<typeof externalIdentifierListDocument>;
