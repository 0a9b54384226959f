export { type Conversion, convert, encodesOf, type MediaLibrary, mediaSeconds } from './convert.ts';
export { cutMedia } from './cut.ts';
export { pictures } from './pictures.ts';
export { type ConversionPlan, containerNames, conversionPlan, type Encodes } from './plan.ts';
