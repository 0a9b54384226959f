import { document, element, list, string, structure, type Value } from '../../../documents/describe.ts';
import { sequenceType } from '../../../items/public.ts';
import { metadata } from '../../../metadata/public-reading.ts';

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
