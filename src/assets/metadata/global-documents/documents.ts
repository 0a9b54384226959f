import { document, element, integer, list, string, structure } from '../../../core/documents/describe.ts';

export const documentListDocument = document('DocumentListDocument', {
  hits: element(integer),
  document: list(structure('DocumentEntryType', { name: element(string), uri: element(string) })),
});
