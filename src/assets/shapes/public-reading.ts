export { rational, timeCode } from './documents/component.ts';
export { type ShapeOf, shapeDocument, shapeListDocument, shapeType } from './documents/shape.ts';
