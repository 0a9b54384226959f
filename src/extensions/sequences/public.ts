export { sequenceDocument } from './documents.ts';
export { bounded, type ExportQuery, exported, exportQuery, formatIn } from './exporting/answer.ts';
export { type ExportRequest, exportRequestDocument, exportStatusDocument } from './exporting/documents.ts';
export { expectItems } from './items.ts';
export { keptJson } from './load.ts';
export { itemsOf, ownFormat, sequenceKind } from './rules.ts';
