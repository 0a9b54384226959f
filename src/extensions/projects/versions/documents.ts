import { sequenceType } from '../../../assets/items/public.ts';
import { metadata } from '../../../assets/metadata/public-reading.ts';
import { document, element, list, string, structure, type Value } from '../../../core/documents/describe.ts';

/** Items and sequences of a project version. */
export const projectVersionDocument = document('ProjectVersionDocument', {
  id: element(string).outputOnly,
  item: list(
    structure('ProjectVersionItemType', {
      id: element(string),
      externalId: element(string),
      uri: element(string).says('Not used to find the item: give its id or an external id.'),
    }),
  ),
  sequence: list(sequenceType),
  metadata: element(metadata),
});
export type ProjectVersion = Value<typeof projectVersionDocument>;
