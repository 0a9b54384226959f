import { metadata } from '../../assets/documents/metadata.ts';
import { sequenceType } from '../../assets/sequences/documents.ts';
import { document, element, type Value } from '../../documents/describe.ts';

/** A sequence that nobody keeps, and what is told of the item that it becomes. */
export const sequenceRenderRequestDocument = document('SequenceRenderRequestDocument', {
  sequence: element(sequenceType).required,
  metadata: element(metadata),
});
export type SequenceRenderRequest = Value<typeof sequenceRenderRequestDocument>;
