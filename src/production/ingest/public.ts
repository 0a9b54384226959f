export { shownLine, watchJob } from './commands.ts';
export type { IngestSettings } from './parts.ts';
export { type IngestContext, type IngestParts, openIngestParts } from './parts.ts';
export type { Sidecar } from './sidecars/sidecar.ts';
export { captionsHook, sourceText } from './sidecars/sidecar.ts';
export { callerMayHave, type MayHave, plainAddress } from './sources/foreign.ts';
export { openImportSource, storedAt } from './sources/open.ts';
export { decoded, shownAddress } from './sources/source.ts';
export { guestUploadHook } from './upload-imports.ts';
