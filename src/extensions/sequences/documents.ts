import { document, element, list, string, structure } from '../../documents/describe.ts';
import { sequenceType } from '../../items/public.ts';

export const sequenceDocument = document('SequenceDocument', sequenceType);

export const sequenceListDocument = document('SequenceListDocument', {
  sequence: list(structure('SequenceListEntryType', { id: element(string).required, type: element(string).required })),
});
