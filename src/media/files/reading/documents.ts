import { document, element, integer, list, string, structure, type Value } from '../../../documents/describe.ts';

const item = structure('FileShapeItemType', { id: element(string) });

/** What uses a file. The other properties of shapes come with items. */
export const fileShapeListDocument = document('ShapeListDocument', {
  hits: element(integer),
  shape: list(structure('FileUseShapeType', { id: element(string), item: list(item) })),
});
export type FileShapeList = Value<typeof fileShapeListDocument>;
