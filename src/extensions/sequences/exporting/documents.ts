import { sequenceType } from '../../../assets/items/public.ts';
import { document, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';

/** Export request: the format, and the paths of media for the editing program. */
export const exportRequestDocument = document('ExportRequestDocument', {
  tag: element(string).says('Tag of the shapes whose files are on the storages. Default: "original".'),
  format: element(string).says('As the parameter type, which takes precedence.'),
  content: list(string).says('Stored for clients, without effect.'),
  storage: list(
    structure('ExportRequestStorageType', {
      id: element(string).required,
      path: element(string).says('The folder of the storage for the editing program, as an address or a path.'),
    }),
  ).says('Storages that have the files of items without an element "item".'),
  item: list(
    structure('ExportRequestItemType', {
      id: element(string).required.says('Id of an item, as in the sequence.'),
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
