import { sequenceType } from '../../../../assets/items/public.ts';
import { metadata } from '../../../../assets/metadata/public-reading.ts';
import { document, element, type Value } from '../../../../core/documents/describe.ts';

/** Sequence that is rendered without being stored, with the metadata of the resulting item. */
export const sequenceRenderRequestDocument = document('SequenceRenderRequestDocument', {
  sequence: element(sequenceType).required,
  metadata: element(metadata),
});
export type SequenceRenderRequest = Value<typeof sequenceRenderRequestDocument>;
