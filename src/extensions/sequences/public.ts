export { bounded, type ExportQuery, exported, exportQuery, formatIn } from './exporting/answer.ts';
export { type ExportRequest, exportRequestDocument, exportStatusDocument } from './exporting/documents.ts';
export { edl } from './exporting/edl.ts';
export { frameSeenAt, type Rate, rateOf, secondsOfFrames, timeCodeText } from './exporting/frames.ts';
export { titleOf } from './exporting/sources.ts';
export { expectItems, itemsOf, keptJson, ownFormat, sequenceDocument, sequenceKind } from './sequence.ts';
