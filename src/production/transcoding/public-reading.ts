export { heicIn } from './codecs/heic.ts';
export { type JpegValues, readJpegValues } from './codecs/jpeg-reader.ts';
export { jpegFile, jpegSteps, type Pixels } from './codecs/jpeg-writer.ts';
export { drawableSize, jpegFrame, maxPixels } from './codecs/picture-bounds.ts';
export { isJpeg, isPng } from './codecs/picture-type.ts';
export { type PngParts, pngFile, pngParts, unpackPng } from './codecs/png.ts';
