export { Archives, MissingFile, zipType } from './archives/archive.ts';
export type { ArchiveContent, ArchiveFile } from './archives/files.ts';
export type { ExportSettings } from './parts.ts';
export { type ExportParts, openExportParts } from './parts.ts';
export type { ExportMemo } from './running/export-job.ts';
export { type ExportFile, exportTemplatesHook, type FilesByTemplate, filesToExport } from './running/files.ts';
export { pathOf } from './running/naming.ts';
export { jobOf, projectionFails } from './running/sidecar.ts';
export type { ExportedFile } from './store.ts';
