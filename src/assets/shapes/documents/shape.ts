import {
  dateTime,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { simpleMetadata } from '../../../core/documents/shared/simple-metadata.ts';
import { audioType, binaryType, containerType, descriptorType, subtitleType, videoType } from './component.ts';

export const shapeType = structure('ShapeType', {
  id: element(string).outputOnly,
  created: element(dateTime).outputOnly,
  uuid: element(string),
  essenceVersion: element(integer).outputOnly.says('Number of the essence version of the item, from 0.'),
  tag: list(string).most(100),
  mimeType: list(string).most(100),
  binaryComponent: list(binaryType),
  containerComponent: element(containerType),
  descriptorComponent: list(descriptorType),
  audioComponent: list(audioType),
  videoComponent: list(videoType),
  subtitleComponent: list(subtitleType),
  metadata: element(simpleMetadata),
  item: list(structure('ShapeItemType', { id: element(string) })).outputOnly,
});

export const shapeDocument = document('ShapeDocument', shapeType);
export type ShapeOf = Value<typeof shapeDocument>;

/** Shapes with their items, for uses of a file and for searches of shapes. */
export const shapeListDocument = document('ShapeListDocument', {
  hits: element(integer),
  shape: list(shapeType),
  nextCursor: element(string).outputOnly,
});

export const essenceVersionDocument = document('EssenceVersionDocument', {
  created: element(dateTime),
  shape: list(shapeType),
});
export type EssenceVersion = Value<typeof essenceVersionDocument>;

export const essenceVersionListDocument = document('EssenceVersionListDocument', {
  version: list(
    structure('EssenceVersionEntryType', {
      id: element(integer),
      uri: element(string),
      created: element(dateTime),
    }),
  ),
});
