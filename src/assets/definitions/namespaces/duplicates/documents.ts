import { attribute, boolean, document, element, list, string, structure } from '../../../../core/documents/describe.ts';

const owner = structure('ExternalIdentifierOwnerType', {
  id: element(string),
  isKnown: attribute(boolean).says('The entity already has this external id.'),
});

export const duplicateListDocument = document('ExternalIdentifierDuplicateListDocument', {
  duplicate: list(
    structure('ExternalIdentifierDuplicateType', {
      entityType: element(string),
      namespace: element(string).says('Absent: no namespace matches.'),
      externalId: element(string),
      entity: list(owner),
    }),
  ),
});
