import { document, element, type Value } from '../../../../documents/describe.ts';
import { sequenceType } from '../../../../items/documents/sequence.ts';
import { metadata } from '../../../../metadata/documents/metadata.ts';

/** Sequence that is rendered without being stored, with the metadata of the resulting item. */
export const sequenceRenderRequestDocument = document('SequenceRenderRequestDocument', {
  sequence: element(sequenceType).required,
  metadata: element(metadata),
});
export type SequenceRenderRequest = Value<typeof sequenceRenderRequestDocument>;
