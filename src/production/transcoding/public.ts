export { colourIn } from './colour.ts';
export { type Maker, writeOutputs } from './outputs/files.ts';
export { cutFormat } from './outputs/formats.ts';
export { presetFor } from './outputs/prepare.ts';
export { checkShapes, endOutputs, makeShapes, replaceableOf } from './outputs/shapes.ts';
export { openTranscodingParts, type TranscodingContext, type TranscodingParts } from './parts.ts';
export {
  baseWithoutCredentials,
  shownPicture,
  streamOfItem,
  thumbnailSheet,
  thumbnailSheetImage,
} from './pictures/addresses.ts';
export { makePictures } from './pictures/make.ts';
export { mostBytes, noSuchPicture, type PictureKind, pictureKinds, pictureReply } from './pictures/picture.ts';
export { latestPictured, type PictureRow, pictureAt, picturesOf } from './pictures/store.ts';
export { pictureTime, timeIn } from './pictures/times.ts';
export { transcodeOrder } from './presets/order.ts';
export { requirePresets } from './presets/preset.ts';
export { defaultTagRows } from './presets/templates.ts';
export { mustBeResource } from './resources/load.ts';
export { bestFiles, failedBySource, openTranscodingSource, seenIn, sourceFile, sourceShape } from './source.ts';
export { joined, madeBy, transcodeData, transcodeEnded, transcodeStep, transcodeStepMemo } from './steps.ts';
export {
  findRendition,
  insertOutput,
  outputsOf,
  type RenditionRow,
  renditionsOfShape,
  streamsAmong,
} from './store.ts';
export { streamFormat } from './streams/ladder.ts';
export { maxHeadBytes, type SegmentIndex, secondsOf, segmentIndexOf } from './streams/segment-index.ts';
export { type Subtitles, subtitlesHook } from './streams/subtitles.ts';
export {
  otherForms,
  stillTimes,
  type TranscodeRequest,
  tagsGiven,
  transcodeMemo,
  transcodeRequestOf,
} from './transcode-request.ts';
export { cutterFrom, findTranscoders, joinerFor, markerFrom, stillsFrom, transcoderFor } from './transcoders.ts';
