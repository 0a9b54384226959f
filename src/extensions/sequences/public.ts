export { bounded, type ExportQuery, exported, exportQuery, formatIn } from './exporting/answer.ts';
export { type ExportRequest, exportRequestDocument, exportStatusDocument } from './exporting/documents.ts';
export { expectItems, itemsOf, keptJson, ownFormat, sequenceDocument, sequenceKind } from './sequence.ts';
