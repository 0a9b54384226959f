import { attribute, boolean, document, element, list, string, structure } from '../../../documents/describe.ts';

const owner = structure('ExternalIdentifierOwnerType', {
  id: element(string),
  isKnown: attribute(boolean).says('The entity has the external id here already.'),
});

export const duplicateListDocument = document('ExternalIdentifierDuplicateListDocument', {
  duplicate: list(
    structure('ExternalIdentifierDuplicateType', {
      entityType: element(string),
      namespace: element(string).says('Left out: no namespace matches.'),
      externalId: element(string),
      entity: list(owner),
    }),
  ),
});
