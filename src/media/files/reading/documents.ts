import { document, element, integer, list, string, structure, type Value } from '../../../documents/describe.ts';
import { simpleMetadata } from '../../../documents/shared/simple-metadata.ts';

const item = structure('FileShapeItemType', { id: element(string) });

/** Shapes with their items: what uses a file, and what a search of shapes finds. */
export const fileShapeListDocument = document('ShapeListDocument', {
  hits: element(integer),
  shape: list(
    structure('FileUseShapeType', {
      id: element(string),
      item: list(item),
      metadata: element(simpleMetadata).outputOnly,
    }),
  ),
  nextCursor: element(string).outputOnly,
});
export type FileShapeList = Value<typeof fileShapeListDocument>;
