import { document, element, list, oneOf, string, structure } from '../../../../core/documents/describe.ts';

export const permissions = ['NONE', 'READ', 'WRITE', 'ALL'] as const;

export const importAccessListDocument = document('ImportAccessControlListDocument', {
  group: list(
    structure('ImportAccessControlGroupType', {
      name: element(string).required,
      permission: element(oneOf(...permissions)).required,
    }),
  ),
});
