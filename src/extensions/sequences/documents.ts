import { sequenceType } from '../../assets/items/public.ts';
import { document, element, list, string, structure } from '../../core/documents/describe.ts';

export const sequenceDocument = document('SequenceDocument', sequenceType);

export const sequenceListDocument = document('SequenceListDocument', {
  sequence: list(structure('SequenceListEntryType', { id: element(string).required, type: element(string).required })),
});
