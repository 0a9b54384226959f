import { metadata } from '../../../../assets/documents/metadata.ts';
import { sequenceType } from '../../../../assets/documents/sequence.ts';
import { document, element, type Value } from '../../../../documents/describe.ts';

/** Sequence that is rendered without being stored, with the metadata of the resulting item. */
export const sequenceRenderRequestDocument = document('SequenceRenderRequestDocument', {
  sequence: element(sequenceType).required,
  metadata: element(metadata),
});
export type SequenceRenderRequest = Value<typeof sequenceRenderRequestDocument>;
