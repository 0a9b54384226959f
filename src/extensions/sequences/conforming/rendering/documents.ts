import { document, element, type Value } from '../../../../documents/describe.ts';
import { sequenceType } from '../../../../items/public.ts';
import { metadata } from '../../../../metadata/public-reading.ts';

/** Sequence that is rendered without being stored, with the metadata of the resulting item. */
export const sequenceRenderRequestDocument = document('SequenceRenderRequestDocument', {
  sequence: element(sequenceType).required,
  metadata: element(metadata),
});
export type SequenceRenderRequest = Value<typeof sequenceRenderRequestDocument>;
