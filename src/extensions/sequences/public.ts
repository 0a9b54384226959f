export { bounded, type ExportQuery, exported, exportForms, exportQuery, formatIn } from './exporting/answer.ts';
export type { MediaTimes } from './exporting/clips.ts';
export { type ExportRequest, exportRequestDocument, exportStatusDocument } from './exporting/documents.ts';
export { edl } from './exporting/edl.ts';
export { frameSeenAt, type Rate, rateOf, secondsOfFrames, timeCodeText } from './exporting/frames.ts';
export { otioClip, otioMarker, otioRange, otioTimeline, otioTrack, otioType } from './exporting/otio-values.ts';
export { mediaTimesOf, titleOf } from './exporting/sources.ts';
export {
  badOtio,
  countIn,
  isSame,
  mediaOf,
  metadataOf,
  nodeOf,
  nodesIn,
  type OtioNode,
  type OtioRange,
  otioRoot,
  ownIn,
  rangeIn,
  schemaOf,
  secondsIn,
  textIn,
  unitsOf,
} from './otio-reading.ts';
export { expectItems, itemsOf, keptJson, ownFormat, sequenceDocument, sequenceKind } from './sequence.ts';
export { type Fit, fitOfTimes, offsetOf, type TimeCodes } from './time-codes.ts';
