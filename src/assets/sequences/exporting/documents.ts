import { document, element, list, string, structure, type Value } from '../../../documents/describe.ts';
import { sequenceType } from '../documents.ts';

/** Export request: the format, and the paths of media for the editing program. */
export const exportRequestDocument = document('ExportRequestDocument', {
  tag: element(string).says('Answered 501: the files of shapes are not looked up.'),
  format: element(string).says('As the parameter type, which comes first.'),
  content: list(string).says('Kept by clients; nothing follows from it.'),
  storage: list(
    structure('ExportRequestStorageType', {
      id: element(string).required,
      path: element(string),
    }),
  ).says('Answered 501: the files of shapes are not looked up.'),
  item: list(
    structure('ExportRequestItemType', {
      id: element(string).required.says('An item of the sequence, by the id that the sequence has.'),
      path: element(string).required.says(
        'The address or path of its media for the editing program, of at most 4096 characters.',
      ),
    }),
  ),
  sequence: element(sequenceType),
});
export type ExportRequest = Value<typeof exportRequestDocument>;

export const exportStatusDocument = document('ExportStatusDocument', {
  problem: list(
    structure('ExportProblemType', {
      type: element(string).required,
      message: element(string).required,
      asset: element(string),
      parameter: list(
        structure('ExportProblemParameterType', { key: element(string).required, value: element(string) }),
      ),
    }),
  ),
});
