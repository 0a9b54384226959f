import { sequenceType } from '../../../assets/items/public.ts';
import { metadata } from '../../../assets/metadata/public-reading.ts';
import { rational } from '../../../assets/shapes/public-reading.ts';
import { document, element, integer, list, string, structure, type Value } from '../../../core/documents/describe.ts';

const point = structure('ConformTimePointType', {
  samples: element(integer).required,
  timeBase: element(rational),
});
const interval = structure('ConformIntervalType', { start: element(point).required, end: element(point) });
const segment = structure('ConformSegmentType', {
  source: element(
    structure('ConformSourceType', {
      id: element(string).required.says('An item, by id or external id.'),
      interval: element(interval),
    }),
  ).required,
  destination: element(structure('ConformDestinationType', { interval: element(interval).required })),
});
const overlay = structure('ConformOverlayType', {
  id: element(string).required.says('An item with a picture.'),
  x: element(integer).required,
  y: element(integer).required,
});

const conform = structure('ConformType', {
  timeBase: element(rational),
  timeline: element(structure('ConformTimelineType', { segment: list(segment) })).required,
  overlay: list(overlay),
});

/** Timeline of an item in its stored form. */
export const conformDocument = document('ConformDocument', conform);

/** Parts of items, one behind the other, that are to become one shape. */
export const conformRequestDocument = document('ConformRequestDocument', {
  conform: element(conform).required,
  metadata: element(metadata).says('Metadata of a new item.'),
});
export type ConformRequest = Value<typeof conformRequestDocument>;

/** Sequence that is rendered without being stored, with the metadata of the resulting item. */
export const sequenceRenderRequestDocument = document('SequenceRenderRequestDocument', {
  sequence: element(sequenceType).required,
  metadata: element(metadata),
});
export type SequenceRenderRequest = Value<typeof sequenceRenderRequestDocument>;
