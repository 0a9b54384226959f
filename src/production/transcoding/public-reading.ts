export { type JpegValues, maxPixels, readJpegValues } from './codecs/jpeg-reader.ts';
export { jpegFile, jpegSteps, type Pixels } from './codecs/jpeg-writer.ts';
export { type PngParts, pngFile, pngParts, unpackPng } from './codecs/png.ts';
export { isJpeg, isPng } from './codecs/whole-picture.ts';
