import { document, element, integer, list, string, structure, type Value } from '../../../core/documents/describe.ts';
import { simpleMetadataDocument } from '../../../core/documents/shared/simple-metadata.ts';

/** Assignment of jobs to transcoders. */
const taskGroup = structure('TaskGroupType', {
  loc: element(string).outputOnly,
  name: element(string),
  job: list(
    structure('TaskGroupJobType', {
      type: list(string),
      priority: list(string),
      user: list(string),
      group: list(string),
      data: list(structure('TaskGroupDataType', { key: element(string).required, value: element(string) })),
    }),
  ),
  transcoder: list(structure('TaskGroupTranscoderType', { id: element(string).required })),
  metadata: element(simpleMetadataDocument.structure),
  priority: element(string),
  maxConcurrency: element(integer).says('Jobs of the group that may run at a time, on all instances together.'),
});

export const taskGroupDocument = document('TaskGroupDocument', taskGroup);
export type TaskGroup = Value<typeof taskGroupDocument>;

export const taskGroupListDocument = document('TaskGroupListDocument', { group: list(taskGroup) });
