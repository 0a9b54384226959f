export { rational, type ShapeOf, shapeDocument, shapeListDocument, shapeType, timeCode } from './documents/shape.ts';
